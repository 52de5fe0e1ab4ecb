package main

import (
	"errors"
	"io"
	"syscall"
)

// errNoData is ERROR_NO_DATA: the pipe is being closed.
const errNoData = syscall.Errno(232)

// brokenPipe reports whether a write failed because nobody reads any more.
func brokenPipe(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errNoData) || errors.Is(err, io.ErrClosedPipe)
}

// ignoreBrokenPipes does nothing: a write that nobody reads is an error.
func ignoreBrokenPipes() {}
