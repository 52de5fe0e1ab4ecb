//go:build !windows

package main

import (
	"errors"
	"io"
	"os/signal"
	"syscall"
)

// brokenPipe reports whether a write failed because nobody reads any more.
func brokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// ignoreBrokenPipes makes a write that nobody reads an error. By default it ends
// the process, which may be in the middle of a change.
func ignoreBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }
