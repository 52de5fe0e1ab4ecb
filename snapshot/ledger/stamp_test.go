package ledger_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

func TestStamp(t *testing.T) {
	l := ledger.New(nil)
	v := of(numbered(3))
	s := ledger.Stamp{MtimeNs: noon.UnixNano() - 5, CtimeNs: noon.UnixNano(), Size: 6, Inode: 7, Dev: 8}
	trusted := func(s ledger.Stamp) bool {
		got, ok := l.Unchanged("f", s)
		require.True(t, !ok || got.Same(v) && got.Tag == v.Tag && got.Text != nil)
		return ok
	}
	l.Stamped("f", v, s, noon.Add(time.Hour))
	require.False(t, trusted(s), "nothing was shown")
	l.Shown("f", v, nil, noon)
	require.False(t, trusted(s))
	for _, c := range []struct {
		age  time.Duration
		want bool
	}{{-time.Hour, false}, {0, false}, {time.Second, false}, {3*time.Second - 1, false}, {3 * time.Second, true}, {time.Hour, true}} {
		l.Stamped("f", v, s, noon.Add(c.age))
		require.Equal(t, c.want, trusted(s), "%s after the change", c.age)
	}
	for _, other := range []ledger.Stamp{
		{MtimeNs: s.MtimeNs + 1, CtimeNs: s.CtimeNs, Size: 6, Inode: 7, Dev: 8},
		{MtimeNs: s.MtimeNs, CtimeNs: s.CtimeNs + 1, Size: 6, Inode: 7, Dev: 8},
		{MtimeNs: s.MtimeNs, CtimeNs: s.CtimeNs, Size: 5, Inode: 7, Dev: 8},
		{MtimeNs: s.MtimeNs, CtimeNs: s.CtimeNs, Size: 6, Inode: 8, Dev: 8},
		{MtimeNs: s.MtimeNs, CtimeNs: s.CtimeNs, Size: 6, Inode: 7, Dev: 7},
	} {
		require.False(t, trusted(other))
	}
	// A time that was set to the future, and a system without ctime.
	future := s
	future.MtimeNs = noon.Add(2 * time.Hour).UnixNano()
	l.Stamped("f", v, future, noon.Add(time.Hour))
	require.False(t, trusted(future))
	blind := s
	blind.CtimeNs = 0
	l.Stamped("f", v, blind, noon.Add(time.Hour))
	require.False(t, trusted(blind))
	// The stamp is of a text that is not live any more.
	l.Stamped("f", v, s, noon.Add(time.Hour))
	l.Observe("f", of(numbered(4)))
	require.False(t, trusted(s))
}

func view(path string, v ledger.Version) string {
	s := snapshot.Snapshot{Path: path, Tag: v.Tag, Text: v.Text}
	read, err := s.Read(1, math.MaxInt, 0)
	if err != nil {
		panic(err)
	}
	return read.Text
}

func TestRestore(t *testing.T) {
	v, w := of(numbered(50)), of(numbered(51))
	s := snapshot.Snapshot{Path: "f", Tag: v.Tag, Text: v.Text}
	part, err := s.Read(1, 49, 0)
	require.NoError(t, err)
	long := of([]string{strings.Repeat("x", 5000), "y"})
	large := of([]string{strings.Repeat(strings.Repeat("x", 1000)+"\n", 530)})
	unmarked := v
	unmarked.Text = nil
	for _, c := range []struct {
		name string
		r    ledger.Restored
		want int
	}{
		{"full", ledger.Restored{Path: "f", View: view("f", v), Live: v}, 1},
		{"with a line end", ledger.Restored{Path: "f", View: view("f", v) + "\n", Live: v}, 1},
		{"path as written", ledger.Restored{Path: "f", View: view("./f", v), Live: v}, 1},
		{"clipped rows", ledger.Restored{Path: "f", View: view("f", long), Live: long}, 1},
		{"empty", ledger.Restored{Path: "f", View: view("f", of(nil)), Live: of(nil)}, 1},
		{"part", ledger.Restored{Path: "f", View: part.Text, Live: v}, 0},
		{"changed since", ledger.Restored{Path: "f", View: view("f", v), Live: w}, 0},
		{"another file", ledger.Restored{Path: "g", View: view("f", v), Live: v}, 0},
		{"rows altered", ledger.Restored{Path: "f", View: strings.Replace(view("f", v), "7:7", "7:8", 1), Live: v}, 0},
		{"too large", ledger.Restored{Path: "f", View: view("f", large), Live: large}, 0},
		{"no text", ledger.Restored{Path: "f", View: view("f", v), Live: unmarked}, 0},
		{"no view", ledger.Restored{Path: "f", View: "hello", Live: v}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := ledger.New(nil)
			require.Equal(t, c.want, l.Restore([]ledger.Restored{c.r}, noon))
			require.Equal(t, c.want == 1, l.Covered("f", c.r.Live, rows(1, c.r.Live.Lines)))
		})
	}
	l := ledger.New(nil)
	require.Equal(t, 1, l.Restore([]ledger.Restored{{Path: "link", Real: "f", View: view("link", v), Live: v}}, noon))
	require.Equal(t, []string{"f"}, l.Paths())
	many := make([]ledger.Restored, 60)
	for i := range many {
		p := "f" + string(rune('A'+i))
		many[i] = ledger.Restored{Path: p, View: view(p, v), Live: v}
	}
	l = ledger.New(nil)
	require.Equal(t, 40, l.Restore(many, noon))
	require.Equal(t, ledger.Unread, l.Judge(many[19].Path, v.Tag+1, v, nil).Reason)
	require.Equal(t, []hashline.Span(nil), l.Judge(many[20].Path, v.Tag, v, cut(1, 50)).Unseen)
}
