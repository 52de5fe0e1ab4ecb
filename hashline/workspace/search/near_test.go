package search

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
)

// However large, wide or deep a tree is, only so much of it is looked at.
func TestNearIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		make func(dir string)
		from string
		want []string
	}{
		"many folders": {func(dir string) {
			for i := range 2 * nearFolders {
				require.NoError(t, os.MkdirAll(filepath.Join(dir, fmt.Sprintf("d%04d", i), "sub"), 0o777))
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, "d0007", "f"), nil, 0o666))
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("d%04d", nearFolders+5), "f"), nil, 0o666))
		}, ".", []string{"d0007/f"}},
		"many files": {func(dir string) {
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "a"), 0o777))
			for i := range nearEntries + 100 {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "a", fmt.Sprint(i)), nil, 0o666))
			}
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "b"), 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "b", "f"), nil, 0o666))
		}, ".", nil},
		"a deep folder": {func(dir string) {
			require.NoError(t, os.MkdirAll(filepath.Join(dir, strings.Repeat("d/", nearDepth+1)), 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(dir, strings.Repeat("d/", nearDepth), "f"), nil, 0o666))
			require.NoError(t, os.WriteFile(filepath.Join(dir, strings.Repeat("d/", nearDepth+1), "f"), nil, 0o666))
		}, ".", []string{strings.Repeat("d/", nearDepth) + "f"}},
		"many of the name": {func(dir string) {
			for i := range 3 * nearFound {
				require.NoError(t, os.MkdirAll(filepath.Join(dir, fmt.Sprintf("d%02d", i)), 0o777))
				require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("d%02d", i), "f"), nil, 0o666))
			}
		}, ".", func() (want []string) {
			for i := range nearFound {
				want = append(want, fmt.Sprintf("d%02d/f", i))
			}
			return want
		}()},
		"up from below": {func(dir string) {
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "a/b/c"), 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), nil, 0o666))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a/b/c/f"), nil, 0o666))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a/f"), nil, 0o666))
		}, "a/b", []string{"a/b/c/f", "a/f", "f"}},
		"no such folder": {func(string) {}, "gone", nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.make(dir)
			root, err := os.OpenRoot(dir)
			require.NoError(t, err)
			defer root.Close()
			asked := 0
			got := Near(t.Context(), root, gitignore.User{}, c.from, "f", func(string, bool) bool { asked++; return true })
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			require.LessOrEqual(t, asked, nearEntries+nearFolders*(nearDepth+1))
		})
	}
}
