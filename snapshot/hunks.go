package snapshot

import (
	"cmp"
	"slices"

	"github.com/hashline-go/hashline/hashline"
)

// maxRows is how many rows a preview or a live snapshot shows (spec 4).
const maxRows = 40

// pick is a row that a bounded view shows.
type pick struct {
	n     int
	focus bool
}

// hunk is a run of consecutive rows among the focus rows and their context.
type hunk struct {
	hashline.Span
	// focus holds the focus rows, ascending, in as few spans as possible.
	focus []hashline.Span
}

// hunksOf puts so many rows of context around the focus rows, which must be
// merged and within the file. The hunks share the memory of focus.
func hunksOf(focus []hashline.Span, context, lines int) []hunk {
	var all []hunk
	from := 0
	for i, f := range focus {
		span := hashline.Span{First: max(f.First-context, 1), Last: min(f.Last+context, lines)}
		if k := len(all); k > 0 && span.First <= all[k-1].Last+1 {
			all[k-1].Last = span.Last
			all[k-1].focus = focus[from : i+1]
			continue
		}
		from = i
		all = append(all, hunk{span, focus[i : i+1]})
	}
	return all
}

// choose picks at most 40 rows of the hunks, ascending (spec 4).
func choose(hunks []hunk) []pick {
	total := 0
	for _, h := range hunks {
		total += h.Len()
	}
	share, left := maxRows, maxRows
	if total > maxRows {
		share = max(1, maxRows/len(hunks))
	}
	var picks []pick
	for i, h := range hunks {
		places := min(share, left)
		if i == len(hunks)-1 {
			places = left
		}
		if places == 0 {
			break
		}
		some := h.choose(places)
		left -= len(some)
		picks = append(picks, some...)
	}
	return picks
}

// choose picks so many rows of the hunk: the focus rows first, then the others,
// each from the top.
func (h hunk) choose(places int) []pick {
	picks := make([]pick, 0, min(places, h.Len()))
	for _, f := range h.focus {
		for n := f.First; n <= f.Last && len(picks) < places; n++ {
			picks = append(picks, pick{n, true})
		}
	}
	focus := h.focus
	for n := h.First; n <= h.Last && len(picks) < places; n++ {
		for len(focus) > 0 && focus[0].Last < n {
			focus = focus[1:]
		}
		if len(focus) == 0 || n < focus[0].First {
			picks = append(picks, pick{n, false})
		}
	}
	slices.SortFunc(picks, func(a, b pick) int { return cmp.Compare(a.n, b.n) })
	return picks
}
