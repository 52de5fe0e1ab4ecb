package grammar

import (
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/hashline-go/hashline/hashline"
)

// advance reads the lines up to an offset, at which one begins or the text
// ends.
func (s *Stream) advance(end int) {
	if s.stopped {
		return
	}
	if !s.begun {
		s.unwrap(end)
	}
	if s.open {
		s.rows(end)
	}
	if s.begun && !s.ended {
		s.read(s.inside(end))
	}
	if s.ended && !s.stopped {
		s.afterwards(end)
	}
	if s.stopped {
		s.open = false
		s.dropBodiless()
		if !s.closed {
			s.explain()
		}
	}
}

func (s *Stream) line(end int) line { return lineAt(s.text[:end], s.at, s.num+1) }

// pass moves on behind a line.
func (s *Stream) pass(l line) { s.at, s.num = l.next, l.num }

// unwrap reads the lines that open wrappers.
func (s *Stream) unwrap(end int) {
	for s.at < end {
		l := s.line(end)
		if !l.blank() {
			o, ok := opener(l)
			n := len(s.wraps)
			if s.begun = !ok || n == 2 || n == 1 && (o.mark == 0) == (s.wraps[0].mark == 0); s.begun {
				return
			}
			s.wraps = append(s.wraps, o)
		}
		s.pass(l)
	}
}

// rows reads the rows that the last operation goes on with.
func (s *Stream) rows(end int) {
	from := s.at
	for s.at < end && s.text[s.at] == '+' {
		s.at = lineEnd(s.text[:end], s.at)
		s.num++
	}
	if from < s.at {
		o := s.last()
		o.Body = appendRows(o.Body, s.text[from:s.at])
	}
	s.open = s.at == end
}

// inside gives the offset up to which the document may reach: end, or that of
// the line that closes the innermost wrapper.
func (s *Stream) inside(end int) int {
	if len(s.wraps) == 0 {
		return end
	}
	for l := s.line(end); l.off < end; l = lineAt(s.text[:end], l.next, 0) {
		if s.wraps[len(s.wraps)-1].closes(l) {
			s.ended = true
			return l.off
		}
	}
	return end
}

// read gives the lines up to an offset to the grammar.
func (s *Stream) read(end int) {
	for s.at < end && s.line(end).blank() {
		s.pass(s.line(end))
	}
	if s.at == end {
		return
	}
	sc := &scanner{text: s.text[:end], at: s.at, num: s.num + 1, sections: s.sections, ops: s.ops}
	resumed := false
	if n := len(s.doc.Sections); n > 0 {
		bare := len(s.doc.Sections[n-1].Ops) == 0
		_, header := readHeader(trim(s.line(end).text[s.line(end).start():]))
		if header && bare || s.bodiless() {
			s.stop(s.at)
			return
		}
		if resumed = !header; resumed {
			sc.resume()
		}
	}
	tree, bad := parse(sc)
	s.sections, s.ops = sc.sections, sc.ops
	for i, sec := range tree.Sections {
		if i > 0 || !resumed {
			s.doc.Sections = append(s.doc.Sections, hashline.Section{Path: sec.Header.path, Tag: sec.Header.tag, Pos: position(sec.Pos)})
		}
		at := &s.doc.Sections[len(s.doc.Sections)-1]
		at.Ops = append(at.Ops, operations(sec.Ops, bad)...)
	}
	s.at, s.num = end, sc.num-1
	if bad != nil {
		if bad.Type != lexer.EOF {
			s.stop(bad.Pos.Offset)
			return
		}
		if o := pending(tree, bad); o != nil {
			at := &s.doc.Sections[len(s.doc.Sections)-1]
			at.Ops = append(at.Ops, o.operation())
		}
	}
	o := s.last()
	s.open = o != nil && !s.ended && o.Kind != hashline.Delete && o.Pos.Line+len(o.Body) == s.num
}

// afterwards reads what follows the document: lines that close wrappers.
func (s *Stream) afterwards(end int) {
	for s.at < end && !s.stopped {
		l := s.line(end)
		switch n := len(s.wraps); {
		case l.blank():
		case n > 0 && s.wraps[n-1].closes(l):
			s.wraps = s.wraps[:n-1]
		default:
			s.stop(l.off)
		}
		s.pass(l)
	}
}

// last is the last operation of the last section, nil where that has none.
func (s *Stream) last() *hashline.Op {
	n := len(s.doc.Sections)
	if n == 0 || len(s.doc.Sections[n-1].Ops) == 0 {
		return nil
	}
	ops := s.doc.Sections[n-1].Ops
	return &ops[len(ops)-1]
}

// bodiless reports whether the last operation lacks its rows.
func (s *Stream) bodiless() bool {
	o := s.last()
	return o != nil && o.Kind != hashline.Delete && o.Body == nil
}

// dropBodiless takes such an operation off.
func (s *Stream) dropBodiless() bool {
	if !s.bodiless() {
		return false
	}
	ops := &s.doc.Sections[len(s.doc.Sections)-1].Ops
	*ops = (*ops)[:len(*ops)-1]
	return true
}

// stop tells that the text is no document because of the line at an offset.
func (s *Stream) stop(at int) {
	s.stopped, s.to = true, lineEnd(s.text, at)
}

// explain finds the fault at which reading stopped. That wrappers are still open
// is none. It looks at nothing behind, so that what it says does not depend on
// the pieces.
func (s *Stream) explain() {
	_, err := Parse(s.text[:s.to])
	errors.As(err, &s.faults)
	if len(s.faults) > 1 {
		s.faults = slices.DeleteFunc(s.faults, func(d *hashline.Diagnostic) bool { return d.Code == hashline.Truncated })
	}
}

// begins reports whether the last line, which has no line end and a fault, may be
// the beginning of one that has none.
func (s *Stream) begins() bool {
	from := strings.LastIndexByte(s.text, '\n') + 1
	l := lineAt(s.text, from, 0)
	t := l.text[l.start():]
	switch {
	case t == "":
		return false
	case t[0] == '[':
		return !strings.Contains(t, "]")
	case opWord(t, 0) != "", len(t) < 3 && (strings.EqualFold(t, "PUT"[:len(t)]) || strings.EqualFold(t, "CUT"[:len(t)])):
		return true
	case len(s.wraps) > 0:
		w := s.wraps[len(s.wraps)-1]
		return strings.HasPrefix(endPatch, t) || w.mark != 0 && strings.Trim(t, string(w.mark)) == ""
	}
	return false
}
