package setup

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// FuzzMerge: whatever the file, putting the entry in is refused or leaves a file
// that has it and into which it is put again without a change; and it can be
// taken out again, after which the file says what it said.
func FuzzMerge(f *testing.F) {
	files, err := filepath.Glob("testdata/merge/*.txtar")
	require.NoError(f, err)
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		require.NoError(f, err)
		for _, file := range a.Files {
			f.Add(file.Data, true)
			f.Add(file.Data, false)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, toml bool) {
		client := Find("gemini")
		if toml {
			client = Find("codex")
		}
		s := Server{Name: "our server", Command: "hashline", Args: []string{"mcp"}}
		put, err := client.Put(data, s, false)
		if err != nil || put.Change != Added {
			return
		}
		again, err := client.Put(put.Data, s, false)
		require.NoError(t, err)
		require.Equal(t, Unchanged, again.Change)
		gone, err := client.Remove(put.Data, s, false)
		require.NoError(t, err, "%q", put.Data)
		require.True(t, client.Same(data, gone.Data), "%q became %q", data, gone.Data)
	})
}
