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
		return st.Ctim.Nano()
	}
	return 0
}

// mountPoint asks the kernel, which since Linux 5.8 knows; a file mounted over
// another of the same file system shows in no other way.
func mountPoint(root *os.Root, path string, info fs.FileInfo) bool {
	dir, name := split(path)
	f, err := root.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	var st unix.Statx_t
	err = again(func() error {
		return unix.Statx(int(f.Fd()), name, unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, unix.STATX_TYPE, &st)
	})
	if err != nil || st.Attributes_mask&unix.STATX_ATTR_MOUNT_ROOT == 0 {
		return otherDevice(root, dir, info)
	}
	return st.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
}

// renameNew renames a file to a name that must be free.
func renameNew(root *os.Root, from, to string) error {
	err := inFolder(root, func(fd int) error {
		return unix.Renameat2(fd, from, fd, to, unix.RENAME_NOREPLACE)
	})
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return linkNew(root, from, to)
	}
	return err
}
