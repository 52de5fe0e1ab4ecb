package commit

import (
	"errors"
	"io/fs"
	"os"
	"slices"
)

// takeAway takes away a version that had the target's name and stands under
// another one in f's folder. Without a lease on it another program may have
// opened it while it had that, and what such a program writes goes there: then
// the version stays in the history for a day (spec 11), unless the two lie on
// different file systems.
func (t *transaction) takeAway(f *file, name string, leased bool) error {
	if !leased && t.keepLate(f, name) {
		return nil
	}
	err := f.folder.root.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (t *transaction) keepLate(f *file, name string) bool {
	if t.past == nil {
		return false
	}
	info, err := f.folder.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > t.past.history.Room() {
		return false
	}
	return t.late(f, info.Size(), func(folder *os.Root, as string) error {
		return moveAcross(f.folder.root, name, folder, as)
	})
}

// late has put bring a version of f, of so many bytes, into the history for a day.
func (t *transaction) late(f *file, size int64, put func(folder *os.Root, as string) error) bool {
	err := t.past.history.KeepLate(t.id, slices.Index(t.files, f), put)
	if err == nil && t.chronicle != nil {
		t.chronicle.grown(int(size))
	}
	return err == nil
}
