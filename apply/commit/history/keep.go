package history

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
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

// Forget drops the content that was kept under a digest.
func (s *Store) Forget(d Digest) error {
	err := s.root.Remove(keptFolder + "/" + d.String())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// invalid reports the error of a file system that cannot sync.
func invalid(err error) bool { return errors.Is(err, syscall.EINVAL) }
