package apply

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// warnings gives the doubts of spec 7 about the rows, in document order. What
// already stood in the lines that an operation replaces is never doubted: it is
// no accident of this edit.
func (l *layout) warnings() (found hashline.Diagnostics) {
	warn := func(o *hashline.Op, k int, code hashline.Code, msg, hint string) {
		found = append(found, &hashline.Diagnostic{
			Code: code, Pos: o.RowPos(k), Msg: fmt.Sprintf("row %d of %s %s", k+1, o, msg), Hint: hint,
		})
	}
	for i := range l.ops {
		o := &l.ops[i]
		if l.places[i].same || o.Kind == hashline.Delete {
			continue
		}
		above, below := l.echoes(i)
		numbered, line := l.numberedRow(i)
		var old map[string]bool
		for k, row := range o.Body {
			if len(found) >= MaxFaults {
				return found[:MaxFaults]
			}
			switch {
			case k == 0 && above:
				warn(o, k, hashline.Echo, fmt.Sprintf("repeats line %d, the line above the span, which stays", o.Span.First-1), "a body holds only what takes the span's place")
			case k == len(o.Body)-1 && below:
				warn(o, k, hashline.Echo, fmt.Sprintf("repeats line %d, the line below the span, which stays", o.Span.Last+1), "a body holds only what takes the span's place")
			}
			if k == numbered {
				warn(o, k, hashline.NumberedRow, fmt.Sprintf("was written into the file with the number %d in front, as the view shows line %d", line, line),
					"a row is the line's text alone; if the number does not belong to the file, write the rows again without it")
			}
			op, left := looksLikeOp(row), saysLeftOut(row)
			if isPreview(row) {
				warn(o, k, hashline.Placeholder, "was written into the file as a search shortens a line, with … where it is cut", "read the line with read_file and write all of it")
				continue
			}
			if !op && !left {
				continue
			}
			if old == nil {
				old = l.doubtful(i)
			}
			switch {
			case old[row]:
			case op:
				warn(o, k, hashline.LooksLikeOp, "was written into the file, though it looks like an operation or a header", "operations and headers stand on lines of their own, without +")
			case left:
				warn(o, k, hashline.Placeholder, "was written into the file, though it only says that something was left out", "nothing is filled in for such a row; write the lines themselves, or leave them out of the span")
			}
		}
	}
	return found[:min(len(found), MaxFaults)]
}

// doubtful gives the lines that an operation replaces and that would be
// doubted as rows.
func (l *layout) doubtful(i int) map[string]bool {
	old := map[string]bool{}
	if o := &l.ops[i]; o.Kind == hashline.Replace {
		for shown := range l.t.ShownRows(o.Span.First, o.Span.Last) {
			if shown.More > 0 || len(shown.Head) > maxDoubt {
				continue
			}
			if row := string(shown.Head); looksLikeOp(row) || saysLeftOut(row) {
				old[row] = true
			}
		}
	}
	return old
}

// echoes reports whether the first row repeats the line above the span, and
// the last the line below. A line that another operation takes away is no
// reason, and neither is a repetition that was there before: the span's own
// first or last line being the same.
func (l *layout) echoes(i int) (above, below bool) {
	o, p := &l.ops[i], &l.places[i]
	if o.Kind != hashline.Replace {
		return false, false
	}
	first, last := o.Body[0], o.Body[len(o.Body)-1]
	if p.above && endsInRow(l.t, p.from, first) && hasWords(first) {
		above = !isRow(l.t, p.from, first)
	}
	if p.below && hasWords(last) {
		below = isRow(l.t, p.to, last) && !endsInRow(l.t, p.to, last)
	}
	return above, below
}

// endsInRow reports whether the line that ends at an offset, and has a
// terminator, is row. It costs no more than the row is long.
func endsInRow(t *snapshot.Text, at int, row string) bool {
	text := t.Slice(max(t.Mark(), at-len(row)-len("\n\r\n")), at)
	text = text[:len(text)-1]
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	n := len(text) - len(row)
	return n >= 0 && string(text[n:]) == row && (n == 0 || text[n-1] == '\n')
}

// hasWords reports whether a row is more than blanks and punctuation.
func hasWords(row string) bool {
	return strings.ContainsFunc(row, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}
