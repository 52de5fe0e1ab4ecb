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
