package ledger

import (
	"path"
	"slices"

	"github.com/hashline-go/hashline/hashline"
)

// Correct gives the document that means in the live texts what a refused one
// meant in older ones, where that can be told without a guess (spec 9). live
// holds the files of the sections in order. ok is false unless every
// section is fit as it is or can be corrected, and one of them is corrected.
//
// It is for documents all of whose faults are stale_tag with the reason stale.
// Of each stale section every anchored line and all lines of each span must be
// unchanged; each anchored line together with the lines before and after it, or
// the edge of the file, must stand exactly once in the old and once in the live
// text, and there where [Ledger.Locate] says that the line is; for PUT >$ the last three lines must be unchanged. A section whose lines
// would have been moved_line when its tag was live, or are under a live one, is
// never corrected.
//
// The corrected document shares the bodies of the given one. Whether its rows
// are fit for their new places is not decided here. When it is shown to the
// agent, tell [Ledger.Offered] its operations.
func (l *Ledger) Correct(doc *hashline.Document, live []Live) (corrected *hashline.Document, ok bool) {
	if len(live) != len(doc.Sections) {
		return nil, false
	}
	out := &hashline.Document{Sections: slices.Clone(doc.Sections)}
	stale := false
	for i := range out.Sections {
		s := &out.Sections[i]
		if s.Tag == live[i].Tag {
			if v := l.Judge(live[i].Path, s.Tag, live[i].Version, s.Ops); v.Reason != "" || len(v.Moved) > 0 {
				return nil, false
			}
			continue
		}
		if s.Ops, ok = l.correct(s, live[i]); !ok {
			return nil, false
		}
		s.Tag, stale = live[i].Tag, true
	}
	return out, stale
}

func (l *Ledger) correct(s *hashline.Section, live Live) ([]hashline.Op, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := path.Clean(live.Path)
	f := l.known(p, live.Version)
	if f == nil {
		return nil, false
	}
	l.settle(p)
	v := f.byTag(Version{Tag: s.Tag})
	if v == nil || !v.judged {
		return nil, false
	}
	track, ok := l.track(f, v)
	if !ok {
		return nil, false
	}
	m := l.mover(f, v, track, s.Ops)
	if m == nil {
		return nil, false
	}
	for _, t := range v.left(s.Ops, len(m.old)) {
		if v.bad.meets(t) {
			return nil, false
		}
	}
	out := slices.Clone(s.Ops)
	for i := range out {
		o := &out[i]
		if o.Kind == hashline.Append {
			ok = sameEnd(m.old, m.now)
		} else {
			o.Span, ok = m.move(o.Span)
		}
		if !ok {
			return nil, false
		}
	}
	return out, true
}

// mover moves the spans of operations from a version to the head.
type mover struct {
	v        *version
	track    runs
	old, now []uint64
	found    map[int]int
}

// mover is nil where the hashes of the lines are not held.
func (l *Ledger) mover(f *file, v *version, track runs, ops []hashline.Op) *mover {
	m := &mover{v: v, track: track}
	var ok [2]bool
	m.old, ok[0] = l.shelf.lines(v.Version)
	m.now, ok[1] = l.shelf.lines(f.head)
	if !ok[0] || !ok[1] {
		return nil
	}
	m.found = findOnce(ops, m.old, m.now)
	return m
}

// move gives the span of the same lines in the head, where their neighbours tell
// where they are and what is known of the lines' way does not say otherwise.
func (m *mover) move(s hashline.Span) (to hashline.Span, ok bool) {
	if m == nil || s.First < 1 || s.Last > len(m.old) {
		return to, false
	}
	to = hashline.Span{First: m.found[s.First], Last: m.found[s.Last]}
	if to.First == 0 || to.Last == 0 || to.Len() != s.Len() {
		return to, false
	}
	ok = slices.Equal(m.old[s.First-1:s.Last], m.now[to.First-1:to.Last])
	mine := func(first, last int) bool {
		i := m.v.mine.from(first)
		return i < len(m.v.mine) && m.v.mine[i].first <= last
	}
	m.track.within(s, func(r run, tracked bool) {
		if tracked {
			ok = ok && r.mark&changed == 0 && r.to-r.first == to.First-s.First
		}
		// Lines that the session changed and changed back are known only by
		// their track.
		if !tracked || !m.v.tracked {
			ok = ok && !mine(r.first, r.last)
		}
	})
	return to, ok
}

// triple is a line with its neighbours.
type triple struct {
	before, line, after uint64
	// top and bottom tell that there is no line before, or after.
	top, bottom bool
}

func tripleAt(h []uint64, i int) triple {
	t := triple{line: h[i], top: i == 0, bottom: i == len(h)-1}
	if !t.top {
		t.before = h[i-1]
	}
	if !t.bottom {
		t.after = h[i+1]
	}
	return t
}

// findOnce gives for the anchored lines of operations where they are, for those
// that stand exactly once in both texts with their neighbours.
func findOnce(ops []hashline.Op, old, now []uint64) map[int]int {
	type count struct{ old, now, at int }
	counts := map[triple]*count{}
	anchors := map[int]*count{}
	for _, o := range ops {
		if o.Kind == hashline.Append {
			continue
		}
		for _, n := range [...]int{o.Span.First, o.Span.Last} {
			if n < 1 || n > len(old) {
				continue
			}
			t := tripleAt(old, n-1)
			if counts[t] == nil {
				counts[t] = &count{}
			}
			anchors[n] = counts[t]
		}
	}
	if len(counts) > 0 {
		for i := range old {
			if c := counts[tripleAt(old, i)]; c != nil {
				c.old++
			}
		}
		for i := range now {
			if c := counts[tripleAt(now, i)]; c != nil {
				c.now, c.at = c.now+1, i+1
			}
		}
	}
	found := make(map[int]int, len(anchors))
	for n, c := range anchors {
		if c.old == 1 && c.now == 1 {
			found[n] = c.at
		}
	}
	return found
}

// sameEnd reports whether the last three lines of two texts are the same; what
// lies above the first line counts as one.
func sameEnd(a, b []uint64) bool {
	for k := 1; k <= 3; k++ {
		i, j := len(a)-k, len(b)-k
		if i < 0 || j < 0 {
			return i < 0 && j < 0
		}
		if a[i] != b[j] {
			return false
		}
	}
	return true
}
