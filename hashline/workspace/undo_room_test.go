package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// What can be edited can be undone: a file of the largest size, and as many
// together as an edit may have, before and after. More is refused, unread.
func TestUndoOfLargeFiles(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		name      string
		now, then []int64 // in MiB
		refused   bool
	}{
		{"one", []int64{1024}, []int64{1024}, false},
		{"one that is made again", nil, []int64{1024}, false},
		{"two that fit", []int64{600, 400}, []int64{500, 500}, false},
		{"two that are too much", []int64{600, 600}, []int64{1, 1}, true},
		{"two that become too much", []int64{1, 1}, []int64{600, 600}, true},
		{"two that are made again", nil, []int64{600, 600}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
			s := openUnsynced(t, dir, state, Config{})
			kept := filepath.Join(state, "history", "kept")
			require.NoError(t, os.MkdirAll(kept, 0o700))
			sparse := func(name string, size int64) {
				require.NoError(t, os.WriteFile(name, nil, 0o600))
				require.NoError(t, os.Truncate(name, size*mib))
			}
			var files []*reversal
			for i, size := range c.then {
				name := string(rune('a' + i))
				d := history.Sum([]byte(name))
				sparse(filepath.Join(kept, d.String()), size)
				if c.now != nil {
					sparse(filepath.Join(dir, name), c.now[i])
				}
				files = append(files, &reversal{path: name, real: name, then: &d})
			}
			err := s.notTooMuch(files)
			if c.refused {
				require.ErrorIs(t, err, hashline.TooLarge)
			} else {
				require.NoError(t, err)
			}
		})
	}
}
