package commit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// At any step of a commit another process removes or replaces the target, its
// folder, all of the root or the state folder. What others have made stays, the
// files that they left alone are all old or all new, as was said, and nothing
// is left behind, not even in a folder that was moved away.
func TestRemovedInTheMiddle(t *testing.T) {
	r := seeded(t)
	again := func(t *testing.T, path string) {
		put(t, filepath.Join(path, "f"), "theirs")
	}
	for name, do := range map[string]func(t *testing.T, root string, s *Store){
		"target removed":  func(t *testing.T, root string, _ *Store) { gone(t, filepath.Join(root, "d/f")) },
		"target replaced": func(t *testing.T, root string, _ *Store) { over("theirs")(t, filepath.Join(root, "d/f")) },
		"folder removed":  func(t *testing.T, root string, _ *Store) { require.NoError(t, os.RemoveAll(filepath.Join(root, "d"))) },
		"folder removed and made anew": func(t *testing.T, root string, _ *Store) {
			require.NoError(t, os.RemoveAll(filepath.Join(root, "d")))
			again(t, filepath.Join(root, "d"))
		},
		"folder moved": func(t *testing.T, root string, _ *Store) {
			require.NoError(t, os.Rename(filepath.Join(root, "d"), filepath.Join(root, "moved")))
		},
		"folder replaced": func(t *testing.T, root string, _ *Store) {
			require.NoError(t, os.Rename(filepath.Join(root, "d"), filepath.Join(root, "moved")))
			again(t, filepath.Join(root, "d"))
		},
		"root removed": func(t *testing.T, root string, _ *Store) { require.NoError(t, os.RemoveAll(root)) },
		"root moved":   func(t *testing.T, root string, _ *Store) { require.NoError(t, os.Rename(root, root+"-moved")) },
		"root replaced": func(t *testing.T, root string, _ *Store) {
			require.NoError(t, os.Rename(root, root+"-moved"))
			again(t, filepath.Join(root, "d"))
		},
		"state removed": func(t *testing.T, _ string, s *Store) { require.NoError(t, os.RemoveAll(s.Dir())) },
	} {
		t.Run(name, func(t *testing.T) {
			outcomes := map[string]int{}
			for n := range 18 {
				if !allFaults() && r.IntN(6) > 0 {
					continue
				}
				s, base := newStore(t), t.TempDir()
				s.noLease = true
				dir := filepath.Join(base, "root")
				for file, content := range map[string]string{"a": "1", "d/f": "2", "z": "3"} {
					put(t, filepath.Join(dir, file), content)
				}
				root := openRoot(t, dir)
				steps := 0
				s.step = func(string) {
					if steps++; steps == n+1 {
						do(t, dir, s)
					}
				}
				err := commit(s, root, edit("a", "1", "x"), create("d/n", "x"), edit("d/f", "2", "x"), edit("z", "3", "x"), create("n/e/w", "x"))
				s.step = nil
				said := codes(err)
				outcomes[fmt.Sprint(said)]++
				if err != nil && name != "root replaced" {
					for _, d := range diagnostics(err) {
						if _, lerr := os.Lstat(filepath.Join(dir, d.Path)); lerr != nil {
							require.NotRegexp(t, "holds the new version|stays created", d.Msg)
						}
					}
				}
				if _, err := s.Recover(t.Context(), root); name != "root removed" {
					require.NoError(t, err)
				}
				holds := func(path string) string {
					data, err := os.ReadFile(path)
					if err != nil {
						return "-"
					}
					return string(data)
				}
				moved := dir
				if strings.HasPrefix(name, "root") {
					moved += "-moved"
				}
				if name != "root removed" {
					alone := holds(filepath.Join(moved, "a")) + holds(filepath.Join(moved, "z")) + holds(filepath.Join(moved, "n/e/w"))
					switch {
					case err == nil, said[0] == hashline.NoUndo:
						require.Equal(t, "xxx", alone, "%v", err)
					case said[0] != "torn":
						require.Equal(t, "13-", alone, "%v", err)
					}
				}
				if strings.HasSuffix(name, "replaced") || strings.HasSuffix(name, "anew") {
					require.Equal(t, "theirs", holds(filepath.Join(dir, "d/f")))
				}
				for file := range tree(t, base) {
					require.False(t, isTemp(filepath.Base(file)), "%s is left: %v", file, err)
				}
				require.False(t, t.Failed(), "at step %d: %v", n, err)
			}
			t.Log(outcomes)
		})
	}
}
