package snapshot

import (
	"bytes"
	"errors"
	"hash/maphash"
	"io"
)

// Scan reads a file of UTF-8 in one pass, without holding it: whether it is text,
// how many lines it has, its tag, and an index by which its lines are found
// again. It needs 16 bytes for every page of the file.
type Scan struct {
	tag     Tagger
	pages   *pages
	size    int
	lines   int // the number of "\n"
	crlf    int
	last    byte
	mark    bool
	head    []byte // of the file, as long as it may be a byte-order mark
	partial maphash.Hash
	// rest is what a piece ended with of a character.
	rest []byte
	bad  *badByte
	// marks are the states of the tag after each stretch of the text.
	marks []Tagger
}

// stretch is how many pages lie between the points of a text from which on the
// tag of a text that is equal to it up to there can be computed.
const stretch = 16

// errNoText is what Write gives when nothing more needs to be read.
var errNoText = errors.New("not a text")

// NewScan begins a file, which is later read in pages of so many bytes.
func NewScan(scheme Scheme, page int) *Scan {
	s := &Scan{tag: scheme.Tagger(), pages: &pages{seed: maphash.MakeSeed(), unit: page}}
	s.partial.SetSeed(s.pages.seed)
	return s
}

// Write takes the next bytes of the file, fastest in whole pages. The
// error is for a file that is no text: see [Scan.NotText].
func (s *Scan) Write(p []byte) (int, error) {
	if s.bad != nil {
		return 0, errNoText
	}
	if s.validate(p); s.bad != nil {
		return 0, errNoText
	}
	if s.size < len(bom) {
		s.head = append(s.head, p[:min(len(p), len(bom)-s.size)]...)
		s.mark = string(s.head) == string(bom)
	}
	s.crlf += bytes.Count(p, []byte("\r\n"))
	if s.last == '\r' && len(p) > 0 && p[0] == '\n' {
		s.crlf++
	}
	n := len(p)
	for len(p) > 0 {
		k := min(len(p), s.pages.unit-s.size%s.pages.unit)
		s.add(p[:k])
		p = p[k:]
	}
	return n, nil
}

// add takes bytes of one page.
func (s *Scan) add(p []byte) {
	if s.size%s.pages.unit == 0 {
		s.pages.before = append(s.pages.before, s.lines)
	}
	s.lines += bytes.Count(p, []byte{'\n'})
	if len(p) == s.pages.unit {
		s.pages.sums = append(s.pages.sums, maphash.Bytes(s.pages.seed, p))
	} else if _, _ = s.partial.Write(p); (s.size+len(p))%s.pages.unit == 0 {
		s.endPage()
	}
	_, _ = s.tag.Write(p)
	s.size += len(p)
	s.last = p[len(p)-1]
	if s.size%(stretch*s.pages.unit) == 0 {
		s.marks = append(s.marks, s.tag)
	}
}

func (s *Scan) endPage() {
	s.pages.sums = append(s.pages.sums, s.partial.Sum64())
	s.partial.Reset()
}

// Text gives the text, whose bytes are read from r where they are needed, and
// compared with what was scanned. r must stay open as long as the Text is used.
// A file that is no text is refused as [Decode] refuses it.
func (s *Scan) Text(r io.ReaderAt) (*Text, error) {
	if len(s.rest) > 0 && s.bad == nil {
		s.found(s.size-len(s.rest), s.rest[0], nil)
	}
	if s.bad != nil {
		return nil, errNoText
	}
	if s.size%s.pages.unit != 0 && len(s.pages.sums) < len(s.pages.before) {
		s.endPage()
	}
	s.pages.r, s.pages.size = r, s.size
	t := &Text{far: s.pages, size: s.size, lines: s.lines}
	if s.mark {
		t.mark = len(bom)
	}
	ends := s.lines
	if s.size > t.mark && s.last != '\n' {
		t.lines++
	}
	t.crlf = s.crlf > ends-s.crlf
	return t, nil
}

// Tagger gives the state of the tag at the end of the text.
func (s *Scan) Tagger() Tagger { return s.tag }

// TagUpTo gives the state of the tag at the last stretch's end before an offset,
// and the offset of that.
func (s *Scan) TagUpTo(at int) (Tagger, int) {
	k := min(at/(stretch*s.pages.unit), len(s.marks))
	if k == 0 {
		return s.tag.scheme.Tagger(), 0
	}
	return s.marks[k-1], k * stretch * s.pages.unit
}

// Holds reports whether data is so many bytes at an offset as they were when the
// file was scanned. Both ends must be those of pages, or the file's.
func (t *Text) Holds(at int, data []byte) bool {
	p, ok := t.far.(*pages)
	if !ok || at%p.unit != 0 {
		return false
	}
	for n := at / p.unit; len(data) > 0; n++ {
		k := min(p.unit, len(data))
		if !p.holds(n, data[:k]) {
			return false
		}
		data = data[k:]
	}
	return true
}
