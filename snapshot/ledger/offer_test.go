package ledger_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// corrected is a ledger whose agent read 100 lines, before which others put
// three, and was then offered cuts of 15.=43 and 60 as they are to be now.
func corrected() (l *ledger.Ledger, live ledger.Version) {
	l = ledger.New(nil)
	old := numbered(100)
	now, _ := replaced(old, 1, 0, "x", "y", "z")
	l.Shown("f", of(old), rows(1, 100), noon)
	l.Shown("f", of(now), append(rows(13, 17), rows(41, 45)...), noon)
	l.Offered("./f", of(now), ledger.OffersOf(append(cut(15, 43), cut(60, 60)...)), noon)
	return l, of(now)
}

func put(first, last int, body ...string) []hashline.Op {
	return []hashline.Op{{Kind: hashline.Replace, Span: hashline.Span{First: first, Last: last}, Body: body}}
}

// TestOffered: what was offered passes, and nothing else on lines that were never
// shown.
func TestOffered(t *testing.T) {
	after := []hashline.Op{{Kind: hashline.InsertAfter, Span: hashline.Span{First: 60, Last: 60}}}
	for _, c := range []struct {
		name  string
		ops   []hashline.Op
		moved []hashline.Span
	}{
		{"the same", append(cut(15, 43), cut(60, 60)...), nil},
		{"one of two", cut(15, 43), nil},
		{"the other", cut(60, 60), nil},
		{"with one more that is fine", append(cut(14, 14), cut(15, 43)...), nil},
		{"with one more that is not", append(cut(15, 43), cut(61, 61)...), rows(61, 61)},
		{"an old number by chance", cut(20, 20), rows(20, 20)},
		{"lines that were shown", cut(42, 43), nil},
		{"another end", cut(15, 42), rows(18, 40)},
		{"another beginning", cut(16, 43), rows(18, 40)},
		{"another kind", put(15, 43, "new"), rows(18, 40)},
		{"an insert at a line that was offered", after, rows(60, 60)},
		{"an insert inside what was offered, too", append(cut(60, 60), after...), rows(60, 60)},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, live := corrected()
			for _, when := range []string{"at once", "loaded"} {
				var moved []hashline.Span
				v := l.Judge("f", live.Tag, live, c.ops)
				for _, m := range v.Moved {
					moved = append(moved, hashline.Span{First: m.Line, Last: m.Line + m.Lines - 1})
				}
				if diff := cmp.Diff(c.moved, moved); diff != "" {
					t.Errorf("%s: %s", when, diff)
				}
				require.Empty(t, v.Unseen, when)
				var saved bytes.Buffer
				require.NoError(t, l.Save(&saved))
				var err error
				l, err = ledger.Load(&saved, nil)
				require.NoError(t, err)
			}
		})
	}
}

// TestOfferedBodies: rows of a body are the agent's own to choose.
func TestOfferedBodies(t *testing.T) {
	l, live := corrected()
	l.Offered("f", live, ledger.OffersOf(put(70, 80, "a")), noon)
	require.Empty(t, l.Judge("f", live.Tag, live, put(70, 80, "b", "c")).Moved)
}

// TestOfferedEnds: an offer is one on a text, as rows are.
func TestOfferedEnds(t *testing.T) {
	moved := func(l *ledger.Ledger, live ledger.Version) bool {
		v := l.Judge("f", live.Tag, live, cut(15, 43))
		return len(v.Moved) > 0 || len(v.Unseen) > 0
	}
	l, live := corrected()
	require.False(t, moved(l, live))
	require.True(t, moved(l.Fork(), live))
	// Others change a line far away, and take it back.
	lines := append([]string{"x", "y", "z"}, numbered(100)...)
	later, changes := replaced(lines, 90, 90, "other")
	l.Observe("f", of(later))
	require.True(t, moved(l, of(later)))
	require.False(t, moved(l, live))
	// The session's own edit ends it too.
	l.Edited("f", live, of(later), changes, rows(88, 92), noon)
	require.True(t, moved(l, of(later)))
	l.Forget("f")
	require.True(t, moved(l, live))
	// Nothing of it is in front of the agent.
	l, live = corrected()
	require.False(t, l.Covered("f", live, rows(15, 43)))
	require.True(t, l.Covered("f", live, rows(15, 17)))
}

