package apply

import "github.com/hashline-go/hashline/hashline"

// focus gathers rows of the new text as ascending spans that neither overlap
// nor touch.
type focus []hashline.Span

// add takes in rows first..last. They may begin above what was added last, but
// then they reach it.
func (f *focus) add(first, last int) {
	all := *f
	for len(all) > 0 && all[len(all)-1].Last+1 >= first {
		top := all[len(all)-1]
		first, last = min(first, top.First), max(last, top.Last)
		all = all[:len(all)-1]
	}
	*f = append(all, hashline.Span{First: first, Last: last})
}

// within drops what lies outside of rows 1..lines.
func (f focus) within(lines int) []hashline.Span {
	var some []hashline.Span
	for _, s := range f {
		s.First, s.Last = max(s.First, 1), min(s.Last, lines)
		if s.First <= s.Last {
			some = append(some, s)
		}
	}
	return some
}
