package commit

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// What was written of the files that a commit left is read once for all of them,
// however long the history is, and each has one record.
func TestNotesReadTheHistoryOnce(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	id, err := rootID(root)
	require.NoError(t, err)
	p, err := s.past(t.Context(), s.patience(), true)
	require.NoError(t, err)
	defer p.close()
	old, err := p.history.Put([]byte("old"), false)
	require.NoError(t, err)
	found := history.Sum([]byte("theirs"))
	at := time.Now()
	of := history.Record{ID: history.NewID(at), Time: at, Root: id, Tool: "edit"}
	for i := range 300 {
		name := history.Name(fmt.Sprintf("f%d", i))
		of.Files = append(of.Files, history.File{Path: name, Real: name, Old: &old, New: &old})
	}
	for range 50 { // newer edits, of the same files
		other := of
		other.ID = history.NewID(time.Now())
		require.NoError(t, p.history.Append(other, false))
	}
	all := func() (ids []string) {
		n := p.notesOn(&journal{Record: of}, false)
		for i := range of.Files {
			id, err := n.left(i, &found)
			require.NoError(t, err)
			ids = append(ids, id)
		}
		return ids
	}
	var before, between, after runtime.MemStats
	runtime.ReadMemStats(&before)
	count := len(records(t, s, root))
	runtime.ReadMemStats(&between)
	first := all()
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-between.TotalAlloc, 3*(between.TotalAlloc-before.TotalAlloc))

	seen := map[string]bool{}
	for _, id := range first {
		require.NotEmpty(t, id)
		require.False(t, seen[id])
		seen[id] = true
	}
	same(t, first, all())
	require.Len(t, records(t, s, root), count+len(first))
}
