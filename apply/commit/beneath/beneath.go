// Package beneath opens folders step by step, so that what others put in their
// place meanwhile leads nowhere else and stops nobody (spec 12).
package beneath

import (
	"errors"
	"io/fs"
	"os"
)

// ErrMoved is the error for what was replaced while it was opened, by a symbolic
// link for one.
var ErrMoved = errors.New("it was replaced")

// Enter opens the folder that stands under a name in dir, and not one that a link
// of that name leads to. It never waits. The caller closes it. Errors are ErrMoved
// or the system's; for what is no folder that is ENOTDIR.
func Enter(dir *os.Root, name string) (*os.Root, error) {
	// The "/." lets only a folder be opened: opening a FIFO waits for its other end.
	sub, err := dir.OpenRoot(name + "/.")
	if err != nil {
		return nil, err
	}
	opened, err := sub.Stat(".")
	if err == nil {
		var named fs.FileInfo
		if named, err = dir.Lstat(name); err == nil && !os.SameFile(named, opened) {
			err = ErrMoved
		}
	}
	if err != nil {
		sub.Close()
		return nil, err
	}
	return sub, nil
}
