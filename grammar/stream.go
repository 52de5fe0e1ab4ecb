package grammar

import (
	"errors"
	"io"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// Stream reads a document that arrives in pieces, as [ParsePrefix] reads what
// there is of it; but each line is read once, so that the time all pieces take
// together grows with the length of the document. The zero Stream is ready. It
// keeps the whole text, at most [MaxBytes] of it, and is for one goroutine.
type Stream struct {
	buf  strings.Builder
	text string // what buf holds
	at   int    // the offset of the next line to read
	num  int    // its number, less one

	doc hashline.Document
	// sections and ops are what the scanner met, which counts towards the
	// limits.
	sections, ops int

	// wraps are the wrappers that are open, begun tells that no more can open,
	// and ended that the innermost one has closed, after which no document
	// follows.
	wraps        []wrapper
	begun, ended bool

	// open tells that the line above is a PUT or a row of it.
	open bool
	// stopped tells that no document goes on like this, because of the line
	// that ends at to; faults say why.
	stopped, closed bool
	to              int
	cutOff          bool
	faults          hashline.Diagnostics
}

// Write takes the next piece of the document. It keeps no reference to it. The
// error is nil unless the Stream is closed.
func (s *Stream) Write(piece []byte) (int, error) {
	if s.closed {
		return 0, io.ErrClosedPipe
	}
	n := min(len(piece), MaxBytes-s.buf.Len())
	if s.buf.Len()+n > s.buf.Cap() {
		// The rows keep alive what the buffer was before, so that it must
		// not grow by less.
		s.buf.Grow(max(n, s.buf.Len()))
	}
	s.buf.Write(piece[:n])
	s.text = s.buf.String()
	if end := strings.LastIndexByte(s.text[len(s.text)-n:], '\n'); end >= 0 {
		s.advance(len(s.text) - n + end + 1)
	}
	if n < len(piece) && (len(s.faults) == 0 || s.faults[0].Code != hashline.TooLarge) {
		s.stopped, s.open, s.faults = true, false, hashline.Diagnostics{tooManyBytes()}
	}
	return len(piece), nil
}

// Close tells that nothing more comes: a last line without a line end is read,
// and an operation that has no rows is dropped. What [Stream.Document] gives is
// then what [ParsePrefix] gives of the whole text. The error is nil where [Parse]
// accepts the text, else [hashline.Diagnostics] with all its faults. (Of a text
// longer than [MaxBytes] the line that goes over it is left out.)
func (s *Stream) Close() error {
	if s.closed {
		return s.faults.Err()
	}
	s.closed = true
	stopped := s.stopped
	s.advance(len(s.text))
	s.open = false
	n := len(s.doc.Sections)
	missing := s.dropBodiless() || n == 0 || len(s.doc.Sections[n-1].Ops) == 0 || len(s.wraps) > 0
	switch {
	case len(s.faults) > 0 && s.faults[0].Code == hashline.TooLarge:
	case s.stopped || missing:
		s.cutOff = !stopped && (s.begun || len(s.wraps) > 0) && (!s.stopped || s.begins())
		_, err := Parse(s.text)
		s.faults = nil
		errors.As(err, &s.faults)
	}
	return s.faults.Err()
}

// Document gives the sections whose header was read to its end, with their
// operations in order. The last operation of the last section may be one that
// has no rows yet, or not all: see [Stream.Open]. All others do not change any
// more. The result belongs to the Stream and is good until it is written to; the
// rows share its memory.
func (s *Stream) Document() *hashline.Document { return &s.doc }

// Open reports whether the last operation may still get rows.
func (s *Stream) Open() bool { return s.open }

// Rest is the line that has begun to arrive, "" where none has or reading has
// stopped at a fault. Its memory is the Stream's.
func (s *Stream) Rest() string {
	if s.closed || s.stopped {
		return ""
	}
	return s.text[s.at:]
}

// Faults says why what has arrived is no beginning of a document, or nil. The
// first fault is that of the place where reading stopped; what comes later
// may add to what is said of it. After [Stream.Close] all faults are there.
func (s *Stream) Faults() hashline.Diagnostics { return s.faults }

// CutOff reports, after [Stream.Close], whether what is wrong is only that the
// text ends: it may be the beginning of a document.
func (s *Stream) CutOff() bool { return s.cutOff }
