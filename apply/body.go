package apply

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

const bom = "\uFEFF"

const reallyMeant = "; if it is really meant, use write with expect"

// bodies is step 8 of spec 6. A row has one fault at most.
func (l *layout) bodies() (faults hashline.Diagnostics) {
	clipped := clippedLines(l.t, l.ops)
	top := l.topRow()
	for i := range l.ops {
		o := &l.ops[i]
		for k, row := range o.Body {
			d := pastedRow(l.t, o, row)
			if d == nil {
				d = clipped.fault(row)
			}
			if d == nil {
				d = badRow(row, top.op == i && top.row == k)
			}
			if d == nil {
				continue
			}
			d.Pos = o.RowPos(k)
			d.Msg = fmt.Sprintf("row %d of %s %s", k+1, o, d.Msg)
			if faults = append(faults, d); len(faults) == MaxFaults {
				return faults
			}
		}
		if top.op == i && o.Kind == hashline.Delete && l.markAt(top.line) {
			faults = append(faults, &hashline.Diagnostic{
				Code: hashline.BadBody, Pos: o.Pos,
				Msg:  fmt.Sprintf("%s brings line %d to the top of the file, and its first character, U+FEFF, would become a byte-order mark there", o, top.line),
				Hint: fmt.Sprintf("replace line %d by a row without that character", top.line) + reallyMeant,
			})
			if len(faults) == MaxFaults {
				return faults
			}
		}
	}
	return faults
}

// badRow finds what cannot stand in a line of a text file; top says that the
// row will be the first of a file which does not begin so yet.
func badRow(row string, top bool) *hashline.Diagnostic {
	msg, hint := "", "take it out of the row"
	switch {
	case strings.IndexByte(row, 0) >= 0:
		msg, hint = "holds a NUL, which no text file has", "take it out of the row; only another tool can write it"
	case strings.IndexByte(row, '\n') >= 0:
		msg, hint = "holds a line break", "write one row for each line"
	case strings.HasSuffix(row, "\r"):
		msg = "ends in a carriage return, which would become part of the line end"
		hint += reallyMeant
	case !utf8.ValidString(row):
		msg, hint = "is not valid UTF-8", "write the row as UTF-8"
	case top && strings.HasPrefix(row, bom):
		msg = "begins with U+FEFF, which would become a byte-order mark at the top of the file"
		hint += reallyMeant
	default:
		return nil
	}
	return &hashline.Diagnostic{Code: hashline.BadBody, Msg: msg, Hint: hint}
}

// pastedRow finds a row of the view, number included, of a line that the
// operation replaces.
func pastedRow(t *snapshot.Text, o *hashline.Op, row string) *hashline.Diagnostic {
	if o.Kind != hashline.Replace {
		return nil
	}
	n, text, ok := hashline.ParseRow(row)
	if !ok || !o.Span.Contains(n) {
		return nil
	}
	if !isRow(t, t.Start(n), text) {
		return nil
	}
	return &hashline.Diagnostic{
		Code: hashline.PastedRow,
		Msg:  fmt.Sprintf("is line %d as the view shows it, with its number", n),
		Hint: "write the line's text without the number and the colon" + reallyMeant,
	}
}

// topRow is what the new text begins with.
type topRow struct {
	// op is the operation that decides it, -1 where that is none or the text
	// begins with U+FEFF already, so that no edit makes it worse.
	op int
	// row counts the rows of that PUT from 0; behind a CUT, line is the
	// original line that comes to the top.
	row, line int
}

func (l *layout) topRow() topRow {
	top := topRow{op: -1, line: 1}
	if l.markAt(1) {
		return top
	}
	for _, i := range l.order {
		o := &l.ops[i]
		switch {
		// The place where an operation's rows go is above the line that
		// would be the first.
		case o.Kind == hashline.Append && top.line <= l.t.Lines(),
			o.Kind == hashline.InsertAfter && o.Span.First >= top.line,
			o.Kind != hashline.Append && o.Span.First > top.line:
			return top
		case o.Kind == hashline.Delete:
			top.op, top.line = i, o.Span.Last+1
		default:
			return topRow{op: i}
		}
	}
	return top
}

// markAt reports whether an original line begins with U+FEFF.
func (l *layout) markAt(line int) bool {
	if line > l.t.Lines() {
		return false
	}
	at := l.t.Start(line)
	return string(l.t.Slice(at, min(at+len(bom), l.t.Size()))) == bom
}
