//go:build unix

package main

import "syscall"

// noWait keeps the opening of a FIFO from waiting for its other end.
const noWait = syscall.O_NONBLOCK
