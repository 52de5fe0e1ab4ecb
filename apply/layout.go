package apply

import (
	"cmp"
	"slices"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// layout is where operations stand in a text.
type layout struct {
	t   *snapshot.Text
	ops []hashline.Op
	// order holds the indices of ops as their rows and spans stand in the file
	// from top to bottom.
	order []int
	// places belong to the operations with the same index.
	places         []place
	focus          focus
	structural     bool
	added, removed int
}

// place is what an operation does to the bytes: its rows take the place of
// data[from:to], which is empty for an insert.
type place struct {
	from, to int
	// term is the terminator of the line that an insert is anchored at, or of
	// the last line of a span; "" where that line has none.
	term string
	// same: the rows are the lines they replace.
	same bool
	// above and below report whether the line above and the line below a span
	// exist and stay.
	above, below bool
}

// sortOps orders operations by line and, at one line, as spec 6 says: inserts
// before it, what is done to the line itself, inserts after it; all else being
// equal, by the document. Rows for the end of the file come last.
func (l *layout) sortOps() {
	type entry struct{ key, index int }
	entries := make([]entry, len(l.ops))
	for i := range l.ops {
		o := &l.ops[i]
		key := o.Span.First * 4
		switch o.Kind {
		case hashline.InsertBefore:
		case hashline.InsertAfter:
			key += 2
		case hashline.Append:
			key = (l.t.Lines() + 2) * 4 // below PUT <1: of an empty file too
		default:
			key++
		}
		entries[i] = entry{key, i}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return cmp.Compare(a.index, b.index)
	})
	l.order = make([]int, len(entries))
	for i, e := range entries {
		l.order[i] = e.index
	}
}

// locate finds the bytes of each operation and counts lines. The operations
// have passed every check.
func (l *layout) locate() {
	l.places = make([]place, len(l.ops))
	l.focus = make(focus, 0, len(l.ops))
	at := newCursor(l.t)
	var before struct{ line, top int } // the row above those of PUT <line:
	cut := 0                           // the last line of the last CUT
	last := -1                         // the last operation with a span
	for _, i := range l.order {
		o, p := &l.ops[i], &l.places[i]
		n := o.Span.First
		switch o.Kind {
		case hashline.InsertBefore:
			p.from = at.start(n)
			p.to, p.term = p.from, termBefore(l.t, at.end())
			if before.line != n {
				before.line, before.top = n, l.row(n-1)
			}
			l.put(n-1, len(o.Body))
		case hashline.InsertAfter:
			p.from = at.start(n + 1)
			p.to, p.term = p.from, termBefore(l.t, p.from)
			l.put(n, len(o.Body))
			if cut == n {
				l.focus.add(l.row(n)+1, l.row(n)+1)
			}
		case hashline.Append:
			p.from = l.t.Size()
			p.to, p.term = p.from, termBefore(l.t, p.from)
			l.put(l.t.Lines(), len(o.Body))
		case hashline.Delete:
			l.span(at, i, last)
			last, cut = i, o.Span.Last
			top := l.row(n - 1)
			l.focus.add(top+1, top+1)
			if before.line == n {
				top = before.top
			}
			l.focus.add(top, top)
			l.removed += o.Span.Len()
		case hashline.Replace:
			l.span(at, i, last)
			last = i
			if p.same {
				l.focus.add(l.row(n-1)+1, l.row(n-1)+len(o.Body))
				break
			}
			l.put(n-1, len(o.Body))
			l.removed += o.Span.Len()
		}
	}
}

// span finds the bytes of a PUT or CUT with a span; last is the one before it
// in the file, or -1.
func (l *layout) span(at *cursor, i, last int) {
	o, p := &l.ops[i], &l.places[i]
	p.from = at.start(o.Span.First)
	p.to = at.start(o.Span.Last + 1)
	p.term = termBefore(l.t, p.to)
	p.same = o.Kind == hashline.Replace && o.Span.Len() == len(o.Body) && sameRows(l.t, p.from, p.to, o.Body)
	p.above, p.below = o.Span.First > 1, o.Span.Last < l.t.Lines()
	if last >= 0 && l.ops[last].Span.Last+1 == o.Span.First {
		p.above = l.places[last].same
		l.places[last].below = p.same
	}
	l.structural = l.structural || o.Span.Len() >= structuralSpan
}

// row is the number that original line n has in the new text, as far as it is
// known from the operations above: 0 for line 0, and for a line that is cut or
// replaced the row above its place.
func (l *layout) row(n int) int { return n + l.added - l.removed }

// put counts rows that a PUT writes below original line n.
func (l *layout) put(n, rows int) {
	l.focus.add(l.row(n)+1, l.row(n)+rows)
	l.added += rows
}

// newLines is how many lines the new text has.
func (l *layout) newLines() int { return l.t.Lines() + l.added - l.removed }

// firstChange gives the offset, the same in the old and the new text, up to
// which nothing changes, and whether anything does.
func (l *layout) firstChange() (offset int, changes bool) {
	for _, i := range l.order {
		if !l.places[i].same {
			return l.places[i].from, true
		}
	}
	return 0, false
}
