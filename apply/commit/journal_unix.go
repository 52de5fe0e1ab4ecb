//go:build linux || darwin

package commit

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// shareLockFile waits for a lock that others may have at the same time.
func shareLockFile(f *os.File) error {
	return again(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_SH) })
}

// canName reports whether names can be made in the folder, and taken away.
func canName(root *os.Root) bool {
	return inFolder(root, func(fd int) error {
		return unix.Faccessat(fd, ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS)
	}) == nil
}

// inUse reports that a folder could not be removed because of what is in it.
func inUse(err error) bool { return errors.Is(err, unix.ENOTEMPTY) || errors.Is(err, unix.EEXIST) }
