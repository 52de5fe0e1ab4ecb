//go:build unix

package own

import (
	"io/fs"
	"syscall"
)

// nonblock keeps a FIFO from stopping us, and spares package os the calls by
// which it finds out that a regular file has no use for it.
const nonblock = syscall.O_NONBLOCK

func foreign(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) != user()
}

func writable(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

func private(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 == 0 }
