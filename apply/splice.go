package apply

import (
	"bytes"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// splice gives what the new text is made of. What stays stays in as few parts as
// there can be.
func (l *layout) splice() []snapshot.Part {
	size := 0
	for i := range l.ops {
		for _, row := range l.ops[i].Body {
			size += len(row) + len("\r\n")
		}
	}
	p := &pieces{
		t: l.t,
		// Its memory is shared with the parts and must not move.
		rows: make([]byte, 0, size+len("\r\n")*(len(l.ops)+1)),
		list: make([]snapshot.Part, 0, 2*len(l.ops)+2),
	}
	l.write(p)
	return p.list
}

// join makes the new bytes in memory of exactly their size.
func join(t *snapshot.Text, parts []snapshot.Part) []byte {
	// One more than there are: of a single one Join makes a copy with room.
	list := make([][]byte, len(parts)+1)
	for i, p := range parts {
		if list[i] = p.Data; p.Data == nil {
			list[i] = t.Bytes()[p.From:p.To]
		}
	}
	// Join does not clear the memory that it fills, as make would.
	return bytes.Join(list, nil)
}

// differ reports whether the parts of a text that is not in memory make another
// text.
func differ(t *snapshot.Text, parts []snapshot.Part) bool {
	at := 0
	for _, p := range parts {
		n := p.Len()
		if at+n > t.Size() {
			return true
		}
		for done := 0; done < n && (p.Data != nil || p.From != at); {
			k := min(n-done, snapshot.PageSize)
			old := t.Slice(at+done, at+done+k)
			if p.Data != nil && !bytes.Equal(old, p.Data[done:done+k]) ||
				p.Data == nil && !bytes.Equal(old, t.Slice(p.From+done, p.From+done+k)) {
				return true
			}
			done += k
		}
		at += n
	}
	return at != t.Size()
}

func (l *layout) write(p *pieces) {
	// The mark stands in front of the text whatever happens to line 1.
	if l.t.Mark() > 0 {
		p.list = append(p.list, snapshot.Part{To: l.t.Mark()})
	}
	at, line := l.t.Mark(), 1
	below := newCursor(l.t)
	for _, i := range l.order {
		o, pl := &l.ops[i], &l.places[i]
		if pl.same {
			continue
		}
		upTo, next := o.Span.First, o.Span.First
		switch o.Kind {
		case hashline.InsertAfter:
			upTo, next = upTo+1, next+1
		case hashline.Append:
			upTo, next = l.t.Lines()+1, l.t.Lines()+1
		case hashline.Delete, hashline.Replace:
			next = o.Span.Last + 1
		}
		p.keep(at, pl.from, line, upTo)
		at, line = pl.to, next
		if o.Kind != hashline.Replace {
			for _, row := range o.Body {
				p.row(row, pl.term)
			}
			continue
		}
		for k, row := range o.Body {
			// The k-th row ends as the k-th line did; the last line, and all
			// rows from there on, as the span does.
			term := pl.term
			if k+1 < o.Span.Len() {
				term = termBefore(l.t, below.start(o.Span.First+k+1))
			}
			p.row(row, term)
		}
	}
	p.keep(at, l.t.Size(), line, l.t.Lines()+1)
	p.end()
}

// pieces is the new text as spans of the original and of the new rows. What
// ends a line is held back until it is known whether the text ends there.
type pieces struct {
	t    *snapshot.Text
	list []snapshot.Part
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

// keep takes whole lines of the original, from one offset to another: those from
// one number up to another.
func (p *pieces) keep(from, to, first, next int) {
	if from == to {
		return
	}
	p.flush()
	p.open = to == p.t.Size() && !p.t.Terminated()
	kept := snapshot.Part{From: from, To: to, Above: first - 1, Ends: next - first}
	if p.open {
		kept.Ends--
	}
	p.list = append(p.list, kept)
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
		p.list = append(p.list, snapshot.Part{Data: p.rows[p.began:len(p.rows):len(p.rows)]})
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
