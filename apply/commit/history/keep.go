package history

import (
	"errors"
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
// in a folder; what it makes belongs to the history from then on. Errors are
// those of fill and the system's.
func (s *Store) Keep(d Digest, fill func(folder *os.Root, name string) error) error {
	if err := s.make(keptFolder); err != nil {
		return err
	}
	folder, err := s.root.OpenRoot(keptFolder)
	if err != nil {
		return err
	}
	defer folder.Close()
	name := tempPrefix + random()
	if err := fill(folder, name); err != nil {
		_ = folder.Remove(name)
		return err
	}
	if err := folder.Rename(name, d.String()); err != nil {
		_ = folder.Remove(name)
		return err
	}
	return nil
}

// Adopt stores a whole file, whose content has the digest, without copying:
// move moves it into a folder under a name, in one step. Errors are those of
// move and the system's.
func (s *Store) Adopt(d Digest, move func(folder *os.Root, name string) error) error {
	folder, err := s.root.OpenRoot(keptFolder)
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.make(keptFolder); err == nil {
			folder, err = s.root.OpenRoot(keptFolder)
		}
	}
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := move(folder, d.String()); err != nil {
		return err
	}
	// Its age counts from here on. Whoever could read it so far may not be us.
	now := time.Now()
	_ = folder.Chtimes(d.String(), now, now)
	_ = folder.Chmod(d.String(), 0o600)
	return nil
}

// invalid reports the error of a file system that cannot sync.
func invalid(err error) bool { return errors.Is(err, syscall.EINVAL) }
