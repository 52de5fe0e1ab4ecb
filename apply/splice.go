package apply

import (
	"bytes"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// splice makes the new bytes in memory of exactly their size. What stays is
// copied as spans, once.
func (l *layout) splice() []byte {
	size := 0
	for i := range l.ops {
		for _, row := range l.ops[i].Body {
			size += len(row) + len("\r\n")
		}
	}
	p := &pieces{
		t:    l.t,
		rows: make([]byte, 0, size+len("\r\n")),
		list: make([][]byte, 0, 2*len(l.ops)+2),
	}
	l.write(p)
	// Join does not clear the memory that it fills, as make would.
	return bytes.Join(p.list, nil)
}

func (l *layout) write(p *pieces) {
	data := l.t.Bytes()
	// The mark stands in front of the text whatever happens to line 1.
	p.list = append(p.list, data[:l.t.Mark()])
	at := l.t.Mark()
	for _, i := range l.order {
		o, pl := &l.ops[i], &l.places[i]
		if pl.same {
			continue
		}
		p.keep(at, pl.from)
		at = pl.to
		if o.Kind != hashline.Replace {
			for _, row := range o.Body {
				p.row(row, pl.term)
			}
			continue
		}
		old, left := data[pl.from:pl.to], o.Span.Len()
		for _, row := range o.Body {
			// The k-th row ends as the k-th line did; the last line, and all
			// rows from there on, as the span does.
			term := pl.term
			if left > 1 {
				var size int
				term, size = nextTerm(old)
				old, left = old[size:], left-1
			}
			p.row(row, term)
		}
	}
	p.keep(at, len(data))
	p.end()
}

// pieces is the new text as spans of the original and of the new rows. What
// ends a line is held back until it is known whether the text ends there.
type pieces struct {
	t    *snapshot.Text
	list [][]byte
	// rows holds all new rows; those from began on are not in the list yet.
	rows  []byte
	began int
	// open: what was written last is a line of the original without a
	// terminator.
	open bool
	// due is the terminator of the row that was written last, "" after kept
	// lines; blank says that this row is empty.
	due   string
	blank bool
}

// keep takes whole lines of the original, from one offset to another.
func (p *pieces) keep(from, to int) {
	if from == to {
		return
	}
	p.flush()
	p.list = append(p.list, p.t.Bytes()[from:to])
	p.open = to == len(p.t.Bytes()) && !p.t.Terminated()
}

// row takes one new row with the terminator it gets from its place, "" where
// that has none and the file's commonest is to be used.
func (p *pieces) row(row, term string) {
	if p.open {
		p.rows = append(p.rows, p.t.CommonTerminator()...)
		p.open = false
	}
	p.rows = append(append(p.rows, p.due...), row...)
	if p.due = term; term == "" {
		p.due = p.t.CommonTerminator()
	}
	p.blank = row == ""
}

// flush ends the last row and puts the rows gathered into the list.
func (p *pieces) flush() {
	p.rows = append(p.rows, p.due...)
	p.due = ""
	if p.began < len(p.rows) {
		p.list = append(p.list, p.rows[p.began:])
		p.began = len(p.rows)
	}
}

// end closes the text: a last row that is new ends as the file ended, except
// that a blank one would not be a row without its terminator (spec 2).
func (p *pieces) end() {
	if p.t.Lines() > 0 && !p.t.Terminated() && !p.blank {
		p.due = ""
	}
	p.flush()
}
