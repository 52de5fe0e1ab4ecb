package commit

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// An edit whose old versions are more than the history may hold says that it
// cannot be undone, and takes nothing else away.
func TestMoreThanTheHistoryHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	random := func(size int) string {
		b := make([]byte, size)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}
	big, one, two := random(200<<10), random(50<<10), random(50<<10)
	for _, c := range []struct {
		name    string
		copyTo  int
		noLease bool
		changes []Change
		said    int
		kept    []string
	}{
		{"a file that is kept whole", 1 << 10, false, []Change{edit("big", big, "x")}, 1, nil},
		{"without leases", 1 << 10, true, []Change{edit("big", big, "x")}, 1, nil},
		{"a removed file", 1 << 10, false, []Change{{Path: "big", Old: []byte(big), Remove: true}}, 1, nil},
		{"one of two", 1 << 10, false, []Change{edit("one", one, "x"), edit("two", two, "x")}, 1, []string{one}},
		{"that fits", 1 << 10, false, []Change{edit("one", one, "x")}, 0, []string{one}},
		{"copies without leases", 1 << 20, true, []Change{edit("one", one, "x"), edit("two", two, "x")}, 2, nil},
		{"copies", 1 << 20, false, []Change{edit("one", one, "x"), edit("two", two, "x")}, 2, nil},
		{"a copy that is small enough", 1 << 20, false, []Change{edit("zeros", string(make([]byte, 300<<10)), "x")}, 0, []string{string(make([]byte, 300<<10))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "big": big, "one": one, "two": two, "zeros": string(make([]byte, 300<<10))})
			s.HistoryBytes, s.keeping, s.noLease = 100<<10, keeping{copyTo: c.copyTo, keepFrom: 1 << 20}, c.noLease
			require.NoError(t, commit(s, root, edit("a", "1", "2")))
			warnings, err := s.Commit(t.Context(), root, c.changes)
			require.NoError(t, err)
			require.Len(t, warnings, c.said)
			for _, w := range warnings {
				require.Equal(t, hashline.NoUndo, w.Code)
				require.Contains(t, w.Msg, "more than the history may hold")
			}
			if c.copyTo < 1<<20 {
				c.kept = append(c.kept, "1")
			}
			for _, text := range c.kept {
				image, err := s.Image(history.Sum([]byte(text)))
				require.NoError(t, err)
				require.Equal(t, text, string(image))
			}
		})
	}
}
