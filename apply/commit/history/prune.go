package history

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hashline-go/hashline/apply/commit/own"
)

// How much there is, is counted as blocks of 4 KiB, as file systems do, in the
// length of the file grown: adding to it needs no lock. The file pruned bears
// the time of the last pruning.
const (
	grownFile  = "grown"
	prunedFile = "pruned"
	block      = 4 << 10
	pruneEvery = 24 * time.Hour
)

func blocks(size int64) int64 { return max(1, (size+block-1)/block) }

// Room is how many bytes a pruning leaves: more than that, all in one, never stay.
func (s *Store) Room() int64 { return s.maxBytes() - s.slack() }

// slack is the part of the room that may fill up until the next pruning.
func (s *Store) slack() int64 { return s.maxBytes() / 16 }

// Grown notes that bytes were stored in files, and reports whether it is time
// for [Store.Prune].
func (s *Store) Grown(files int, bytes int64) (due bool, err error) {
	f, err := own.Open(s.root, grownFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return false, err
	}
	defer f.Close()
	// Even where a whole disk was stored this is a small write.
	if _, err = f.Write(make([]byte, min(blocks(bytes)+int64(files), 1<<20))); err != nil {
		return false, err
	}
	info, err := f.Stat()
	if err != nil || info.Size()*block >= s.slack() {
		return err == nil, err
	}
	last, err := s.root.Lstat(prunedFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, s.touch()
	}
	return err == nil && time.Since(last.ModTime()).Abs() >= pruneEvery, err
}

func (s *Store) touch() error {
	f, err := own.Open(s.root, prunedFile, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return err
	}
	now := time.Now()
	err = s.root.Chtimes(prunedFile, now, now)
	return errors.Join(err, f.Close())
}

// stored is a file in the history.
type stored struct {
	name string
	size int64
	time time.Time
}

// Prune takes away what is too old and, oldest first, what is too much. Content
// whose digest is in keep stays. It goes on where something cannot be removed,
// and gives the first error of the system.
func (s *Store) Prune(now time.Time, keep map[Digest]bool) error {
	var first error
	note := func(err error) {
		if err != nil && first == nil && !errors.Is(err, fs.ErrNotExist) {
			first = err
		}
	}
	var all []stored
	var total int64
	for _, folder := range [...]string{objectFolder, keptFolder} {
		list, err := s.list(folder)
		note(err)
		all = append(all, list...)
	}
	late, err := s.lateFiles()
	note(err)
	all = append(all, late...)
	for _, o := range all {
		total += o.size
	}
	slices.SortFunc(all, func(a, b stored) int { return a.time.Compare(b.time) })
	room := s.Room()
	for _, o := range all {
		folder, base, _ := strings.Cut(o.name, "/")
		age := now.Sub(o.time)
		if folder == lateFolder {
			if total > room || age > LateAge {
				note(s.root.Remove(o.name))
				total -= o.size
			}
			continue
		}
		var d Digest
		if d.UnmarshalText([]byte(base)) != nil {
			note(s.pruneTemp(o, now))
			continue
		}
		if (total > room || age > s.MaxAge()) && !keep[d] {
			note(s.root.Remove(o.name))
			total -= o.size
		}
	}
	logs, err := s.list(recordFolder)
	note(err)
	for _, l := range logs {
		if strings.HasSuffix(l.name, logSuffix) {
			note(s.pruneLog(l.name, now))
			continue
		}
		note(s.pruneTemp(l, now))
	}
	note(s.touch())
	note(s.root.Remove(grownFile))
	return first
}

// pruneTemp removes a file that was left half written.
func (s *Store) pruneTemp(o stored, now time.Time) error {
	base := o.name[strings.IndexByte(o.name, '/')+1:]
	if !strings.HasPrefix(base, tempPrefix) || now.Sub(o.time).Abs() < time.Hour {
		return nil
	}
	return s.root.Remove(o.name)
}

// list gives the regular files in a folder, with the room they take.
func (s *Store) list(folder string) ([]stored, error) {
	dir, err := s.root.Open(folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var all []stored
	for {
		entries, err := dir.ReadDir(1000)
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				all = append(all, stored{folder + "/" + e.Name(), blocks(info.Size()) * block, info.ModTime()})
			}
		}
		if err == io.EOF || len(entries) == 0 {
			return all, nil
		}
		if err != nil {
			return all, err
		}
	}
}

// pruneLog drops the records that are too old, what is none, and the oldest
// where there are too many.
func (s *Store) pruneLog(name string, now time.Time) error {
	f, err := s.openLog(name)
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	var kept [][]byte
	size, dropped := 0, false
	err = backwards(f, func(line []byte) bool {
		r, ok := parseLine(line)
		if !ok {
			dropped = true
			return true
		}
		if now.Sub(r.Time) > s.MaxAge() || size+len(line)+1 > maxLog {
			dropped = true
			return false
		}
		size += len(line) + 1
		kept = append(kept, line)
		return true
	})
	switch {
	case err != nil || !dropped:
		return err
	case len(kept) == 0:
		return s.root.Remove(name)
	}
	data := make([]byte, 0, size)
	for _, line := range slices.Backward(kept) {
		data = append(append(data, '\n'), line...)
	}
	return s.replace(name, data)
}

// Usage gives the number of files with content, and the bytes that they and the
// replaced files take that are kept for a day.
func (s *Store) Usage() (files int, bytes int64, err error) {
	for _, folder := range [...]string{objectFolder, keptFolder, lateFolder} {
		list, lerr := s.list(folder)
		if lerr != nil && !errors.Is(lerr, fs.ErrNotExist) {
			err = cmp.Or(err, lerr)
		}
		for _, o := range list {
			bytes += o.size
			if folder != lateFolder {
				files++
			}
		}
	}
	return files, bytes, err
}
