package commit

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// born asks when a folder was made, in nanoseconds; 0 is for unknown.
func born(root *os.Root) int64 {
	info, err := root.Stat(".")
	if err != nil {
		return 0
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Birthtimespec.Nano()
	}
	return 0
}

// cloneAs makes a new file, of mode 0600, that shares the blocks of another. It has
// the other's extended attributes as well.
func cloneAs(folder *os.Root, name string, from *os.File) error {
	err := inFolder(folder, func(fd int) error {
		return unix.Fclonefileat(int(from.Fd()), fd, name, unix.CLONE_NOOWNERCOPY)
	})
	if err != nil {
		return err
	}
	if err := folder.Chmod(name, 0o600); err != nil {
		_ = folder.Remove(name)
		return err
	}
	return nil
}
