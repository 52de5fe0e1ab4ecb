package ledger_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// TestCorrectAlike corrects documents for texts of few different lines: exactly
// where the contract's words, taken one by one, allow it.
func TestCorrectAlike(t *testing.T) {
	seed := rand.Uint64()
	w := &world{t: t, r: rand.New(rand.NewPCG(seed, 4)), texts: 3}
	corrected := 0
	for k := range 20000 {
		old := w.fresh(w.r.IntN(12))
		now, _ := w.change(old)
		if w.r.IntN(2) == 0 {
			now, _ = w.change(now)
		}
		before, live := w.versionOf(old), w.versionOf(now)
		if before.Tag == live.Tag {
			continue
		}
		l := ledger.New(nil)
		l.Shown("f", before, rows(1, len(old)), noon)
		ops := w.ops(len(old))
		doc := &hashline.Document{Sections: []hashline.Section{{Path: "f", Tag: before.Tag, Ops: ops}}}
		got, ok := l.Correct(doc, []ledger.Live{{Path: "f", Version: live}})
		can := canCorrect(ops, old, now)
		require.True(t, can || !ok, "seed %d, case %d: %v of %v, now %v", seed, k, ops, old, now)
		// Where the lines are said to be is where the document has them.
		located, found := l.Locate("f", before.Tag, live, ops)
		require.True(t, found)
		elsewhere := false
		for _, o := range located {
			s := ops[o.Op].Span
			elsewhere = elsewhere || !o.Whole
			if ok {
				s = got.Sections[0].Ops[o.Op].Span
				require.Equal(t, [2]int{s.First, s.Last}, [2]int{o.First.Now, o.Last.Now}, "seed %d, case %d: %v of %v, now %v", seed, k, ops, old, now)
			} else if first, one := once(s.First, old, now); one {
				elsewhere = elsewhere || first != o.First.Now
			}
		}
		require.True(t, ok || !can || elsewhere, "seed %d, case %d: %v of %v, now %v", seed, k, ops, old, now)
		if !ok {
			continue
		}
		corrected++
		// The same text at a place of the same text on both sides.
		for i, o := range got.Sections[0].Ops {
			if o.Kind != hashline.Append {
				require.Equal(t, old[ops[i].Span.First-1].text, now[o.Span.First-1].text)
			}
		}
	}
	require.NotZero(t, corrected)
}

// TestCorrectSections: all sections or none, and those that are fit stay.
func TestCorrectSections(t *testing.T) {
	l := ledger.New(nil)
	old := numbered(30)
	now, _ := replaced(old, 1, 0, "x", "y")
	other := numbered(12)
	for _, p := range []string{"stale", "dir/../also"} {
		l.Shown(p, of(old), rows(1, 30), noon)
	}
	l.Shown("fit", of(other), rows(1, 12), noon)
	doc := &hashline.Document{Sections: []hashline.Section{
		{Path: "fit", Tag: of(other).Tag, Ops: cut(3, 3)},
		{Path: "stale", Tag: of(old).Tag, Ops: append(cut(9, 12), hashline.Op{Kind: hashline.Append, Body: []string{"z"}})},
		{Path: "also", Tag: of(old).Tag, Ops: cut(30, 30)},
	}}
	live := []ledger.Live{{Path: "fit", Version: of(other)}, {Path: "stale", Version: of(now)}, {Path: "also", Version: of(now)}}
	got, ok := l.Correct(doc, live)
	require.True(t, ok)
	want := fmt.Sprintf("[fit#%s]\nCUT 3\n[stale#%[2]s]\nCUT 11.=14\nPUT >$:\n+z\n[also#%[2]s]\nCUT 32\n", of(other).Tag, of(now).Tag)
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Fatal(diff)
	}
	require.Equal(t, 9, doc.Sections[1].Ops[0].Span.First, "the given document was changed")

	// Shown to the agent, it passes.
	for i, s := range got.Sections {
		l.Offered(live[i].Path, live[i].Version, ledger.OffersOf(s.Ops), noon)
		v := l.Judge(live[i].Path, s.Tag, live[i].Version, s.Ops)
		require.Empty(t, v.Reason)
		require.Empty(t, v.Moved)
		require.Empty(t, v.Unseen)
	}

	// One section that cannot be corrected, and there is no document.
	doc.Sections[2].Ops = cut(1, 1) // its neighbour above is new
	_, ok = l.Correct(doc, live)
	require.False(t, ok)
	doc.Sections[2].Ops = cut(30, 31)
	_, ok = l.Correct(doc, live)
	require.False(t, ok)
	// Nothing is stale, and nothing is corrected.
	doc.Sections = doc.Sections[:1]
	_, ok = l.Correct(doc, live[:1])
	require.False(t, ok)
}

// TestCorrectNotMoved: numbers that were old already under the stale tag are not
// carried on.
func TestCorrectNotMoved(t *testing.T) {
	l := ledger.New(nil)
	v0 := numbered(30)
	v1, changes := replaced(v0, 2, 1, "x", "y")
	v2, _ := replaced(v1, 1, 0, "z")
	l.Shown("f", of(v0), rows(1, 30), noon)
	l.Edited("f", of(v0), of(v1), changes, rows(1, 6), noon)
	correct := func(tag hashline.Tag, n int) bool {
		doc := &hashline.Document{Sections: []hashline.Section{{Path: "f", Tag: tag, Ops: cut(n, n)}}}
		_, ok := l.Correct(doc, []ledger.Live{{Path: "f", Version: of(v2)}})
		return ok
	}
	require.False(t, correct(of(v1).Tag, 20))
	require.True(t, correct(of(v1).Tag, 6))
	require.True(t, correct(of(v0).Tag, 20))
}

