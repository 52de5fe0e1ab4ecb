//go:build unix

package beneath

import "syscall"

// NoWait is a flag for opening what is expected to be a file: a FIFO that stands
// there stops nobody, and package os is spared the calls by which it finds out that
// a regular file has no use for it. 0 where there is no such thing.
const NoWait = syscall.O_NONBLOCK
