package commit

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func changeTime(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctimespec.Nano()
	}
	return 0
}

func mountPoint(root *os.Root, path string, info fs.FileInfo) bool {
	dir, _ := split(path)
	return otherDevice(root, dir, info)
}

// renameNew renames a file to a name that must be free.
func renameNew(root *os.Root, from, to string) error {
	err := inFolder(root, func(fd int) error {
		return unix.RenameatxNp(fd, from, fd, to, unix.RENAME_EXCL)
	})
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return linkNew(root, from, to)
	}
	return err
}
