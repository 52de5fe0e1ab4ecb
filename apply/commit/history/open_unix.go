//go:build unix

package history

import "syscall"

// nonblock spares package os the calls by which it finds out that a regular file
// has no use for it.
const nonblock = syscall.O_NONBLOCK
