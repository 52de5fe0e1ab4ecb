package commit

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/windows"

	"github.com/hashline-go/hashline/hashline"
)

// identify opens the file to ask for its identity and the number of its names.
func identify(root *os.Root, path string, info fs.FileInfo) (id ID, links uint64, ok bool) {
	if !info.Mode().IsRegular() && !info.IsDir() {
		return ID{}, 1, false
	}
	f, err := root.Open(path)
	if err != nil {
		return ID{}, 1, false
	}
	defer f.Close()
	var d windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &d); err != nil {
		return ID{}, 1, false
	}
	index := uint64(d.FileIndexHigh)<<32 | uint64(d.FileIndexLow)
	return ID{uint64(d.VolumeSerialNumber), index}, uint64(d.NumberOfLinks), true
}

// owner is the same for all: what os.Geteuid says.
func owner(fs.FileInfo) (uid, gid int) { return -1, -1 }

func changeTime(fs.FileInfo) int64 { return 0 }

func mountPoint(*os.Root, string, fs.FileInfo) bool { return false }

// renameNew renames a file to a name that must be free. A volume without hard
// links can only be looked at first.
func renameNew(root *os.Root, from, to string) error {
	err := root.Link(from, to)
	switch {
	case err == nil:
		return root.Remove(from)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	if _, lerr := root.Lstat(to); lerr == nil {
		return fs.ErrExist
	}
	return root.Rename(from, to)
}

// removeFolder removes an empty folder.
func removeFolder(root *os.Root, name string) error {
	if info, err := root.Lstat(name); err != nil || !info.IsDir() {
		return err
	}
	return root.Remove(name)
}

// sync does nothing: the system has no such thing, and its file systems
// keep a journal of names.
func (*folder) sync() error { return nil }

func unsupported(error) bool { return false }

// tryLockFile locks the file unless another has: then held is true.
func tryLockFile(f *os.File) (held bool, err error) {
	return notHeld(lock1(f, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY))
}

// notHeld tells another's lock from a fault.
func notHeld(err error) (held bool, fault error) {
	if err == windows.ERROR_LOCK_VIOLATION || err == windows.ERROR_IO_PENDING {
		return true, nil
	}
	return false, err
}

func lockFile(f *os.File) error { return lock1(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

func lock1(f *os.File, flags uint32) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
}

func unlockFile(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, new(windows.Overlapped))
}

// diskFull reports that there is no more room.
func diskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// systemCode gives the code and the hint for what package fs has no name for.
func systemCode(err error) (hashline.Code, string) {
	errno, _ := errors.AsType[syscall.Errno](err)
	switch errno {
	case windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION:
		return hashline.BusyFile, "close the file in the other program and send the same document again"
	case windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL:
		return hashline.IO, "make room on the disk and send the same document again"
	case windows.ERROR_WRITE_PROTECT:
		return hashline.ReadOnly, "the volume is write-protected; edit a copy elsewhere"
	}
	return hashline.IO, ""
}
