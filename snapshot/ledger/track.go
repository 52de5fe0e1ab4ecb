package ledger

import "github.com/hashline-go/hashline/hashline"

// Change is a stretch of lines of one text that took the place of another. A
// stretch of no lines ends before it begins: First is where it stands.
type Change struct {
	Old, New hashline.Span
}

// trackOf makes the track of changes, which must be in order and apart. ok is
// false where they do not lead from a text of so many lines to the other.
func trackOf(changes []Change, was, is int) (track runs, ok bool) {
	old, now := 1, 1
	for _, c := range changes {
		kept := c.Old.First - old
		if kept < 0 || c.New.First-now != kept || c.Old.Len() < 0 || c.New.Len() < 0 || c.Old.Last > was || c.New.Last > is {
			return nil, false
		}
		track = track.keep(old, now, kept)
		track = track.replace(c.Old.First, c.New.First, c.Old.Len(), c.New.Len())
		old, now = c.Old.Last+1, c.New.Last+1
	}
	if was-old != is-now || was-old < -1 {
		return nil, false
	}
	return track.keep(old, now, was-old+1), true
}

// wayBack gives the changes that make an earlier version of the head, which is v,
// by where its lines went since. It gives nil where that is not known.
func (f *file) wayBack(v Version) []Change {
	for _, o := range f.versions {
		if !o.Same(v) || !o.tracked {
			continue
		}
		var changes []Change
		c := Change{Old: hashline.Span{First: 1}, New: hashline.Span{First: 1}}
		until := func(old, now int) {
			if c.Old.Last, c.New.Last = old-1, now-1; c.Old.Len() > 0 || c.New.Len() > 0 {
				changes = append(changes, c)
			}
		}
		for _, r := range o.track.kept() {
			until(r.to, r.first)
			c.Old.First, c.New.First = r.to+r.last-r.first+1, r.last+1
		}
		until(f.head.Lines+1, v.Lines+1)
		return changes
	}
	return nil
}

// keep adds lines that are what they were.
func (rs runs) keep(old, now, lines int) runs {
	if lines == 0 {
		return rs
	}
	return rs.add(run{first: old, last: old + lines - 1, to: now, mark: movedFrom(old, now)})
}

// replace adds a stretch of lines that others took the place of: line by line
// from the top, as far as there are as many.
func (rs runs) replace(old, now, k, m int) runs {
	if n := min(k, m); n > 0 {
		return rs.add(run{first: old, last: old + n - 1, to: now, mark: changed | movedFrom(old, now)})
	}
	return rs
}

// lost gives the rows that have a place in the runs, and none in a track that
// leads on from there, or one with another text.
func (rs runs) lost(track runs) (spans []hashline.Span) {
	for _, r := range rs {
		back := r.first - r.to
		track.within(hashline.Span{First: r.to, Last: r.to + r.last - r.first}, func(t run, ok bool) {
			if !ok || t.mark&changed != 0 {
				spans = joined(spans, hashline.Span{First: t.first + back, Last: t.last + back})
			}
		})
	}
	return spans
}

func movedFrom(old, now int) mark {
	if old == now {
		return 0
	}
	return moved
}
