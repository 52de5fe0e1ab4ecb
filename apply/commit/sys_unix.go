//go:build linux || darwin

package commit

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/hashline"
)

// identify gives the identity of the file that info describes and the number of
// its names.
func identify(_ *os.Root, _ string, info fs.FileInfo) (id ID, links uint64, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ID{}, 1, false
	}
	return ID{uint64(st.Dev), uint64(st.Ino)}, uint64(st.Nlink), true
}

func owner(info fs.FileInfo) (uid, gid int) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), int(st.Gid)
	}
	return -1, -1
}

// otherDevice reports whether the file lies on another device than its folder.
func otherDevice(root *os.Root, dir string, info fs.FileInfo) bool {
	above, err := root.Stat(dir)
	if err != nil {
		return false
	}
	a, _, okA := identify(root, dir, above)
	b, _, okB := identify(root, "", info)
	return okA && okB && a.device != b.device
}

// inFolder calls do with the folder's descriptor.
func inFolder(root *os.Root, do func(fd int) error) error {
	f, err := root.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return again(func() error { return do(int(f.Fd())) })
}

func again(do func() error) error {
	for {
		if err := do(); err != unix.EINTR {
			return err
		}
	}
}

// linkNew gives a file a new name, which must be free, and takes the old away.
func linkNew(root *os.Root, from, to string) error {
	err := root.Link(from, to)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOTSUP) {
		// A file system without hard links; the best it has is to look first.
		if _, lerr := root.Lstat(to); lerr == nil {
			return fs.ErrExist
		}
		return root.Rename(from, to)
	}
	if err != nil {
		return err
	}
	return root.Remove(from)
}

// removeFolder removes an empty folder and nothing else.
func removeFolder(root *os.Root, name string) error {
	return inFolder(root, func(fd int) error { return unix.Unlinkat(fd, name, unix.AT_REMOVEDIR) })
}

func (d *folder) sync() error {
	h, err := d.handle()
	if err != nil {
		return err
	}
	return h.Sync()
}

// unsupported reports that the file system cannot sync at all.
func unsupported(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS)
}

// diskFull reports that there is no more room, or no more of it for this user.
func diskFull(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

// tryLockFile locks the file unless another has: then held is true.
func tryLockFile(f *os.File) (held bool, err error) {
	err = again(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) })
	if err == unix.EWOULDBLOCK {
		return true, nil
	}
	return false, err
}

func lockFile(f *os.File) error {
	return again(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_EX) })
}

func unlockFile(f *os.File) error {
	return again(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) })
}

// systemCode gives the code and the hint for what package fs has no name for.
func systemCode(err error) (hashline.Code, string) {
	errno, _ := errors.AsType[syscall.Errno](err)
	switch errno {
	case unix.EROFS:
		return hashline.ReadOnly, "the file system is mounted read-only; edit a copy elsewhere"
	case unix.ENOSPC, unix.EDQUOT:
		return hashline.IO, "make room on the disk and send the same document again"
	case unix.EIO:
		return hashline.IO, "check the disk before anything else"
	case unix.EFBIG:
		return hashline.IO, "the file is over a limit that the system sets on size"
	case unix.EMFILE, unix.ENFILE:
		return hashline.IO, "raise the limit on open files, or edit fewer files at once"
	case unix.EAGAIN: // a lease of another process
		return hashline.BusyFile, "close the file in the other program and try again"
	case unix.EBUSY:
		return hashline.MountPoint, "edit the file where it is mounted from"
	case unix.ELOOP:
		return hashline.LinkLoop, ""
	}
	return hashline.IO, ""
}
