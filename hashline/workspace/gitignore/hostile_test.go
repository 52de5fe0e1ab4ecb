//go:build unix

package gitignore_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
)

// open gives the Folder of a new root whose .gitignore is text.
func open(t *testing.T, text string) *gitignore.Folder {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(text), 0o644))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return gitignore.Open(root, gitignore.User{})
}

// Patterns that make a backtracking matcher take exponential time.
func TestHostilePatterns(t *testing.T) {
	name := strings.Repeat("a", 255)
	patterns := map[string]string{
		"stars":            strings.Repeat("*a", 100) + "b",
		"stars with slash": "/" + strings.Repeat("*a", 100) + "b",
		"folders":          strings.Repeat("**/", 500) + "b",
		"folders and star": "x/" + strings.Repeat("**/*a*", 300) + "b",
		"brackets":         strings.Repeat("*[a-z]", 100) + "b",
		"open bracket":     "*" + strings.Repeat("[", 4000),
	}
	for kind, pattern := range patterns {
		t.Run(kind, func(t *testing.T) {
			f := open(t, strings.Repeat(pattern+"\n", 20))
			start := time.Now()
			for range 20 {
				require.False(t, f.Ignored(name, false))
			}
			require.Less(t, time.Since(start), time.Minute)
		})
	}
}

func TestHostileFiles(t *testing.T) {
	t.Run("over the size limit", func(t *testing.T) {
		f := open(t, strings.Repeat("#"+strings.Repeat("x", 1022)+"\n", 1023)+"early\n"+strings.Repeat("#x\n", 400)+"late\n")
		require.True(t, f.Ignored("early", false))
		require.False(t, f.Ignored("late", false))
	})
	t.Run("a line without an end", func(t *testing.T) {
		require.False(t, open(t, strings.Repeat("x", 3<<20)).Ignored("x", false))
	})
	t.Run("too many patterns", func(t *testing.T) {
		f := open(t, strings.Repeat("a\n", 100_000)+"b\n")
		require.True(t, f.Ignored("a", false))
		require.False(t, f.Ignored("b", false))
	})
	t.Run("config files that include one another", func(t *testing.T) {
		w := newWorld(t, t.TempDir())
		w.write(w.home+"/.gitconfig", strings.Repeat("[include]\npath = .gitconfig\n", 1000))
		w.write(w.repo+"/a", "")
		start := time.Now()
		require.Equal(t, map[string]bool{"a": false}, w.walk(w.repo))
		require.Less(t, time.Since(start), time.Minute)
	})
	t.Run("a FIFO for an ignore file", func(t *testing.T) {
		w := newWorld(t, t.TempDir())
		for _, name := range []string{w.repo + "/.gitignore", w.repo + "/.git/info/exclude", w.home + "/.gitconfig"} {
			if err := syscall.Mkfifo(name, 0o644); err != nil {
				t.Skipf("SKIPPED: cannot make a FIFO: %v", err)
			}
		}
		require.Equal(t, map[string]bool{".gitignore": false}, w.walk(w.repo))
	})
}