func TestLocate(t *testing.T) {
	l := ledger.New(nil)
	old := numbered(20)
	now, _ := replaced(old, 15, 16, "fifteen", "16")
	now, _ = replaced(now, 10, 11)
	now, _ = replaced(now, 1, 0, "x", "y", "z")
	l.Shown("f", of(old), rows(1, 20), noon)
	ops := []hashline.Op{
		{Kind: hashline.InsertAfter, Span: hashline.Span{First: 4, Last: 4}},
		{Kind: hashline.Append},
		{Kind: hashline.Replace, Span: hashline.Span{First: 9, Last: 12}},
		{Kind: hashline.Replace, Span: hashline.Span{First: 15, Last: 21}},
		{Kind: hashline.Delete, Span: hashline.Span{First: 17, Last: 19}},
		{Kind: hashline.Delete, Span: hashline.Span{First: 14, Last: 17}},
	}
	got, ok := l.Locate("f", of(old).Tag, of(now), ops)
	require.True(t, ok)
	want := []ledger.Located{
		{Op: 0, First: ledger.Place{Line: 4, Now: 7, Fate: ledger.Kept}, Last: ledger.Place{Line: 4, Now: 7, Fate: ledger.Kept}, Whole: true},
		{Op: 2, First: ledger.Place{Line: 9, Now: 12, Fate: ledger.Kept}, Last: ledger.Place{Line: 12, Now: 13, Fate: ledger.Kept}},
		{Op: 3, First: ledger.Place{Line: 15, Now: 16, Fate: ledger.Changed}, Last: ledger.Place{Line: 21, Fate: ledger.Absent}},
		{Op: 4, First: ledger.Place{Line: 17, Now: 18, Fate: ledger.Kept}, Last: ledger.Place{Line: 19, Now: 20, Fate: ledger.Kept}, Whole: true},
		{Op: 5, First: ledger.Place{Line: 14, Now: 15, Fate: ledger.Kept}, Last: ledger.Place{Line: 17, Now: 18, Fate: ledger.Kept}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	// What was changed is as it was again.
	again, _ := replaced(now, 16, 16, "15")
	l.Observe("f", of(again))
	got, ok = l.Locate("f", of(old).Tag, of(again), ops[3:4])
	require.True(t, ok)
	require.Equal(t, ledger.Place{Line: 15, Now: 16, Fate: ledger.Kept}, got[0].First)
	_, ok = l.Locate("f", of(old).Tag+1, of(again), ops)
	require.False(t, ok)
}

// TestCorrectOwn: what the session itself changed is not found again in a copy,
// and a block that others moved is where the corrected document has it.
func TestCorrectOwn(t *testing.T) {
	old := []string{"a", "x", "}", "b", "c"}
	one, change := replaced(old, 3, 3, "END")
	two, more := replaced(one, 6, 5, "x", "}", "b")
	judge := func(l *ledger.Ledger, live []string, n int) ([]ledger.Located, bool) {
		ops := cut(n, n)
		located, ok := l.Locate("f", of(old).Tag, of(live), ops)
		require.True(t, ok)
		doc := &hashline.Document{Sections: []hashline.Section{{Path: "f", Tag: of(old).Tag, Ops: ops}}}
		_, ok = l.Correct(doc, []ledger.Live{{Path: "f", Version: of(live)}})
		return located, ok
	}
	l := ledger.New(nil)
	l.Shown("f", of(old), rows(1, 5), noon)
	l.Edited("f", of(old), of(one), change, rows(1, 5), noon)
	l.Edited("f", of(one), of(two), more, rows(4, 8), noon)
	located, ok := judge(l, two, 3)
	require.False(t, ok)
	require.Equal(t, ledger.Place{Line: 3, Now: 3, Fate: ledger.Changed}, located[0].First)

	// The same where its own edit removed the line, and after a restart.
	one, change = replaced(old, 3, 3)
	two, more = replaced(one, 5, 4, "x", "}", "b")
	l = ledger.New(nil)
	l.Shown("f", of(old), rows(1, 5), noon)
	l.Edited("f", of(old), of(one), change, rows(1, 4), noon)
	l.Edited("f", of(one), of(two), more, rows(4, 7), noon)
	for range 2 {
		located, ok = judge(l, two, 3)
		require.False(t, ok)
		require.Equal(t, ledger.Gone, located[0].First.Fate)
		var b bytes.Buffer
		require.NoError(t, l.Save(&b))
		var err error
		l, err = ledger.Load(&b, nil)
		require.NoError(t, err)
	}

	// Others moved the block.
	old = numbered(30)
	moved := append(append(append(append([]string{}, old[:3]...), old[23:27]...), old[3:23]...), old[27:]...)
	l = ledger.New(nil)
	l.Shown("f", of(old), rows(1, 30), noon)
	located, ok = judge(l, moved, 25)
	require.True(t, ok)
	require.Equal(t, []ledger.Located{{
		First: ledger.Place{Line: 25, Now: 5, Fate: ledger.Kept}, Last: ledger.Place{Line: 25, Now: 5, Fate: ledger.Kept}, Whole: true,
	}}, located)
}
