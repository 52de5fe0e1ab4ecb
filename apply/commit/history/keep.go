package history

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// maxKept is the size of the largest file that is kept, in bytes: that of the
// largest file that is edited.
const maxKept = 1 << 30

// Keep stores content that is too large to be copied, under its digest. fill
// makes the file, in whatever way costs no copying, under a name that is free
// in a folder; what it makes belongs to the history from then on. A file that has
// the digest's name and is not what it says goes to the replaced ones. Errors are
// those of fill and the system's.
func (s *Store) Keep(d Digest, fill func(folder *os.Root, name string) error) error {
	folder, err := s.folder(keptFolder)
	if err != nil {
		return err
	}
	defer folder.Close()
	name := tempPrefix + random()
	err = fill(folder, name)
	if err == nil {
		err = s.makeWay(d)
	}
	if err == nil {
		stamp(folder, name)
		err = folder.Rename(name, d.String())
	}
	if err != nil {
		_ = folder.Remove(name)
	}
	return err
}

// Adopt stores a whole file, whose content has the digest and to which nobody can
// write any more, without copying: move moves it into a folder under a name, in one
// step. What has that name already is treated as by Keep. Errors are those of move
// and the system's.
func (s *Store) Adopt(d Digest, move func(folder *os.Root, name string) error) error {
	folder, err := s.folder(keptFolder)
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := s.makeWay(d); err != nil {
		return err
	}
	if err := move(folder, d.String()); err != nil {
		return err
	}
	stamp(folder, d.String())
	// Whoever could read it so far may not be us.
	_ = folder.Chmod(d.String(), 0o600)
	return nil
}

// stamp has the age of a kept file count from here on. Its time is a whole second:
// who writes to it, as nobody should, gives it another one.
func stamp(folder *os.Root, name string) {
	now := time.Now().Truncate(time.Second)
	_ = folder.Chtimes(name, now, now)
}

func isStamped(info fs.FileInfo) bool { return info.ModTime().Nanosecond() == 0 }

// makeWay makes sure that no bytes are lost when a file gets the name of a kept one:
// what stands there and is not what the digest says, somebody has written to. It
// stays for a day.
func (s *Store) makeWay(d Digest) error {
	name := keptFolder + "/" + d.String()
	info, err := s.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || isStamped(info) || s.whole(name, d) {
		return nil
	}
	if err := s.make(lateFolder); err != nil {
		return err
	}
	err = s.root.Rename(name, lateFolder+"/"+NewID(time.Now())+"-"+d.String())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// whole reports whether a file has the content of a digest.
func (s *Store) whole(name string, d Digest) bool {
	f, err := s.open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return err == nil && Digest(sum.Sum(nil)) == d
}

// folder opens a folder of the history, making it where it is missing.
func (s *Store) folder(name string) (*os.Root, error) {
	folder, err := s.root.OpenRoot(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.make(name); err == nil {
			folder, err = s.root.OpenRoot(name)
		}
	}
	return folder, err
}

// invalid reports the error of a file system that cannot sync.
func invalid(err error) bool { return errors.Is(err, syscall.EINVAL) }
