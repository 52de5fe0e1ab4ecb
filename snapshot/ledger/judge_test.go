package ledger_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

var noon = time.Unix(1e9, 0)

// numbered makes a text of lines "1", "2" and so on.
func numbered(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprint(i + 1)
	}
	return lines
}

func of(lines []string) ledger.Version {
	if len(lines) == 0 {
		return text("")
	}
	return text(strings.Join(lines, "\n") + "\n")
}

func rows(first, last int) []hashline.Span { return []hashline.Span{{First: first, Last: last}} }

func cut(first, last int) []hashline.Op {
	return []hashline.Op{{Kind: hashline.Delete, Span: hashline.Span{First: first, Last: last}}}
}

// replaced puts lines in the place of lines first..last; last is first-1 where
// none are replaced.
func replaced(lines []string, first, last int, with ...string) ([]string, []ledger.Change) {
	out := append(append(append([]string{}, lines[:first-1]...), with...), lines[last:]...)
	return out, []ledger.Change{{
		Old: hashline.Span{First: first, Last: last}, New: hashline.Span{First: first, Last: first + len(with) - 1},
	}}
}

func TestReasons(t *testing.T) {
	l := ledger.New(nil)
	v0, v1 := of(numbered(3)), of(numbered(4))
	reason := func(tag hashline.Tag, live ledger.Version) ledger.Reason {
		return l.Judge("f", tag, live, cut(1, 1)).Reason
	}
	require.Equal(t, ledger.Unread, reason(v0.Tag, v1))
	require.Empty(t, reason(v1.Tag, v1))
	l.Shown("./f", v0, nil, noon)
	require.Equal(t, ledger.UnknownTag, reason(v0.Tag+1, v1))
	require.Equal(t, ledger.Stale, reason(v0.Tag, v1))
	require.Empty(t, reason(v0.Tag, v0))
	require.Equal(t, noon, l.Judge("f", v0.Tag, v1, nil).ShownAt)
	l.Forget("f")
	require.Equal(t, ledger.Unread, reason(v0.Tag, v1))
	l.Shown("f", v0, nil, noon)
	require.Equal(t, ledger.Unread, l.Fork().Judge("f", v0.Tag, v1, nil).Reason)
	l.ForgetAll()
	require.Empty(t, l.Paths())
}

// collide finds two texts of one tag.
func collide(t *testing.T) (a, b ledger.Version) {
	byTag := map[hashline.Tag]ledger.Version{}
	for i := range 1 << 12 {
		lines := numbered(9)
		lines[4] = fmt.Sprint("salt ", i)
		v := of(lines)
		if other, ok := byTag[v.Tag]; ok {
			return other, v
		}
		byTag[v.Tag] = v
	}
	t.Fatal("no two texts have one tag")
	return a, b
}

func TestCollision(t *testing.T) {
	l := ledger.New(nil)
	a, b := collide(t)
	l.Shown("f", a, rows(1, 9), noon)
	require.Equal(t, ledger.Collision, l.Judge("f", a.Tag, b, cut(1, 1)).Reason)
	require.False(t, l.Covered("f", b, rows(1, 1)))
	// The refusal shows some rows of it; after that the tag stands for it.
	l.Shown("f", b, rows(4, 6), noon)
	v := l.Judge("f", a.Tag, b, cut(4, 6))
	require.Empty(t, v.Reason)
	require.Empty(t, v.Moved)
	// Nothing that was shown of the other counts, should it come back.
	require.Equal(t, ledger.Collision, l.Judge("f", a.Tag, a, cut(5, 5)).Reason)
	l.Shown("f", a, rows(1, 1), noon)
	v = l.Judge("f", a.Tag, a, cut(5, 5))
	require.Empty(t, v.Reason)
	if diff := cmp.Diff([]ledger.Moved{{Line: 5, Lines: 1, Now: 5, Fate: ledger.Changed}}, v.Moved); diff != "" {
		t.Fatal(diff)
	}
}

