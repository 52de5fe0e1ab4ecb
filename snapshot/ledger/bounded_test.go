package ledger_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestBoundedTexts shows far more text than a shelf holds.
func TestBoundedTexts(t *testing.T) {
	const textBytes, hashBytes = 4 << 20, 1 << 20
	shelf := ledger.NewShelf(textBytes, hashBytes)
	l := ledger.New(shelf)
	before := heap()
	body := strings.Repeat("some line of a file\n", 10000)
	for i := range 200 {
		v := text(fmt.Sprint(i, "\n", body))
		l.Shown(fmt.Sprint("f", i), v, rows(1, v.Lines), noon)
		texts, hashes := shelf.Held()
		require.LessOrEqual(t, texts, textBytes)
		require.LessOrEqual(t, hashes, hashBytes)
	}
	require.Less(t, heap()-before, 2*(textBytes+hashBytes))
	// The last are held, the first are known all the same.
	require.NotNil(t, l.Text("f199", text(fmt.Sprint(199, "\n", body)).Tag))
	first := text("0\n" + body)
	require.Nil(t, l.Text("f0", first.Tag))
	require.True(t, l.Covered("f0", first, rows(1, 10001)))
	runtime.KeepAlive(l)
}

// TestSharedTexts: one text is kept once, whoever is shown it.
func TestSharedTexts(t *testing.T) {
	shelf := ledger.NewShelf(0, 0)
	v := of(numbered(1000))
	for i := range 50 {
		l := ledger.New(shelf)
		for k := range 3 {
			l.Shown(fmt.Sprint("f", i, k), v, rows(1, 9), noon)
		}
	}
	texts, _ := shelf.Held()
	require.Less(t, texts, 2*len(v.Text.Bytes()))
}

// TestBoundedRuns shows single rows, far apart, in many files and versions.
func TestBoundedRuns(t *testing.T) {
	l := ledger.New(ledger.NewShelf(1<<20, 1<<20))
	r := rand.New(rand.NewPCG(5, 5))
	before := heap()
	large := of(numbered(200_000))
	large.Text = nil // only the records are of interest
	for i := range 40 {
		var spans []hashline.Span
		for range 1000 {
			n := 1 + r.IntN(large.Lines)
			spans = append(spans, hashline.Span{First: n, Last: n})
		}
		l.Shown("large", large, spans, noon)
		for k := range 100 {
			l.Shown(fmt.Sprint("small ", i, " ", k), text(fmt.Sprint(k)), rows(1, 1), noon)
		}
	}
	used := heap() - before
	require.Less(t, used, 32<<20)
	require.LessOrEqual(t, len(l.Paths()), 2048)
	// Every version of a file by a new edit.
	lines := numbered(1000)
	v := of(lines)
	l.Shown("edited", v, rows(1, 1000), noon)
	for i := range 200 {
		at := 1 + r.IntN(len(lines))
		now, changes := replaced(lines, at, at-1, fmt.Sprint("new ", i))
		l.Edited("edited", of(lines), of(now), changes, rows(at, at), noon)
		lines = now
	}
	require.Less(t, heap()-before, 64<<20)
	var saved bytes.Buffer
	require.NoError(t, l.Save(&saved))
	require.Less(t, saved.Len(), 24<<20)
	_, err := ledger.Load(&saved, nil)
	require.NoError(t, err)
}

// TestManyRunsRefuse: where a file has too many runs, what was shown counts as
// moved rather than as good.
func TestManyRunsRefuse(t *testing.T) {
	l := ledger.New(nil)
	v := ledger.Version{Tag: 1, Sum: 1, Lines: 200_000}
	var spans []hashline.Span
	for n := 1; n < v.Lines; n += 2 {
		spans = append(spans, hashline.Span{First: n, Last: n})
	}
	l.Shown("f", v, spans, noon)
	next := ledger.Version{Tag: 2, Sum: 2, Lines: 200_000}
	l.Edited("f", v, next, []ledger.Change{{Old: hashline.Span{First: 9, Last: 9}, New: hashline.Span{First: 9, Last: 9}}}, nil, noon)
	moved := []ledger.Moved{{Line: 11, Lines: 1, Fate: ledger.Unknown}}
	require.Equal(t, moved, l.Judge("f", 2, next, cut(11, 11)).Moved)
	require.Equal(t, rows(1, 199_999), l.Void("f"))
	l.Shown("f", next, rows(11, 11), noon)
	require.Empty(t, l.Judge("f", 2, next, cut(11, 11)).Moved)
}

