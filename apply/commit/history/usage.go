package history

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
)

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