// TestMovedOnce sends a document with old numbers under a new tag, and again
// after the refusal said that it may be.
func TestMovedOnce(t *testing.T) {
	l := ledger.New(nil)
	old := numbered(100)
	now, changes := replaced(old, 3, 2, "new", "new too")
	l.Shown("f", of(old), rows(1, 40), noon)
	l.Edited("f", of(old), of(now), changes, rows(1, 7), noon)
	ops := append(cut(20, 22), hashline.Op{Kind: hashline.Append})
	v := l.Judge("f", of(now).Tag, of(now), ops)
	if diff := cmp.Diff(ledger.Verdict{
		ShownAt: noon, Moved: []ledger.Moved{{Line: 20, Lines: 3, Now: 22, Fate: ledger.Kept}},
	}, v); diff != "" {
		t.Fatal(diff)
	}
	// Rows that were shown, but never under the numbers that they have now.
	require.Equal(t, []ledger.Moved{{Line: 40, Lines: 1, Now: 42, Fate: ledger.Kept}, {Line: 41, Lines: 2, Fate: ledger.Unshown, Was: 39}},
		l.Judge("f", of(now).Tag, of(now), cut(40, 43)).Moved)
	_, ok := l.Correct(&hashline.Document{Sections: []hashline.Section{{Path: "f", Tag: of(now).Tag, Ops: ops}}},
		[]ledger.Live{{Path: "f", Version: of(now)}})
	require.False(t, ok)
	l.Offered("f", of(now), ledger.OffersOf(ops), noon)
	require.Empty(t, l.Judge("f", of(now).Tag, of(now), ops).Moved)
	// Lines never shown, and numbers never shown, are for another to decide.
	require.Equal(t, rows(60, 61), l.Judge("f", of(now).Tag, of(now), cut(60, 61)).Unseen)
	// The edit's own rows are where it shows them, and above it nothing moved.
	require.Empty(t, l.Judge("f", of(now).Tag, of(now), cut(1, 7)).Moved)
}

func TestStructuralEdit(t *testing.T) {
	l := ledger.New(nil)
	old := numbered(100)
	now, changes := replaced(old, 1, 50, numbered(60)[10:]...)
	l.Shown("f", of(old), rows(1, 100), noon)
	l.Edited("f", of(old), of(now), changes, nil, noon)
	v := l.Judge("f", of(now).Tag, of(now), cut(10, 60))
	require.Empty(t, v.Moved)
	require.Equal(t, rows(10, 50), v.Unseen)
}

func TestThereAndBack(t *testing.T) {
	l := ledger.New(nil)
	old := numbered(10)
	longer, one := replaced(old, 2, 1, "x")
	back, two := replaced(longer, 1, 2, "y")
	l.Shown("f", of(old), rows(1, 10), noon)
	l.Edited("f", of(old), of(longer), one, rows(1, 3), noon)
	l.Edited("f", of(longer), of(back), two, rows(1, 3), noon)
	// Number 8 may be the old one, or the one that the first edit told of.
	require.Equal(t, []ledger.Moved{{Line: 8, Lines: 1, Now: 8, Fate: ledger.Kept}},
		l.Judge("f", of(back).Tag, of(back), cut(8, 8)).Moved)
	require.Equal(t, []ledger.Stretch{{Old: 2, Now: 2}}, l.Renumber("f"))
	// An undo brings back a tag under which all was shown.
	l.Undone("f", of(back), of(old), nil, nil, noon)
	require.Empty(t, l.Judge("f", of(old).Tag, of(old), cut(8, 8)).Moved)
}

// TestVoid: of a text that is not held nobody knows what others did to it.
func TestVoid(t *testing.T) {
	version := func(sum uint64, lines int) ledger.Version {
		return ledger.Version{Tag: hashline.Tag(sum), Sum: sum, Lines: lines}
	}
	l := ledger.New(nil)
	require.Empty(t, l.Void("f"))
	l.Shown("f", version(1, 50), append(rows(1, 10), rows(20, 30)...), noon)
	require.Empty(t, l.Void("f"))
	l.Observe("f", version(2, 60))
	require.Equal(t, rows(1, 30), l.Void("f"))
	require.Empty(t, l.Renumber("f"))
	// What is shown now counts again, and what the session does to it.
	l.Shown("f", version(2, 60), rows(4, 6), noon)
	inserted := []ledger.Change{{Old: hashline.Span{First: 5, Last: 4}, New: hashline.Span{First: 5, Last: 6}}}
	l.Edited("f", version(2, 60), version(3, 62), inserted, rows(1, 9), noon)
	void := []hashline.Span{{First: 1, Last: 3}, {First: 7, Last: 30}}
	require.Equal(t, void, l.Void("f"))
	require.Equal(t, []ledger.Stretch{{Old: 5, Now: 7, Last: 6}}, l.Renumber("f"))
	var saved bytes.Buffer
	require.NoError(t, l.Save(&saved))
	loaded, err := ledger.Load(&saved, nil)
	require.NoError(t, err)
	require.Equal(t, void, loaded.Void("f"))
	l.Wrote("f", version(3, 62), version(4, 5), noon)
	require.Empty(t, l.Void("f"))
}

