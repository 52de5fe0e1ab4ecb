package workspace_test

import (
	"slices"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// standing is what the agent knows of a line that an edit touches.
type standing int

const (
	// good: the line is shown under the tag, or unmoved.
	known standing = iota
	// unseen: it was never shown, nor could its number be another row's.
	unseen
	// wrong: the number is that of a row which is elsewhere or gone now.
	wrong
	// unclear: others changed the file, and from the texts alone it cannot be
	// told which line became which.
	unclear
)

// knows says how line n of the live text stands under a tag, from the
// identities of lines and the history of all texts: "Each touched line must be
// shown under T, or be unmoved: no edit and no outside change since it was last
// shown has changed how many lines stand before it, and its text is the one last
// shown. A line never shown at all is for require_seen to decide. Otherwise
// moved_line" (spec 9).
func (f *mfile) knows(n int, tag string) standing {
	k := f.knowsHeld(n, tag)
	if f.held || k == wrong || len(f.rows) == 0 {
		return k
	}
	// Where the session does not hold the text that others changed, any line may
	// be any row that was shown before, for all that it knows.
	line := f.live()[n-1]
	shown, ever := f.rows[line.id]
	s, ok := f.tags[tag]
	switch {
	case ok && f.same(s) && f.under[tag][n], ever && f.ownSince(shown.state):
		return k
	case !f.ownSince(f.since):
		return unclear
	}
	return k
}

// knowsHeld is knows for a session that holds all texts.
func (f *mfile) knowsHeld(n int, tag string) standing {
	line := f.live()[n-1]
	if s, ok := f.tags[tag]; ok && f.same(s) && f.under[tag][n] {
		return known
	}
	shown, ever := f.rows[line.id]
	if ever {
		switch stays := shown.n == n && f.stays(shown); {
		case stays && f.ambiguous(shown):
			return unclear
		case stays:
			return known
		}
		if f.ownSince(shown.state) {
			return wrong
		}
	}
	was, ok := f.numbers[n]
	switch {
	case !ever && f.likeShown(line):
		return unclear
	case !ok && ever:
		return unclear
	case !ok:
		return unseen
	case f.ownSince(was.state) && f.at(was.id) > 0:
		return wrong
	case f.ownSince(was.state) && !ever:
		return unseen // the session itself changed or removed the row
	case f.ownSince(was.state):
		return unclear
	case bare(was.text) == bare(line.text):
		return unclear
	case f.at(was.id) == 0 && f.anyOwnSince(was.state):
		return unclear
	case f.anyOwnSince(was.state) && f.ambiguous(was):
		return unclear
	}
	return wrong
}

// stays reports whether a line stood at its number, with its text, in every
// state since it was shown.
func (f *mfile) stays(s mshow) bool {
	for _, st := range f.states[s.state:] {
		if len(st.lines) < s.n || st.lines[s.n-1].id != s.id || bare(st.lines[s.n-1].text) != bare(s.text) {
			return false
		}
	}
	return true
}

// ownSince reports whether only the session changed the file since a state.
func (f *mfile) ownSince(state int) bool {
	return !slices.ContainsFunc(f.states[state+1:], func(s mstate) bool { return !s.own })
}

func (f *mfile) anyOwnSince(state int) bool {
	return slices.ContainsFunc(f.states[state+1:], func(s mstate) bool { return s.own || s.undo })
}

// likeShown reports whether a line that was never shown is equal to one that
// was, and others changed the file since: it can be taken for that one.
func (f *mfile) likeShown(line mline) bool {
	for _, s := range f.rows {
		if bare(s.text) == bare(line.text) && !f.ownSince(s.state) {
			return true
		}
	}
	return false
}

// ambiguous reports whether, since a line was shown, others changed the file so
// that from the texts alone another line can be taken for it, or it for a new
// one: it was changed meanwhile, it has an equal, or lines that are equal stand on
// either side of it.
func (f *mfile) ambiguous(s mshow) bool {
	return !f.ownSince(s.state) && (f.twice(s) || f.crossed(s))
}

func (f *mfile) crossed(s mshow) bool {
	index := func(lines []mline) int {
		return slices.IndexFunc(lines, func(x mline) bool { return x.id == s.id })
	}
	for i := s.state + 1; i < len(f.states); i++ {
		old, now := f.states[i-1].lines, f.states[i].lines
		a, b := index(old), index(now)
		if f.states[i].own {
			continue
		}
		if a < 0 || b < 0 || bare(old[a].text) != bare(now[b].text) {
			return true
		}
		for k, x := range old {
			for j, y := range now {
				if (k < a) != (j < b) && k != a && j != b && bare(x.text) == bare(y.text) {
					return true
				}
			}
		}
	}
	return false
}

// twice reports whether the text of a row stood more than once in the file
// since.
func (f *mfile) twice(s mshow) bool {
	for _, st := range f.states[s.state:] {
		n := 0
		for _, l := range st.lines {
			if bare(l.text) == bare(s.text) {
				n++
			}
		}
		if n > 1 {
			return true
		}
	}
	return false
}

// reason is why a tag is stale, "" where it is not.
func (f *mfile) reason(tag, live string) ledger.Reason {
	s, shown := f.tags[tag]
	switch {
	case tag == live && shown && !f.same(s):
		return ledger.Collision
	case tag == live:
		return ""
	case len(f.tags) == 0:
		return ledger.Unread
	case !shown:
		return ledger.UnknownTag
	}
	return ledger.Stale
}

// canCorrect maps operations on an old text to the live one by the rule of spec
// 9, taken literally: "Each anchored line and all lines of a span are unchanged,
// and the line with its two neighbours (or the file's edge) stands exactly once
// in the old and once in the new text; for >$ the last three lines are
// unchanged."
func canCorrect(ops []hashline.Op, old, now []string) ([]hashline.Op, bool) {
	context := func(text []string, n int) [5]string {
		c := [5]string{1: text[n-1]}
		if n > 1 {
			c[0], c[3] = text[n-2], "above"
		}
		if n < len(text) {
			c[2], c[4] = text[n], "below"
		}
		return c
	}
	once := func(text []string, want [5]string) (at int) {
		for n := 1; n <= len(text); n++ {
			if context(text, n) == want {
				if at > 0 {
					return 0
				}
				at = n
			}
		}
		return at
	}
	out := slices.Clone(ops)
	for i, o := range ops {
		if o.Kind == hashline.Append {
			const edge = "\x00"
			a := append([]string{edge, edge, edge}, old...)
			b := append([]string{edge, edge, edge}, now...)
			if !slices.Equal(a[len(a)-3:], b[len(b)-3:]) {
				return nil, false
			}
			continue
		}
		if o.Span.First < 1 || o.Span.Last > len(old) {
			return nil, false
		}
		var to [2]int
		for k, n := range [2]int{o.Span.First, o.Span.Last} {
			c := context(old, n)
			if once(old, c) == 0 {
				return nil, false
			}
			if to[k] = once(now, c); to[k] == 0 {
				return nil, false
			}
		}
		if to[1]-to[0] != o.Span.Last-o.Span.First || !slices.Equal(old[o.Span.First-1:o.Span.Last], now[to[0]-1:to[1]]) {
			return nil, false
		}
		out[i].Span = hashline.Span{First: to[0], Last: to[1]}
	}
	return out, true
}

func bareTexts(lines []mline) []string {
	out := texts(lines)
	for i := range out {
		out[i] = bare(out[i])
	}
	return out
}
