package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// longLog fills the history of a workspace with edits of other files, until its
// records are so many bytes long.
func longLog(t *testing.T, s *Session, size int64) {
	t.Helper()
	_, err := s.Write(t.Context(), WriteArgs{Path: history.NewID(time.Now()), Content: "b\n"})
	require.NoError(t, err)
	var first history.Record
	_, err = s.store.Records(s.root, func(r history.Record) bool { first = r; return false })
	require.NoError(t, err)
	root, err := os.OpenRoot(filepath.Join(s.state, "history"))
	require.NoError(t, err)
	defer root.Close()
	past := history.New(root)
	for n := 0; ; n++ {
		rec := first
		rec.Files = nil
		for i := range 50 {
			f := first.Files[0]
			f.Path = history.Name(fmt.Sprintf("other/%d-%d", n, i))
			f.Real = f.Path
			rec.Files = append(rec.Files, f)
		}
		rec.Time = time.Now()
		rec.ID = history.NewID(rec.Time)
		require.NoError(t, past.Append(rec, false))
		if n%50 == 0 {
			names, err := filepath.Glob(filepath.Join(s.state, "history", "records", "*.log"))
			require.NoError(t, err)
			require.Len(t, names, 1)
			info, err := os.Stat(names[0])
			require.NoError(t, err)
			if info.Size() >= size {
				return
			}
		}
	}
}
