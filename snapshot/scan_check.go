package snapshot

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// badByte is the first byte that is no text in UTF-8.
type badByte struct {
	at, line int
	is       byte
}

// validate looks for the first byte that is no text.
func (s *Scan) validate(p []byte) {
	at := s.size - len(s.rest)
	if len(s.rest) > 0 {
		// What may be a character goes on.
		k := min(len(p), utf8.UTFMax)
		joint := append(s.rest, p[:k]...)
		if !utf8.FullRune(joint) {
			s.rest = joint
			return
		}
		r, size := utf8.DecodeRune(joint)
		if r == utf8.RuneError && size <= 1 {
			s.found(at, joint[0], nil)
			return
		}
		used := size - len(s.rest)
		s.rest, at, p = nil, at+size, p[used:]
	}
	cut := len(p)
	for back := 1; back < utf8.UTFMax && back <= len(p); back++ {
		if c := p[len(p)-back]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(p[len(p)-back:]) {
				cut = len(p) - back
			}
			break
		}
	}
	if bad := firstBad(p[:cut]); bad >= 0 {
		s.found(at+bad, p[bad], p[:bad])
		return
	}
	s.rest = bytes.Clone(p[cut:])
}

// found notes the first bad byte; above is what was not counted of the text in
// front of it.
func (s *Scan) found(at int, is byte, above []byte) {
	s.bad = &badByte{at, s.lines + bytes.Count(above, []byte{'\n'}) + 1, is}
}

// NotText gives the refusal of a file of so many bytes that is no text, as
// [Decode] makes it; nil for one that is.
func (s *Scan) NotText(r io.ReaderAt, size int) error {
	if s.bad == nil {
		return nil
	}
	read := func(from, to int) []byte {
		data := make([]byte, max(0, to-from))
		n, _ := r.ReadAt(data, int64(from))
		return data[:n]
	}
	at := s.bad.at
	near := read(max(at-guessed, 0), min(at+guessed, size))
	return isNoText(whatIs(s.bad.is, place(at, s.bad.line)), guessBy(read(0, min(guessed, size)), near, size))
}
