package apply

import (
	"bytes"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// splice makes the new bytes in memory of exactly their size.
func (l *layout) splice() []byte {
	count := &sink{t: l.t}
	l.write(count)
	s := &sink{t: l.t, out: make([]byte, 0, count.size)}
	l.write(s)
	return s.out
}

func (l *layout) write(s *sink) {
	data := l.t.Bytes()
	// The mark stands in front of the text whatever happens to line 1.
	s.bytes(data[:l.t.Mark()])
	at := l.t.Mark()
	for _, i := range l.order {
		o, p := &l.ops[i], &l.places[i]
		if p.same {
			continue
		}
		s.keep(data[at:p.from])
		at = p.to
		if o.Kind != hashline.Replace {
			for _, row := range o.Body {
				s.row(row, p.term)
			}
			continue
		}
		old, left := data[p.from:p.to], o.Span.Len()
		for _, row := range o.Body {
			// The k-th row ends as the k-th line did; the last line, and all
			// rows from there on, as the span does.
			term := p.term
			if left > 1 {
				var size int
				term, size = nextTerm(old)
				old, left = old[size:], left-1
			}
			s.row(row, term)
		}
	}
	s.keep(data[at:])
	s.end()
}

// sink takes the new text piece by piece. Without out it only counts bytes.
// What ends a line is held back until it is known whether the text ends there.
type sink struct {
	t    *snapshot.Text
	out  []byte
	size int
	// open: what was written last is a line of the original without a
	// terminator.
	open bool
	// due is the terminator of the row that was written last, "" after kept
	// lines; blank says that this row is empty.
	due   string
	blank bool
}

func (s *sink) bytes(b []byte) {
	s.size += len(b)
	if s.out != nil {
		s.out = append(s.out, b...)
	}
}

func (s *sink) string(b string) {
	s.size += len(b)
	if s.out != nil {
		s.out = append(s.out, b...)
	}
}

// keep takes whole lines of the original.
func (s *sink) keep(lines []byte) {
	if len(lines) == 0 {
		return
	}
	s.string(s.due)
	s.due = ""
	s.bytes(lines)
	s.open = !bytes.HasSuffix(lines, []byte{'\n'})
}

// row takes one new row with the terminator it gets from its place, "" where
// that has none and the file's commonest is to be used.
func (s *sink) row(row, term string) {
	if s.open {
		s.string(s.t.CommonTerminator())
		s.open = false
	}
	s.string(s.due)
	if s.due = term; term == "" {
		s.due = s.t.CommonTerminator()
	}
	s.blank = row == ""
	s.string(row)
}

// end closes the text: a last row that is new ends as the file ended, except
// that a blank one would not be a row without its terminator (spec 2).
func (s *sink) end() {
	if s.t.Lines() == 0 || s.t.Terminated() || s.blank {
		s.string(s.due)
	}
	s.due = ""
}
