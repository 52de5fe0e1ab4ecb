package grammar

import (
	"fmt"

	"github.com/hashline-go/hashline/hashline"
)

// skipRows moves on behind the "+" rows that begin at l: they belong to what
// was explained.
func (r *recovery) skipRows(l line) (n int) {
	r.at = l
	for r.at.off < len(r.text) && r.text[r.at.off] == '+' {
		r.at = lineAt(r.text, r.at.off, r.at.num).following()
		n++
	}
	if n > 0 {
		r.above = above{put: true, end: r.at.num - 1}
	}
	return n
}

// runOf moves on behind the run of lines that look as l does, l included, and
// gives their number. Blank lines inside the run do not end it, nor do the gaps
// of a view.
func (r *recovery) runOf(l line, looks look, inBody bool) (n int) {
	for next := l; ; {
		n++
		r.at = next.following()
		next = r.peek()
		if next.off == len(r.text) {
			return n
		}
		if got := lookAt(next, inBody, r.inside); got != looks && (looks != lookView || got != lookElision) {
			return n
		}
	}
}

// peek gives the next line that is not blank, or the end.
func (r *recovery) peek() line {
	for at := r.at; at.off < len(r.text); {
		l := lineAt(r.text, at.off, at.num)
		if !l.blank() {
			return l
		}
		at = l.following()
	}
	return line{off: len(r.text)}
}

// badRows explains the lines that should be rows of a body and look as the first
// of them does. Those of one body are one fault, also with "+" rows between.
func (r *recovery) badRows(l line, looks look) {
	n, inBody := 0, r.above.put
	for next := l; next.off < len(r.text) && lookAt(next, true, r.inside) == looks; next = lineAt(r.text, r.at.off, r.at.num) {
		n += r.runOf(next, looks, true)
		r.skipRows(r.at)
	}
	r.above = above{put: true, end: r.at.num - 1}
	also := ""
	if n > 1 {
		also = fmt.Sprintf(", and %d more,", n-1)
	}
	text := l.text[l.start():]
	switch looks {
	case lookMinus:
		r.add(hashline.MinusRow, l.pos(0), "a - row"+also+" as in a diff: "+quote(l.text),
			"leave - rows out: the span already names the lines that go, PUT N.=M: replaces and CUT N.=M deletes them")
	case lookView:
		hint := "write the row's text alone, with + in the place of the number: " + excerpt(viewRow(text))
		switch {
		case viewRow(text) == "":
			hint = "leave the view's footer out"
		case !inBody:
			hint = "write PUT " + excerpt(text[:digits(text, 0)]) + ": and below it the row's text alone: " + excerpt(viewRow(text))
		}
		r.add(hashline.ViewRow, l.pos(l.start()), "a row"+also+" as the view shows it: "+quote(l.text), hint)
	case lookIndented:
		r.add(hashline.MissingPlus, l.pos(0), "a body row"+also+" whose + is not the first character: "+quote(l.text),
			"write + in column 1 and the row's own blanks after it: +"+excerpt(l.text[:l.start()]+text[1:]))
	default:
		r.add(hashline.MissingPlus, l.pos(0), "a body row"+also+" without +: "+quote(l.text),
			"write + before every row: +"+excerpt(l.text))
	}
}

// strayRows explains "+" rows that no PUT is waiting for.
func (r *recovery) strayRows(l line) {
	put := r.above.put
	rows := r.skipRows(l)
	if !put {
		r.add(hashline.RowWithoutPut, l.pos(0), plural(rows, "body row")+" under no PUT: "+quote(l.text),
			"write the PUT the rows belong to above them, such as PUT N.=M: in the place of CUT N.=M, to replace the lines")
		return
	}
	more := 0
	for next := r.peek(); next.off < len(r.text) && next.text != "" && next.text[0] == '+'; next = r.peek() {
		more++
		r.skipRows(next)
	}
	msg := "a blank line before the body row " + quote(l.text)
	if more > 0 {
		msg += fmt.Sprintf(", and %s more in this body", plural(more, "time"))
	}
	r.add(hashline.BlankBeforeRow, l.pos(0), msg, "write a lone + where the row is blank, or leave the blank line out")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