// TestWrongChanges: changes that do not lead from one text to the other are not
// believed.
func TestWrongChanges(t *testing.T) {
	old := numbered(20)
	now, _ := replaced(old, 5, 6, "x", "y", "z")
	now, _ = replaced(now, 12, 12)
	span := func(a, b int) hashline.Span { return hashline.Span{First: a, Last: b} }
	for _, wrong := range [][]ledger.Change{
		{},
		{{Old: span(5, 6), New: span(5, 7)}},
		{{Old: span(5, 6), New: span(4, 7)}, {Old: span(11, 11), New: span(12, 11)}},
		{{Old: span(5, 6), New: span(5, 7)}, {Old: span(11, 11), New: span(11, 10)}},
		{{Old: span(11, 11), New: span(12, 11)}, {Old: span(5, 6), New: span(5, 7)}},
		{{Old: span(5, 30), New: span(5, 30)}},
		{{Old: span(9, 5), New: span(9, 5)}},
	} {
		l := ledger.New(nil)
		l.Shown("f", of(old), rows(1, 20), noon)
		l.Edited("f", of(old), of(now), wrong, nil, noon)
		require.Equal(t, []ledger.Stretch{{Old: 7, Now: 8, Last: 10}}, l.Renumber("f"), "%v", wrong)
	}
}

func TestWrote(t *testing.T) {
	l := ledger.New(nil)
	l.Wrote("new", ledger.Version{}, of(numbered(5)), noon)
	require.True(t, l.Covered("new", of(numbered(5)), rows(1, 5)))
	l.Shown("f", of(numbered(50)), rows(1, 50), noon)
	l.Wrote("f", of(numbered(50)), of(numbered(20)[3:]), noon)
	v := l.Judge("f", of(numbered(20)[3:]).Tag, of(numbered(20)[3:]), cut(1, 17))
	require.Empty(t, v.Moved)
	require.Empty(t, v.Unseen)
	require.Empty(t, l.Renumber("f"))
	require.Equal(t, ledger.Current, l.Knows("f", of(numbered(20)[3:])))
	where, ok := l.Locate("f", of(numbered(50)).Tag, of(numbered(20)[3:]), cut(5, 6))
	require.True(t, ok)
	require.Equal(t, []ledger.Located{{
		First: ledger.Place{Line: 5, Now: 2, Fate: ledger.Kept}, Last: ledger.Place{Line: 6, Now: 3, Fate: ledger.Kept}, Whole: true,
	}}, where)
}

func TestRemoved(t *testing.T) {
	l := ledger.New(nil)
	v := of(numbered(5))
	l.Removed("f")
	l.Wrote("f", ledger.Version{}, v, noon)
	l.Removed("f")
	require.Empty(t, l.Renumber("f"))
	_, ok := l.Unchanged("f", ledger.Stamp{CtimeNs: 1})
	require.False(t, ok)
	// It comes back by an undo, and then another does.
	l.Undone("f", ledger.Version{}, v, nil, nil, noon)
	require.Empty(t, l.Judge("f", v.Tag, v, cut(1, 5)).Unseen)
	l.Removed("f")
	require.Equal(t, ledger.Stale, l.Judge("f", v.Tag, of(numbered(6)), cut(1, 5)).Reason)
}

// TestScheme: identity does not depend on what tags are shown.
func TestScheme(t *testing.T) {
	s := snapshot.New([]byte("a\nb\n"))
	x, r := ledger.VersionOf(snapshot.XXH64, s), ledger.VersionOf(snapshot.Rho, s)
	require.True(t, x.Same(r))
	require.Equal(t, snapshot.XXH64.Tag(s.Bytes()), x.Tag)
	require.Equal(t, snapshot.Rho.Tag(s.Bytes()), r.Tag)
	require.True(t, x.Same(ledger.VersionOf(snapshot.XXH64, snapshot.New([]byte("a \r\nb\t\n")))))
	require.False(t, x.Same(ledger.VersionOf(snapshot.XXH64, snapshot.New([]byte("a\nb")))))
}
