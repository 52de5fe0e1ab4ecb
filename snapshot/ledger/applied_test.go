package ledger_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// states are texts of a file, one after the other.
func states(n int) []ledger.Version {
	var all []ledger.Version
	for i := range n {
		all = append(all, text(fmt.Sprint("state ", i, "\n")))
	}
	return all
}

func TestApplied(t *testing.T) {
	l := ledger.New(nil)
	s := states(6)
	doc := func(tag hashline.Tag) *hashline.Document {
		return &hashline.Document{Sections: []hashline.Section{{Path: "f", Tag: tag, Ops: cut(1, 1)}}}
	}
	first, second := doc(s[0].Tag), doc(s[1].Tag)
	is := func(d *hashline.Document, live ledger.Version) bool {
		return l.Applied(d, []ledger.Live{{Path: "f", Version: live}})
	}
	edit := func(d *hashline.Document, a, b ledger.Version) {
		if d != nil {
			l.NoteApplied(d, []ledger.Landed{{Path: "f", Base: a, Result: b}})
		}
		l.Edited("f", a, b, nil, nil, noon)
	}
	require.False(t, is(first, s[1]))
	edit(first, s[0], s[1])
	require.True(t, is(first, s[1]))
	require.True(t, is(doc(s[0].Tag), s[1]))
	require.False(t, is(second, s[1]), "another document")
	require.False(t, is(first, s[0]), "its base is live")
	require.False(t, is(first, s[5]), "others changed it")

	edit(second, s[1], s[2])
	require.True(t, is(first, s[2]), "a later edit of ours")
	l.Wrote("f", s[2], s[3], noon)
	require.True(t, is(first, s[3]))
	l.Undone("f", s[3], s[2], nil, nil, noon)
	l.Undone("f", s[2], s[1], nil, nil, noon)
	require.True(t, is(first, s[1]))
	require.False(t, is(second, s[1]), "undone, its base is live")
	edit(nil, s[1], s[4])
	require.True(t, is(first, s[4]))
	require.False(t, is(second, s[4]), "undone, and something else was made of its base")
	// Others bring its result back, and something is made of that.
	edit(nil, s[2], s[3])
	require.False(t, is(second, s[3]))
	// What others made of it is not ours, nor what we made of that.
	edit(nil, s[5], s[3])
	require.False(t, is(first, s[3]))

	// It outlives the process and what the agent forgot.
	l.ForgetAll()
	var saved bytes.Buffer
	require.NoError(t, l.Save(&saved))
	l, err := ledger.Load(&saved, nil)
	require.NoError(t, err)
	require.True(t, is(first, s[4]))
	require.False(t, is(second, s[4]))
	l = l.Fork()
	require.False(t, is(first, s[4]))
}

func TestAppliedSections(t *testing.T) {
	l := ledger.New(nil)
	s := states(4)
	doc := &hashline.Document{Sections: []hashline.Section{
		{Path: "a", Tag: s[0].Tag, Ops: cut(1, 1)}, {Path: "./b", Tag: s[2].Tag, Ops: cut(1, 1)},
	}}
	l.NoteApplied(doc, []ledger.Landed{{Path: "a", Base: s[0], Result: s[1]}, {Path: "b", Base: s[2], Result: s[3]}})
	live := func(a, b int) []ledger.Live {
		return []ledger.Live{{Path: "a", Version: s[a]}, {Path: "b", Version: s[b]}}
	}
	require.True(t, l.Applied(doc, live(1, 3)))
	require.False(t, l.Applied(doc, live(1, 2)))
	require.False(t, l.Applied(doc, live(0, 3)))
	require.False(t, l.Applied(doc, live(1, 3)[:1]))
	require.False(t, l.Applied(doc, live(1, 1)))
}

func TestAppliedBounded(t *testing.T) {
	l := ledger.New(nil)
	s := states(2)
	doc := func(n int) *hashline.Document {
		return &hashline.Document{Sections: []hashline.Section{{Path: "f", Tag: s[0].Tag, Ops: cut(n, n)}}}
	}
	for n := 1; n <= 300; n++ {
		l.NoteApplied(doc(n), []ledger.Landed{{Path: "f", Base: s[0], Result: s[1]}})
	}
	live := []ledger.Live{{Path: "f", Version: s[1]}}
	require.False(t, l.Applied(doc(300-256), live))
	require.True(t, l.Applied(doc(300-255), live))
	// A document of many sections takes the place of others.
	long := doc(300)
	var landed []ledger.Landed
	for range 5000 {
		landed = append(landed, ledger.Landed{Path: "f", Base: s[0], Result: s[1]})
	}
	l.NoteApplied(doc(1000), landed)
	require.False(t, l.Applied(long, live))
	l.NoteApplied(long, []ledger.Landed{{Path: "f", Base: s[0], Result: s[1]}})
	// The first state and the last ones are kept of a long chain.
	before := s[1]
	for n := range 500 {
		now := text(fmt.Sprint("later ", n))
		l.Edited("f", before, now, nil, nil, noon)
		before = now
	}
	require.True(t, l.Applied(doc(300), live))
	require.True(t, l.Applied(doc(300), []ledger.Live{{Path: "f", Version: before}}))
	require.False(t, l.Applied(doc(300), []ledger.Live{{Path: "f", Version: text("later 3")}}))
}
