//go:build unix

package commit

import "syscall"

// The tests spell modes out, so that they need the umask that most people have.
func init() { syscall.Umask(0o022) }
