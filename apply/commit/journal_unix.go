//go:build linux || darwin

package commit

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryShareFile locks the file, as others may at the same time, unless one has it
// alone: then held is true.
func tryShareFile(f *os.File) (held bool, err error) {
	err = again(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) })
	if err == unix.EWOULDBLOCK {
		return true, nil
	}
	return false, err
}

// canName reports whether names can be made in the folder, and taken away.
func canName(root *os.Root) bool {
	return inFolder(root, func(fd int) error {
		return unix.Faccessat(fd, ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS)
	}) == nil
}

// inUse reports that a folder could not be removed because of what is in it.
func inUse(err error) bool { return errors.Is(err, unix.ENOTEMPTY) || errors.Is(err, unix.EEXIST) }
