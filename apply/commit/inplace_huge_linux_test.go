package commit

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// allocates requires that do has little in memory.
func allocates(t *testing.T, most uint64, do func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, most)
}

// Another writer who makes a huge file of one that is overwritten, at whatever
// moment, has nobody hold it.
func TestInPlaceGrowsHuge(t *testing.T) {
	const huge = 256 << 20
	grow := func(t *testing.T, root *os.Root) {
		require.NoError(t, os.Truncate(filepath.Join(root.Name(), "a"), huge))
	}
	for _, new := range []string{"new", "new and longer"} {
		for _, step := range []string{"compare a", "poured a", "verify a"} {
			s, root := newStore(t), newRoot(t, map[string]string{"a": "old one"})
			require.NoError(t, root.Link("a", "b"))
			s.noLease = true
			met := false
			s.step = func(at string) {
				if at == step {
					met = true
					grow(t, root)
				}
			}
			allocates(t, 16<<20, func() {
				for _, code := range codes(commit(s, root, inPlace("a", "old one", new))) {
					require.Contains(t, []hashline.Code{"torn", hashline.ChangedDuringEdit}, code)
				}
			})
			require.True(t, met)
			info, err := root.Stat("b")
			require.NoError(t, err)
			require.EqualValues(t, huge, info.Size())
		}
		s, root := newStore(t), newRoot(t, map[string]string{"a": "old one", "c": "1"})
		require.NoError(t, root.Link("a", "b"))
		tr := crash(t, s, root, 1, edit("c", "1", "one"), inPlace("a", "old one", new))
		mark(t, s, tr, markWriting)
		grow(t, root)
		allocates(t, 16<<20, func() {
			report, err := s.Recover(t.Context(), root)
			require.NoError(t, err)
			require.Len(t, report.Conflicts, 1)
		})
	}
}
