package card

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hashline-go/hashline/snapshot"
)

// maxRows is how many rows of an operation are shown, as many as of an edit
// (spec 4).
const maxRows = 40

// Rows are the rows of an operation as they are shown, each clipped as in a view
// (spec 4).
type Rows struct {
	// Removed and Added are the first lines that go and the first rows that
	// come, without numbers.
	Removed, Added []string
	// MoreRemoved and MoreAdded count those that are not shown.
	MoreRemoved, MoreAdded int
}

// Rows gives at most limit rows of an operation of the section, half of them for
// each kind where both have more.
func (s *Section) Rows(i, limit int) Rows {
	o := &s.Ops[i]
	removed, added := s.removed(i), len(o.Body)
	minus := min(removed, max(limit/2, limit-added))
	plus := min(added, limit-minus)
	r := Rows{MoreRemoved: removed - minus, MoreAdded: added - plus}
	for _, line := range s.Removed(i) {
		if len(r.Removed) == minus {
			break
		}
		text, _ := snapshot.Clip(line)
		r.Removed = append(r.Removed, text)
	}
	for _, row := range o.Body[:plus] {
		r.Added = append(r.Added, clip(row))
	}
	return r
}

// clip is [snapshot.Clip] for a row, of which only what can be shown is copied.
func clip(row string) string {
	if len(row) <= 2000 {
		return row
	}
	text, _ := snapshot.Clip([]byte(row))
	return text
}

// rows prints the rows of an operation, whole ones within a number of bytes.
// partial is the beginning of one more row, with its "+", of which most bytes
// are printed.
func (s *Section) rows(i int, partial string, most, bytes int) string {
	if s.unchanged[i] {
		return ""
	}
	r := s.Rows(i, maxRows)
	var b strings.Builder
	left := r.MoreRemoved + r.MoreAdded
	put := func(sign string, number int, row string) {
		line := sign
		if number > 0 {
			line += strconv.Itoa(number) + ":"
		}
		if line += row + "\n"; left > r.MoreRemoved+r.MoreAdded || b.Len()+len(line) > bytes {
			left++
			return
		}
		b.WriteString(line)
	}
	for k, row := range r.Removed {
		put("-", s.Ops[i].Span.First+k, row)
	}
	first := s.FirstAdded(i)
	number := func(k int) int {
		if first == 0 {
			return 0
		}
		return first + k
	}
	for k, row := range r.Added {
		put("+", number(k), row)
	}
	if left > 0 {
		fmt.Fprintf(&b, "… +%d more row(s)\n", left)
	}
	if partial != "" {
		b.WriteString("+")
		if n := number(len(s.Ops[i].Body)); n > 0 {
			b.WriteString(strconv.Itoa(n) + ":")
		}
		b.WriteString(cut(partial[1:], most) + "\n")
	}
	return b.String()
}

// arriving prints what may still change.
func (p *Printer) arriving(c *Card) string {
	if c.closed || p.hidden || p.full() {
		return ""
	}
	partial, text := c.Arriving(), ""
	if n := len(c.sections); n > 0 && p.walk.op < len(c.sections[n-1].Ops) {
		s := c.sections[n-1]
		row := ""
		if strings.HasPrefix(partial, "+") && s.open {
			row, partial = partial, ""
		}
		text = s.Summary(p.walk.op) + " …\n" + s.rows(p.walk.op, row, p.room/2, max(p.limit-2*p.room-p.used, 0))
	}
	if partial != "" {
		text += "… " + cut(partial, p.room/2) + "\n"
	}
	if faults := c.Faults(); len(faults) > 0 {
		text += "\nnot verified: " + cut(faults[0].Error(), p.room/2) + "\n"
	}
	return text
}