// TestOfferedCorrected: a document that was offered, and is stale before it is
// sent, can be corrected once more; one with other numbers cannot.
func TestOfferedCorrected(t *testing.T) {
	l, live := corrected()
	again, _ := replaced(append([]string{"x", "y", "z"}, numbered(100)...), 1, 0, "w")
	correct := func(ops []hashline.Op) (string, bool) {
		doc, ok := l.Correct(&hashline.Document{Sections: []hashline.Section{{Path: "f", Tag: live.Tag, Ops: ops}}},
			[]ledger.Live{{Path: "f", Version: of(again)}})
		if !ok {
			return "", false
		}
		return doc.String(), true
	}
	got, ok := correct(cut(15, 43))
	require.True(t, ok)
	require.Equal(t, fmt.Sprintf("[f#%s]\nCUT 16.=44\n", of(again).Tag), got)
	_, ok = correct(cut(20, 43))
	require.False(t, ok)
	// Where its lines are is told of the same operations.
	located, ok := l.Locate("f", live.Tag, of(again), append(cut(15, 43), cut(20, 43)...))
	require.True(t, ok)
	at := func(n, now int, fate ledger.Fate) ledger.Place { return ledger.Place{Line: n, Now: now, Fate: fate} }
	require.Empty(t, cmp.Diff([]ledger.Located{
		{Op: 0, First: at(15, 16, ledger.Kept), Last: at(43, 44, ledger.Kept), Whole: true},
		{Op: 1, First: at(20, 0, ledger.Unknown), Last: at(43, 0, ledger.Unknown), Misnumbered: true},
	}, located))
}

// TestOffersPart: only lines that an offer names are taken.
func TestOffersPart(t *testing.T) {
	l, live := corrected()
	l.Offered("f", live, []ledger.Offer{
		{hashline.Delete, hashline.Span{First: 70, Last: 80}, hashline.Span{First: 72, Last: 74}},
		{hashline.Delete, hashline.Span{First: 70, Last: 80}, hashline.Span{First: 76, Last: 80}},
		{hashline.Delete, hashline.Span{First: 70, Last: 80}, hashline.Span{First: 76, Last: 81}},
		{hashline.Delete, hashline.Span{First: 100, Last: 104}, hashline.Span{First: 100, Last: 104}},
		{hashline.Append, hashline.Span{First: 70, Last: 80}, hashline.Span{First: 70, Last: 71}},
	}, noon)
	var lines []int
	for _, m := range l.Judge("f", live.Tag, live, cut(70, 80)).Moved {
		lines = append(lines, m.Line, m.Lines)
	}
	require.Equal(t, []int{70, 2, 75, 1}, lines)
	require.NotEmpty(t, l.Judge("f", live.Tag, live, cut(100, 104)).Moved)
}

// TestManyOffers: the last answer's are kept, whatever came before.
func TestManyOffers(t *testing.T) {
	l := ledger.New(nil)
	// No row was ever shown: what is not offered is unseen.
	good := func(v ledger.Version, n int) bool { return len(l.Judge("f", v.Tag, v, cut(n, n)).Unseen) == 0 }
	offers := func(first, last int) (all []ledger.Offer) {
		for n := first; n <= last; n++ {
			all = append(all, ledger.OffersOf(cut(n, n))...)
		}
		return all
	}
	v := ledger.Version{Tag: 1, Sum: 1, Lines: 200_000}
	l.Offered("f", v, offers(1, 10), noon)
	l.Offered("f", v, offers(11, 6000), noon)
	require.False(t, good(v, 10))
	require.True(t, good(v, 11))
	require.True(t, good(v, 6000))
	l.Offered("f", v, offers(6001, 6010), noon)
	require.False(t, good(v, 11))
	require.True(t, good(v, 6000))
	require.True(t, good(v, 6010))
	l.Offered("f", v, offers(6001, 6001), noon) // again
	require.True(t, good(v, 6010))
	l.Offered("f", v, offers(1, 200_000), noon)
	require.True(t, good(v, 50_000))
	require.False(t, good(v, 50_001))
	var saved bytes.Buffer
	require.NoError(t, l.Save(&saved))
	_, err := ledger.Load(bytes.NewReader(saved.Bytes()), nil)
	require.NoError(t, err)
	// Those of older texts go first.
	next := ledger.Version{Tag: 2, Sum: 2, Lines: 200_000}
	l.Offered("f", next, offers(1, 1), noon)
	require.True(t, good(next, 1))
	require.NotContains(t, func() string {
		saved.Reset()
		require.NoError(t, l.Save(&saved))
		return saved.String()
	}(), "[2,50000,")
}
