//go:build !windows

package main

import (
	"errors"
	"io"
	"syscall"
)

// brokenPipe reports whether a write failed because nobody reads any more.
func brokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
