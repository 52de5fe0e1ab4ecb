package main

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/mattn/go-isatty"
)

// stream is an output. It knows whether a person looks at it, and remembers the
// first error, after which it writes nothing more.
type stream struct {
	w        io.Writer
	terminal bool
	failed   error
}

func newStream(w io.Writer) *stream { return &stream{w: w, terminal: isTerminal(w)} }

// isTerminal reports whether a standard stream is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && f != nil && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// Write writes bytes as they are.
func (s *stream) Write(p []byte) (int, error) {
	if s.failed != nil {
		return 0, s.failed
	}
	n, err := s.w.Write(p)
	s.failed = err
	return n, err
}

// raw writes a text as it is.
func (s *stream) raw(text string) { _, _ = io.WriteString(s, text) }

// text writes a text that may hold what comes from a file, a path or a
// document: as it is, but on a terminal with control characters made visible
// (spec 4).
func (s *stream) text(text string) {
	if s.terminal {
		text = visible(text)
	}
	s.raw(text)
}

// reason is the cause of an error of the system, without the path that is told
// elsewhere.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
