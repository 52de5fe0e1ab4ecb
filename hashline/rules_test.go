package hashline_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// fault is what the naive rules below say of one diagnostic: its operation and
// the other party, as indices.
type fault struct{ At, Other int }

// naiveOverlaps looks at every pair. Of an operation's partners it takes the
// one that reaches furthest, the first of these by first line and document
// order.
func naiveOverlaps(ops []hashline.Op) []fault {
	before := func(i, j int) bool {
		a, b := ops[i].Span.First, ops[j].Span.First
		return a < b || a == b && i < j
	}
	var all []fault
	for i, o := range ops {
		if o.Kind != hashline.Replace && o.Kind != hashline.Delete {
			continue
		}
		partner := -1
		for j, p := range ops {
			if p.Kind != hashline.Replace && p.Kind != hashline.Delete || !before(j, i) {
				continue
			}
			shared := false
			for n := o.Span.First; n <= o.Span.Last; n++ {
				shared = shared || p.Span.First <= n && n <= p.Span.Last
			}
			if !shared {
				continue
			}
			if partner < 0 || p.Span.Last > ops[partner].Span.Last || p.Span.Last == ops[partner].Span.Last && before(j, partner) {
				partner = j
			}
		}
		if partner >= 0 {
			all = append(all, fault{max(i, partner), min(i, partner)})
		}
	}
	slices.SortFunc(all, func(a, b fault) int {
		if a.At != b.At {
			return a.At - b.At
		}
		return a.Other - b.Other
	})
	return all
}

func naiveAnchorsInside(ops []hashline.Op) []fault {
	var all []fault
	for i, o := range ops {
		if o.Kind != hashline.InsertBefore && o.Kind != hashline.InsertAfter {
			continue
		}
		for j, d := range ops {
			if d.Kind != hashline.Replace && d.Kind != hashline.Delete {
				continue
			}
			for n := d.Span.First; n <= d.Span.Last; n++ {
				oneLine := d.Span.First == d.Span.Last
				above := o.Kind == hashline.InsertBefore && n == d.Span.First
				if n == o.Span.First && !oneLine && !above {
					all = append(all, fault{i, j})
				}
			}
		}
	}
	return all
}

func randomOps(r *rand.Rand) []hashline.Op {
	kinds := []hashline.Kind{hashline.Replace, hashline.Delete, hashline.InsertBefore, hashline.InsertAfter, hashline.Append}
	lines := 1 + r.IntN(40)
	ops := make([]hashline.Op, r.IntN(12))
	for i := range ops {
		k := kinds[r.IntN(len(kinds))]
		o := hashline.Op{Kind: k, Pos: hashline.Position{Line: i + 1, Column: 1}}
		if k != hashline.Append {
			first := 1 + r.IntN(lines)
			o.Span = hashline.Span{First: first, Last: first}
		}
		if o.Destructive() {
			o.Span.Last += r.IntN(4)
		}
		ops[i] = o
	}
	return ops
}

// faults turns diagnostics into indices: randomOps puts operation i on line
// i+1.
func faults(ds hashline.Diagnostics) []fault {
	var all []fault
	for _, d := range ds {
		all = append(all, fault{d.Pos.Line - 1, d.Related.Line - 1})
	}
	return all
}

func TestRulesAgreeWithEveryPair(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 20_000 {
		ops := randomOps(r)
		overlaps := hashline.Overlaps(ops)
		require.Empty(t, cmp.Diff(naiveOverlaps(ops), faults(overlaps)), "%v", ops)
		if len(overlaps) > 0 {
			seen["overlap"]++
			continue
		}
		inside := hashline.AnchorsInside(ops)
		require.Empty(t, cmp.Diff(naiveAnchorsInside(ops), faults(inside)), "%v", ops)
		if len(inside) > 0 {
			seen["inside"]++
		} else {
			seen["valid"]++
		}
	}
	for _, kind := range []string{"overlap", "inside", "valid"} {
		require.Greater(t, seen[kind], 1000, kind)
	}
}

func span(first, last int) hashline.Span { return hashline.Span{First: first, Last: last} }

func TestOverlapsNamesBothOperations(t *testing.T) {
	ops := []hashline.Op{
		{Kind: hashline.Delete, Span: span(3, 5), Pos: hashline.Position{Line: 2, Column: 1}},
		{Kind: hashline.Replace, Span: span(5, 7), Body: []string{"x"}, Pos: hashline.Position{Line: 3, Column: 1}},
	}
	ds := hashline.Overlaps(ops)
	require.Len(t, ds, 1)
	require.ErrorIs(t, ds.Err(), hashline.Overlap)
	require.Equal(t, "PUT 5.=7: overlaps CUT 3.=5 (line 2 of the document)", ds[0].Msg)
	require.Equal(t, ops[1].Pos, ds[0].Pos)
	require.Equal(t, ops[0].Pos, ds[0].Related)
}

// Operations that were built in Go have no positions; their order is that of
// the slice.
func TestOverlapsInDocumentOrderWithoutPositions(t *testing.T) {
	ops := []hashline.Op{
		{Kind: hashline.Delete, Span: span(9, 9)},
		{Kind: hashline.Delete, Span: span(9, 10)},
		{Kind: hashline.Delete, Span: span(1, 2)},
		{Kind: hashline.Delete, Span: span(2, 2)},
	}
	var msgs []string
	for _, d := range hashline.Overlaps(ops) {
		msgs = append(msgs, d.Msg)
	}
	require.Equal(t, []string{"CUT 9.=10 overlaps CUT 9", "CUT 2 overlaps CUT 1.=2"}, msgs)
}

func TestAnchorsInside(t *testing.T) {
	one, three := span(4, 4), span(4, 6)
	for _, c := range []struct {
		name   string
		span   hashline.Span
		kind   hashline.Kind
		anchor int
		want   string
	}{
		{"before the line of a one-line span", one, hashline.InsertBefore, 4, ""},
		{"after the line of a one-line span", one, hashline.InsertAfter, 4, ""},
		{"before the first line", three, hashline.InsertBefore, 4, ""},
		{"after the first line", three, hashline.InsertAfter, 4, "PUT >4: is anchored inside CUT 4.=6"},
		{"before a middle line", three, hashline.InsertBefore, 5, "PUT <5: is anchored inside CUT 4.=6"},
		{"after a middle line", three, hashline.InsertAfter, 5, "PUT >5: is anchored inside CUT 4.=6"},
		{"before the last line", three, hashline.InsertBefore, 6, "PUT <6: is anchored inside CUT 4.=6"},
		{"after the last line", three, hashline.InsertAfter, 6, "PUT >6: is anchored inside CUT 4.=6"},
		{"after the line above", three, hashline.InsertAfter, 3, ""},
		{"before the line below", three, hashline.InsertBefore, 7, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ops := []hashline.Op{
				{Kind: c.kind, Span: span(c.anchor, c.anchor), Body: []string{"x"}},
				{Kind: hashline.Delete, Span: c.span},
			}
			ds := hashline.AnchorsInside(ops)
			if c.want == "" {
				require.Empty(t, ds)
				return
			}
			require.Len(t, ds, 1)
			require.Equal(t, c.want, ds[0].Msg)
			require.ErrorIs(t, ds.Err(), hashline.AnchorInside)
		})
	}
}
