package ledger

import (
	"path"
	"slices"

	"github.com/hashline-go/hashline/hashline"
)

// Place says where a line of an older text is now.
type Place struct {
	// Line is its number in the older text.
	Line int
	// Now is its number in the live text, 0 where it has none.
	Now int
	// Fate is [Absent] where the older text had no such line.
	Fate Fate
}

// Located says where the anchored lines of an operation are now.
type Located struct {
	// Op is the operation's index in its section.
	Op int
	// First and Last are the ends of a span; for an insert both are its anchor.
	First, Last Place
	// Whole tells that all lines of the span are as they were, one after the
	// other.
	Whole bool
	// Misnumbered tells that, already under its tag, one of the numbers was not
	// that of the row which was last shown under it, and no answer spelt the
	// operation out (see [Ledger.Offered]). Then nothing says which text
	// the numbers were taken from, and no line has a place.
	Misnumbered bool
	// Rows are, for a misnumbered operation, where the rows stand now that were last
	// shown under its numbers, when its tag was that of the live text. It is the zero
	// Span where that is not known of each, or they do not stand together.
	Rows hashline.Span
}

// Locate says where the anchored lines of a stale section are now, for each
// operation but PUT >$ (spec 9). ok is false where neither the old text nor how
// it was changed is known any more.
func (l *Ledger) Locate(p string, tag hashline.Tag, live Version, ops []hashline.Op) (located []Located, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = path.Clean(p)
	f := l.known(p, live)
	if f == nil {
		return nil, false
	}
	l.settle(p)
	v := f.byTag(Version{Tag: tag})
	if v == nil {
		return nil, false
	}
	track, ok := l.track(f, v)
	if !ok {
		return nil, false
	}
	m := l.mover(f, v, track, ops)
	left := v.leftOf(v.Lines)
	for i, o := range ops {
		if o.Kind == hashline.Append {
			continue
		}
		if slices.ContainsFunc(left(o), v.bad.meets) {
			lost := func(n int) Place { return Place{Line: n, Fate: Unknown} }
			located = append(located, Located{Op: i, First: lost(o.Span.First), Last: lost(o.Span.Last), Misnumbered: true, Rows: v.rowsOf(track, o.Span)})
			continue
		}
		where := Located{Op: i, First: v.placeOf(track, o.Span.First), Last: v.placeOf(track, o.Span.Last)}
		where.Whole = o.Span.First >= 1 && o.Span.Last <= v.Lines && isWhole(track, o.Span)
		if !where.Whole {
			// A block that others moved is found by its neighbours.
			if to, ok := m.move(o.Span); ok {
				where.First.Now, where.First.Fate = to.First, Kept
				where.Last.Now, where.Last.Fate = to.Last, Kept
				where.Whole = true
			}
		}
		located = append(located, where)
	}
	return located, true
}

// track gives the track from a version to the head. Lines that were changed and
// changed back count as kept.
func (l *Ledger) track(f *file, v *version) (track runs, ok bool) {
	if f.removed {
		return nil, false
	}
	old, held := l.shelf.lines(v.Version)
	var now []uint64
	if held {
		now, held = l.shelf.lines(f.head)
	}
	switch {
	case !held:
		return v.track, v.tracked
	case !v.tracked:
		return diff(old, now), true
	}
	for _, r := range v.track {
		if r.mark&changed == 0 {
			track = track.add(r)
			continue
		}
		for n := r.first; n <= r.last; n++ {
			one := r.cut(n, n)
			if old[n-1] == now[one.to-1] {
				one.mark &^= changed
			}
			track = track.add(one)
		}
	}
	return track, true
}

func (v *version) placeOf(track runs, n int) Place {
	if n < 1 || n > v.Lines {
		return Place{Line: n, Fate: Absent}
	}
	r, ok := track.at(n)
	if !ok {
		return Place{Line: n, Fate: Gone}
	}
	return Place{Line: n, Now: r.to, Fate: r.fate()}
}

// rowsOf gives where the rows are now that numbers stood for which were old ones
// already under the version's tag.
func (v *version) rowsOf(track runs, s hashline.Span) hashline.Span {
	var was hashline.Span
	v.bad.within(s, func(r run, ok bool) {
		switch {
		case !ok || r.mark != 0:
			was.First = -1
		case was == hashline.Span{}:
			was = hashline.Span{First: r.to, Last: r.to + r.last - r.first}
		case r.to == was.Last+1:
			was.Last += r.last - r.first + 1
		default:
			was.First = -1
		}
	})
	if was.First < 1 || was.Len() != s.Len() || !isWhole(track, was) {
		return hashline.Span{}
	}
	first := v.placeOf(track, was.First).Now
	return hashline.Span{First: first, Last: first + was.Len() - 1}
}

// isWhole reports whether the lines of a span are all kept, one after the other.
func isWhole(track runs, s hashline.Span) bool {
	whole, next := true, 0
	track.within(s, func(r run, ok bool) {
		whole = whole && ok && r.mark&changed == 0 && (next == 0 || r.to == next)
		next = r.to + r.last - r.first + 1
	})
	return whole
}
