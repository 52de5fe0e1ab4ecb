package ledger_test

import (
	"slices"
	"strings"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// The model: what the contract says, from the full history of a file, line by
// line and each time anew. It shares no code with the package. Lines are known
// by numbers of their own, so that nothing needs to be compared or guessed.

// modelLine is one line of a file for as long as it stands in it.
type modelLine struct {
	id   int
	text string
}

func textOf(lines []modelLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// event is a view or a change of a file, as a session learned of it.
type event struct {
	// A view shows rows of now under a tag; counts is false for previews.
	view   bool
	tag    hashline.Tag
	rows   []int
	counts bool
	offers []ledger.Offer // operations on now that it spells out
	// A change, by the session itself or not, led from before to now.
	own    bool
	before []modelLine
	now    []modelLine
}

// model is the history of one file in one session.
type model []event

// known is the text that the session last saw live.
func (m model) known() []modelLine { return m[len(m)-1].now }

func place(lines []modelLine, id int) int {
	return slices.IndexFunc(lines, func(l modelLine) bool { return l.id == id }) + 1
}

// underTag gives the rows shown under a tag and the text they were shown of, the
// last that it stood for.
func (m model) underTag(tag hashline.Tag) (rows map[int]bool, text []modelLine, ok bool) {
	rows = map[int]bool{}
	for _, e := range m {
		if !e.view || e.tag != tag {
			continue
		}
		if !ok || textOf(text) != textOf(e.now) {
			clear(rows)
		}
		text, ok = e.now, true
		for _, n := range e.rows {
			rows[n] = true
		}
	}
	return rows, text, ok
}

// lastNumber gives the number that a line was last shown under, 0 where it never
// was.
func (m model) lastNumber(id int) int {
	for _, e := range slices.Backward(m) {
		if n := place(e.now, id); e.view && slices.Contains(e.rows, n) {
			return n
		}
	}
	return 0
}

// answer is what the model says of a line of the live text.
type answer int

const (
	never answer = iota // shown
	good
	wrong // it was shown, and has moved since
)

// line judges line n of the text that the session knows to be live.
func (m model) line(n int, tag hashline.Tag) answer {
	if rows, text, _ := m.underTag(tag); rows[n] && textOf(text) == textOf(m.known()) {
		return good
	}
	id := m.known()[n-1].id
	a := never
	for _, e := range m {
		if e.view {
			if slices.Contains(e.rows, place(e.now, id)) {
				a = good
			}
			continue
		}
		if a == good && place(e.before, id) != place(e.now, id) {
			a = wrong
		}
	}
	return a
}

// lastUnder gives the line that a number last stood for in a view.
func (m model) lastUnder(n int, countsOnly bool) (l modelLine, ok bool) {
	for _, e := range m {
		if e.view && (e.counts || !countsOnly) && slices.Contains(e.rows, n) {
			l, ok = e.now[n-1], true
		}
	}
	return l, ok
}

// sinceShown reports whether the text was changed since a view that counts showed
// a row with the number, or none did, or the row is gone.
func (m model) sinceShown(n int) bool {
	l, shown := m.lastUnder(n, true)
	if !shown || place(m.known(), l.id) == 0 {
		return true
	}
	changed := false
	for _, e := range m {
		changed = !e.view || changed && !(e.counts && slices.Contains(e.rows, n))
	}
	return changed
}

// byOwnHand reports whether a line that is gone was taken away by the session
// itself.
func (m model) byOwnHand(id int) bool {
	for _, e := range m {
		if !e.view && place(e.before, id) > 0 && place(e.now, id) == 0 {
			return e.own
		}
	}
	return false
}

// strange reports whether a line came with a change by others.
func (m model) strange(id int) bool {
	for _, e := range m {
		if !e.view && place(e.before, id) == 0 && place(e.now, id) > 0 {
			return !e.own
		}
	}
	return false
}

// whenLive gives the history up to where a text was last live before it was
// replaced.
func (m model) whenLive(text []modelLine) model {
	for i := len(m) - 1; i >= 0; i-- {
		if !m[i].view && textOf(m[i].before) == textOf(text) && textOf(m[i].now) != textOf(text) {
			return m[:i]
		}
	}
	return nil
}

// refused reports whether a line under a tag would have been refused as moved,
// were its number the only thing to go by.
func (m model) refused(n int, tag hashline.Tag) bool {
	switch m.line(n, tag) {
	case good:
		return false
	case wrong:
		return true
	}
	l, shown := m.lastUnder(n, false)
	return shown && !m.byOwnHand(l.id)
}

// offered reports whether a view spelt out an operation on the text that a tag
// stands for, with a line that it touches.
func (m model) offered(o hashline.Op, n int, tag hashline.Tag) bool {
	_, text, _ := m.underTag(tag)
	for _, e := range m {
		for _, f := range e.offers {
			if e.tag == tag && textOf(e.now) == textOf(text) && f.Kind == o.Kind && f.Span == o.Span && f.Lines.Contains(n) {
				return true
			}
		}
	}
	return false
}
