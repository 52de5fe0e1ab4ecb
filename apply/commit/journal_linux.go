package commit

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/apply/commit/beneath"
)

// born asks when a folder was made, in nanoseconds; 0 is for unknown.
func born(root *os.Root) int64 {
	f, err := root.OpenFile(".", os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return 0
	}
	defer f.Close()
	var st unix.Statx_t
	err = again(func() error {
		return unix.Statx(int(f.Fd()), "", unix.AT_EMPTY_PATH|unix.AT_STATX_DONT_SYNC, unix.STATX_BTIME, &st)
	})
	if err != nil || st.Mask&unix.STATX_BTIME == 0 {
		return 0
	}
	return st.Btime.Sec*1e9 + int64(st.Btime.Nsec)
}

// cloneAs makes a new file, of mode 0600, that shares the blocks of another.
func cloneAs(folder *os.Root, name string, from *os.File) error {
	return make600(folder, name, func(to *os.File) error {
		return again(func() error { return unix.IoctlFileClone(int(to.Fd()), int(from.Fd())) })
	})
}
