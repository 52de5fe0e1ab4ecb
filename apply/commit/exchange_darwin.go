package commit

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchangeNames exchanges two names in a folder, in one step.
func exchangeNames(dir *os.File, a, b string) error {
	fd := int(dir.Fd())
	return again(func() error { return unix.RenameatxNp(fd, a, fd, b, unix.RENAME_SWAP) })
}

// cannotExchange reports that the system or the file system has no such thing.
func cannotExchange(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP)
}
