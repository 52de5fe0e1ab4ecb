package hashlinetest

import (
	"os"
	"syscall"
)

// memoryFolder makes a folder in memory. A container may have too little room
// there, or not allow that programs are run from it.
func memoryFolder() (dir string, ok bool) {
	const (
		shared = "/dev/shm"
		tmpfs  = 0x01021994
		noExec = 8
		room   = 1 << 30 // bytes
	)
	var st syscall.Statfs_t
	if err := syscall.Statfs(shared, &st); err != nil || int64(st.Type) != tmpfs || st.Flags&noExec != 0 || st.Bavail*uint64(st.Bsize) < room {
		return "", false
	}
	dir, err := os.MkdirTemp(shared, "hashline-test-")
	return dir, err == nil
}
