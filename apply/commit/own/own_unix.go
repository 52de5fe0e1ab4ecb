//go:build unix

package own

import (
	"io/fs"
	"syscall"
)

func foreign(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) != user()
}

func writable(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

func private(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 == 0 }