// TestManyRunsForget: the files that were not used for longest go.
func TestManyRunsForget(t *testing.T) {
	l := ledger.New(nil)
	for i := range 10 {
		v := ledger.Version{Tag: 1, Sum: uint64(i), Lines: 20_000}
		var spans []hashline.Span
		for n := 1; n < v.Lines; n += 2 {
			spans = append(spans, hashline.Span{First: n, Last: n})
		}
		l.Shown(fmt.Sprint("f", i), v, spans, noon)
	}
	require.Equal(t, []string{"f6", "f7", "f8", "f9"}, l.Paths())
}

// TestMillionLines: the steps of a session in a file of a million lines.
func TestMillionLines(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a second")
	}
	l := ledger.New(nil)
	old := numbered(1_000_000)
	now, _ := replaced(old, 10, 9, "x")
	now, _ = replaced(now, 900_000, 900_000)
	l.Shown("f", of(old), rows(1, 1_000_000), noon)
	v := l.Judge("f", of(now).Tag, of(now), append(cut(5, 5), cut(500_000, 500_009)...))
	require.Equal(t, []ledger.Moved{{Line: 500_000, Lines: 10, Now: 500_001, Fate: ledger.Kept}}, v.Moved)
	doc := &hashline.Document{Sections: []hashline.Section{{Path: "f", Tag: of(old).Tag, Ops: cut(500_000, 600_000)}}}
	got, ok := l.Correct(doc, []ledger.Live{{Path: "f", Version: of(now)}})
	require.True(t, ok)
	require.Equal(t, hashline.Span{First: 500_001, Last: 600_001}, got.Sections[0].Ops[0].Span)
}

// TestParallel is for the race detector: every method at once.
func TestParallel(t *testing.T) {
	l := ledger.New(ledger.NewShelf(1<<14, 1<<14))
	var all sync.WaitGroup
	for k := range 8 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(k), 6))
			lines := numbered(50)
			for i := range 200 {
				p := fmt.Sprint("f", r.IntN(3))
				now, changes := replaced(lines, 1+r.IntN(20), 20, fmt.Sprint("new ", k, i))
				a, b := of(lines), of(now)
				l.Shown(p, a, rows(1, 10+r.IntN(10)), noon)
				l.Edited(p, a, b, changes, rows(5, 9), noon)
				doc := &hashline.Document{Sections: []hashline.Section{{Path: p, Tag: a.Tag, Ops: cut(3, 4)}}}
				live := []ledger.Live{{Path: p, Version: b}}
				l.NoteApplied(doc, []ledger.Landed{{Path: p, Base: a, Result: b}})
				l.Applied(doc, live)
				l.Correct(doc, live)
				l.Locate(p, a.Tag, b, cut(3, 4))
				l.Judge(p, b.Tag, b, cut(1, 9))
				l.Renumber(p)
				l.Void(p)
				l.Covered(p, b, rows(1, 3))
				l.Knows(p, a)
				l.Stamped(p, b, ledger.Stamp{CtimeNs: 1}, noon)
				l.Unchanged(p, ledger.Stamp{CtimeNs: 1})
				l.Fork().Wrote(p, a, b, noon)
				if i%50 == 0 {
					l.Removed(p)
					l.Forget(p)
					var saved bytes.Buffer
					if err := l.Save(&saved); err != nil {
						t.Error(err)
					}
					if _, err := ledger.Load(&saved, nil); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
}
