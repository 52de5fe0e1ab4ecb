package grammar

import (
	"fmt"
	"strings"

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
		r.above = above{put: true, rows: true, end: r.at.num - 1}
	}
	return n
}

// runOf moves on behind the run of lines that look as l does, l included, and
// gives their number and the last of them. Blank lines inside the run do not end
// it, nor do the gaps of a view.
func (r *recovery) runOf(l line, looks look, where spot) (n int, last line) {
	for next := l; ; {
		n++
		last = next
		r.at = next.following()
		next = r.peek()
		if next.off == len(r.text) {
			return n, last
		}
		if got := lookAt(next, where, r.inside); got != looks && (looks != lookView || got != lookElision) {
			return n, last
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
func (r *recovery) badRows(l line, looks look, where spot) {
	n, bracket, last := 0, false, l
	for next := l; n == 0 || next.off < len(r.text) && lookAt(next, laterRow, r.inside) == looks; next = lineAt(r.text, r.at.off, r.at.num) {
		bracket = bracket || strings.HasPrefix(next.text[next.start():], "[")
		var more int
		more, last = r.runOf(next, looks, laterRow)
		n += more
		r.skipRows(r.at)
	}
	r.above = above{put: true, rows: true, end: r.at.num - 1}
	also := ""
	if n > 1 {
		also = fmt.Sprintf(", and %d more,", n-1)
	}
	switch looks {
	case lookMinus:
		r.add(hashline.MinusRow, l.pos(0), "a - row"+also+" as in a diff: "+quote(l.text), minusHint(l.text))
	case lookView:
		r.add(hashline.ViewRow, l.pos(l.start()), "a row"+also+" as the view shows it: "+quote(l.text), viewHint(l.text[l.start():], where))
	case lookIndented:
		r.add(hashline.MissingPlus, l.pos(0), "a body row"+also+" whose + is not the first character: "+quote(l.text), indentedHint(l))
	default:
		hint, g := plusHint(l, last, n, bracket)
		r.means(g.path, g.tag, l.pos(0))
		r.add(hashline.MissingPlus, l.pos(0), "a body row"+also+" without +: "+quote(l.text), hint)
	}
}

// strayRows explains "+" rows that no PUT is waiting for.
func (r *recovery) strayRows(l line) {
	put := r.above.put
	rows := r.skipRows(l)
	if !put {
		r.meansPlus(l, l.pos(0))
		r.add(hashline.RowWithoutPut, l.pos(0), plural(rows, "body row")+" under no PUT: "+quote(l.text), withoutPlus(l.text,
			"write the PUT the rows belong to above them, such as PUT N.=M: in the place of CUT N.=M, to replace the lines"))
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
