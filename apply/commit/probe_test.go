package commit

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// A probe leaves nothing behind, and finds on a usual file system what commits
// there make use of.
func TestProbe(t *testing.T) {
	root := openRoot(t, t.TempDir())
	can, err := Probe(root)
	require.NoError(t, err)
	if runtime.GOOS == "linux" {
		require.True(t, can.FolderSync)
	}
	entries, err := os.ReadDir(root.Name())
	require.NoError(t, err)
	require.Empty(t, entries)
	require.NoError(t, os.Remove(root.Name()))
	_, err = Probe(root)
	require.Error(t, err)
}

// Journals are counted while they wait, not while their commit is under way, and
// once they are put aside for all roots.
func TestJournals(t *testing.T) {
	s, root := newStore(t), openRoot(t, t.TempDir())
	count := func(r *os.Root) [2]int {
		waiting, aside, err := s.Journals(r)
		require.NoError(t, err)
		return [2]int{waiting, aside}
	}
	require.Equal(t, [2]int{0, 0}, count(root))
	dir, err := s.folder(journalFolder)
	require.NoError(t, err)
	t.Cleanup(func() { dir.Close() })
	id, err := rootID(root)
	require.NoError(t, err)
	slot, err := claim(dir, id.Key())
	require.NoError(t, err)
	require.NoError(t, slot.write([]byte("journal"), false))
	require.Equal(t, [2]int{0, 0}, count(root), "its commit is under way")
	slot.close()
	require.Equal(t, [2]int{1, 0}, count(root))
	require.Equal(t, [2]int{0, 0}, count(openRoot(t, t.TempDir())))
	_, err = slot.putAside()
	require.NoError(t, err)
	require.Equal(t, [2]int{0, 1}, count(root))
	require.Equal(t, [2]int{0, 1}, count(openRoot(t, t.TempDir())))
}
