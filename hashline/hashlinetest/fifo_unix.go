//go:build unix

package hashlinetest

import "syscall"

func makeFIFO(name string) error { return syscall.Mkfifo(name, 0o666) }
