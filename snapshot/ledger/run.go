package ledger

import (
	"sort"

	"github.com/hashline-go/hashline/hashline"
)

// mark says what became of the rows of a run.
type mark uint8

const (
	// moved: a change has altered how many lines stand before them.
	moved mark = 1 << iota
	// changed: others changed their text; the place is where the new one is.
	changed
	// gone: others removed them. They have no place.
	gone
	// edited: the session itself changed or removed them. They have no place.
	edited
	// unknown: the text was changed and nobody knows how. They have no place.
	unknown

	noPlace = gone | edited | unknown
)

// run says where the rows first..last are: the row first at to, and each other
// as far behind. to is 0 where they have no place.
type run struct {
	first, last, to int
	mark            mark
}

// cut gives the part of the run from one row to another.
func (r run) cut(first, last int) run {
	if r.mark&noPlace == 0 {
		r.to += first - r.first
	}
	r.first, r.last = first, last
	return r
}

// runs are ascending and do not overlap.
type runs []run

// add appends a run behind all others.
func (rs runs) add(r run) runs {
	if k := len(rs); k > 0 {
		p := &rs[k-1]
		if p.last+1 == r.first && p.mark == r.mark && (p.mark&noPlace != 0 || p.to+r.first-p.first == r.to) {
			p.last = r.last
			return rs
		}
	}
	return append(rs, r)
}

// from gives the index of the first run that does not end before row n.
func (rs runs) from(n int) int {
	return sort.Search(len(rs), func(i int) bool { return rs[i].last >= n })
}

// at gives the run of one row, cut to it.
func (rs runs) at(n int) (run, bool) {
	i := rs.from(n)
	if i == len(rs) || rs[i].first > n {
		return run{}, false
	}
	return rs[i].cut(n, n), true
}

// meets reports whether a run holds any row of a span.
func (rs runs) meets(s hashline.Span) bool {
	i := rs.from(s.First)
	return i < len(rs) && rs[i].first <= s.Last
}

// within calls yield for the parts of a span that a run holds, and, with ok
// false, for those that none does.
func (rs runs) within(s hashline.Span, yield func(r run, ok bool)) {
	n := s.First
	for i := rs.from(n); n <= s.Last; i++ {
		if i == len(rs) || rs[i].first > s.Last {
			yield(run{first: n, last: s.Last}, false)
			return
		}
		if n < rs[i].first {
			yield(run{first: n, last: rs[i].first - 1}, false)
			n = rs[i].first
		}
		end := min(rs[i].last, s.Last)
		yield(rs[i].cut(n, end), true)
		n = end + 1
	}
}

// show sets the rows of spans, ascending and apart, to stand where they are.
func (rs runs) show(spans []hashline.Span) runs {
	if len(spans) == 0 {
		return rs
	}
	out := make(runs, 0, len(rs)+len(spans)+1)
	for _, r := range rs {
		for len(spans) > 0 && spans[0].First <= r.last {
			s := spans[0]
			if r.first < s.First {
				out = out.add(r.cut(r.first, s.First-1))
			}
			if s.Last >= r.last {
				// The span may cover the next runs too.
				r.first = r.last + 1
				break
			}
			out = out.add(run{first: s.First, last: s.Last, to: s.First})
			if r.first <= s.Last {
				r = r.cut(s.Last+1, r.last)
			}
			spans = spans[1:]
		}
		if r.first <= r.last {
			out = out.add(r)
		}
	}
	for _, s := range spans {
		out = out.add(run{first: s.First, last: s.Last, to: s.First})
	}
	return out
}

// through sends where the runs are through a track, which says where the lines
// of one text are in the next. Rows whose place it does not hold become rest,
// or are dropped where rest is 0.
func (rs runs) through(track runs, rest mark) runs {
	out := make(runs, 0, len(rs)+len(track))
	for _, r := range rs {
		if r.mark&noPlace != 0 {
			out = out.add(r)
			continue
		}
		back := r.first - r.to
		track.within(hashline.Span{First: r.to, Last: r.to + r.last - r.first}, func(t run, ok bool) {
			p := run{first: t.first + back, last: t.last + back, to: t.to, mark: r.mark | t.mark}
			if !ok || t.mark&noPlace != 0 {
				if rest == 0 {
					return
				}
				p.to, p.mark = 0, rest
				if r.mark&changed != 0 {
					p.mark = gone // by others, before all else
				}
			}
			out = out.add(p)
		})
	}
	return out
}

// rekey moves the rows themselves along a track; those that it does not hold are
// dropped. The track's places must ascend.
func (rs runs) rekey(track runs) runs {
	out := make(runs, 0, len(rs)+len(track))
	i := 0
	for _, t := range track {
		for i < len(rs) && rs[i].last < t.first {
			i++
		}
		for j := i; j < len(rs) && rs[j].first <= t.last; j++ {
			p := rs[j].cut(max(rs[j].first, t.first), min(rs[j].last, t.last))
			p.mark |= t.mark
			p.first += t.to - t.first
			p.last += t.to - t.first
			out = out.add(p)
		}
	}
	return out
}

// kept gives the runs of a track whose lines are what they were.
func (rs runs) kept() runs {
	out := make(runs, 0, len(rs))
	for _, r := range rs {
		if r.mark&changed == 0 {
			out = append(out, r)
		}
	}
	return out
}
