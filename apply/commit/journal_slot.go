package commit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/apply/commit/own"
)

// Journals lie in files that are used again and again, so that writing one makes
// no new name. Whoever has the kernel's lock of such a slot owns it; one that is
// not empty and whose lock is free belongs to a process that was killed. Its
// name begins with the root's key, so that each workspace finds its own.
const (
	maxSlots    = 1000
	asidePrefix = "aside-"
)

// slot is the file of a journal, locked.
type slot struct {
	file *os.File
	dir  *os.Root
	name string
}

// claim locks the first slot of a root that is free and empty.
func claim(dir *os.Root, key string) (*slot, error) {
	for n := range maxSlots {
		s, err := openSlot(dir, fmt.Sprintf("%s-%03d", key, n), os.O_CREATE)
		if err != nil {
			return nil, err
		}
		if s == nil {
			continue
		}
		info, err := s.file.Stat()
		if err == nil && info.Size() == 0 {
			return s, nil
		}
		s.close()
		if err != nil {
			return nil, err
		}
	}
	return nil, errors.New("too many journals wait for a recovery")
}

// openSlot opens and locks a slot; it gives nil where another has the lock or
// took the slot away.
func openSlot(dir *os.Root, name string, flags int) (*slot, error) {
	f, err := own.Open(dir, name, os.O_RDWR|flags)
	if errors.Is(err, own.ErrOdd) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	held, err := tryLockFile(f)
	if err != nil || held {
		f.Close()
		return nil, err
	}
	s := &slot{f, dir, name}
	opened, err := f.Stat()
	if err == nil {
		var named fs.FileInfo
		if named, err = dir.Lstat(name); err == nil && os.SameFile(opened, named) {
			return s, nil
		}
	}
	s.close()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return nil, err
}

func (s *slot) close() {
	_ = unlockFile(s.file)
	s.file.Close()
}

// write fills the slot; with sync it lasts from the return on.
func (s *slot) write(data []byte, sync bool) error {
	_, err := s.file.WriteAt(data, 0)
	if err == nil && sync {
		if err = s.file.Sync(); err != nil && unsupported(err) {
			err = nil
		}
	}
	if err != nil {
		_ = s.empty(false)
	}
	return err
}

// mark notes how far the commit came; with sync that lasts from the return on.
func (s *slot) mark(mark string, sync bool) error {
	end, err := s.file.Seek(0, io.SeekEnd)
	if err == nil && end > 0 {
		_, err = s.file.Write([]byte(mark))
	}
	if err == nil && sync {
		if err = s.file.Sync(); err != nil && unsupported(err) {
			err = nil
		}
	}
	return err
}

// empty frees the slot for the next journal.
func (s *slot) empty(sync bool) error {
	if err := s.file.Truncate(0); err != nil {
		return err
	}
	if sync {
		if err := s.file.Sync(); err != nil && !unsupported(err) {
			return err
		}
	}
	return nil
}

// putAside keeps the journal where no recovery looks for it, and gives its name.
func (s *slot) putAside() (string, error) {
	name := asidePrefix + s.name + "-" + strings.TrimSuffix(strings.TrimPrefix(tempName(), tempPrefix), tempSuffix)
	return name, s.dir.Rename(s.name, name)
}

// slotNames lists the slots that may hold journals of a root, or, for the key
// "", all.
func slotNames(dir *os.Root, key string) ([]string, error) {
	d, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	all, err := d.Readdirnames(-1)
	var some []string
	for _, name := range all {
		if strings.HasPrefix(name, key) && (key == "" || !strings.HasPrefix(name, asidePrefix)) {
			some = append(some, name)
		}
	}
	return some, err
}

// pruneJournals removes the slots that nobody used for long, up to a time, and gives
// the digests that the others may need.
func pruneJournals(dir *os.Root, from time.Time, age time.Duration) map[history.Digest]bool {
	needed := map[history.Digest]bool{}
	names, _ := slotNames(dir, "")
	for _, name := range names {
		info, err := dir.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		old := from.Sub(info.ModTime()) > age
		if !old && info.Size() == 0 {
			continue
		}
		// A journal in use is not looked at: its owner keeps the history.
		s, err := openSlot(dir, name, 0)
		if err != nil || s == nil {
			continue
		}
		data, err := readSlot(s.file)
		switch {
		case err == nil && newer(data):
			mayNeed(data, needed)
		case old:
			_ = dir.Remove(name)
		case err == nil:
			if j, _, err := decodeJournal(data); err == nil {
				j.needs(needed)
			}
		}
		s.close()
	}
	return needed
}

func (j *journal) needs(set map[history.Digest]bool) {
	for _, f := range j.Record.Files {
		for _, d := range [...]*history.Digest{f.Old, f.New} {
			if d != nil {
				set[*d] = true
			}
		}
	}
}

func readSlot(f *os.File) ([]byte, error) {
	return io.ReadAll(io.LimitReader(io.NewSectionReader(f, 0, maxJournal), maxJournal))
}
