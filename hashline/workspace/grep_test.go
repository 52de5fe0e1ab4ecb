package workspace

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
	"github.com/hashline-go/hashline/hashline/workspace/search"
)

// TestUsersIgnoreFile: the user's settings of git count where the workspace was
// told where they lie, and whatever the environment says not otherwise.
func TestUsersIgnoreFile(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, ".config", "git", "ignore"), "*.log\n")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	files := map[string]string{".git/HEAD": "ref: refs/heads/main\n", "a.log": "x\n", "b.txt": "x\n"}
	for _, c := range []struct {
		user gitignore.User
		want string
	}{
		{gitignore.User{}, "a.log\nb.txt\n\n[2 matches in 2 files]"},
		{gitignore.User{Home: home}, "b.txt\n\n[1 matches in 1 files]"},
	} {
		w := guarded(t, files, Config{Git: c.user})
		res, err := w.Grep(context.Background(), search.Query{Pattern: "x", Mode: search.FilesWithMatches})
		require.NoError(t, err)
		require.Equal(t, c.want, res.Content)
	}
}
