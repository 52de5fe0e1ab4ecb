//go:build unix

package workspace

import "syscall"

// openFlags keep an open from waiting for the other end of a FIFO that took
// the file's place.
const openFlags = syscall.O_NONBLOCK
