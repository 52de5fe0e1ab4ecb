package hashline

import (
	"cmp"
	"fmt"
	"slices"
)

// Overlaps reports the destructive operations whose span shares a line with
// that of another (spec 6, step 6): one [Overlap] diagnostic for each operation
// that meets one with a lower first line, or with the same and written earlier.
// It stands at the later of the two in the document, and the list is in that
// order. The time it takes grows as sorting does.
func Overlaps(ops []Op) Diagnostics {
	type pair struct{ earlier, later int }
	var pairs []pair
	widest := -1
	for _, i := range destructive(ops) {
		o := ops[i]
		if widest >= 0 && o.Span.First <= ops[widest].Span.Last {
			pairs = append(pairs, pair{min(widest, i), max(widest, i)})
		}
		if widest < 0 || o.Span.Last > ops[widest].Span.Last {
			widest = i
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.later, b.later), cmp.Compare(a.earlier, b.earlier))
	})
	var found Diagnostics
	for _, p := range pairs {
		found = append(found, overlap(ops[p.earlier], ops[p.later]))
	}
	return found
}

func overlap(a, b Op) *Diagnostic {
	return &Diagnostic{
		Code: Overlap, Pos: b.Pos, Related: a.Pos,
		Msg:  fmt.Sprintf("%s overlaps %s", b, a) + writtenAt(a),
		Hint: "all numbers name the original lines; join the two into one operation, or change one so that no line is named twice",
	}
}

// AnchorsInside reports the inserts that are anchored inside a destructive
// span (spec 6, step 7): one [AnchorInside] diagnostic each, in document order.
// Allowed are PUT <S for a span's first line S, and both inserts at the line of
// a one-line span. The spans must not overlap: see [Overlaps].
func AnchorsInside(ops []Op) Diagnostics {
	order := destructive(ops)
	var found Diagnostics
	for _, o := range ops {
		if o.Kind != InsertBefore && o.Kind != InsertAfter {
			continue
		}
		n := o.Span.First
		at, exact := slices.BinarySearchFunc(order, n, func(i, n int) int { return cmp.Compare(ops[i].Span.First, n) })
		if !exact {
			at--
		}
		if at < 0 {
			continue
		}
		d := ops[order[at]]
		if !d.Span.Contains(n) || d.Span.Len() == 1 || (o.Kind == InsertBefore && n == d.Span.First) {
			continue
		}
		found = append(found, &Diagnostic{
			Code: AnchorInside, Pos: o.Pos, Related: d.Pos,
			Msg:  fmt.Sprintf("%s is anchored inside %s", o, d) + writtenAt(d),
			Hint: fmt.Sprintf("put the rows into the body of the other operation, or anchor them outside it: PUT <%d: above it, PUT <%d: below it (PUT >$: at the end of the file)", d.Span.First, d.Span.Last+1),
		})
	}
	return found
}

func writtenAt(o Op) string {
	if !o.Pos.IsValid() {
		return ""
	}
	return fmt.Sprintf(" (line %d of the document)", o.Pos.Line)
}

// destructive gives the indices of the destructive operations by first line,
// those with the same first line in document order.
func destructive(ops []Op) []int {
	order := make([]int, 0, len(ops))
	for i := range ops {
		if ops[i].Destructive() {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(ops[a].Span.First, ops[b].Span.First), cmp.Compare(a, b))
	})
	return order
}
