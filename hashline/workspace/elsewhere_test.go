package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// A file that is not found is answered with those of just its name in other folders:
// those with most of its folders above them first, then the nearest.
func TestNamesElsewhere(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{
		"cmd/main.go", "cmd/tool/main.go", "tools/x/y/main.go", "a/only.txt", "deep/1/2/3/deep.txt", "lib/util/util.go", "lib/util.go", "other/pkg/lib/util.go",
		"docs/guide.md", "docs/.hidden.md", ".git/guide.md", ".cache/guide.md", "ignored/main.go", "ignored/gone.txt", "x.log/gone.txt", "link.d/real.txt", "é/x.c",
	} {
		files[name] = name + "\n"
	}
	files[".gitignore"] = "ignored/\n*.log\n"
	w := open(t, files)
	require.NoError(t, os.MkdirAll(filepath.Join(w.dir, ".git"), 0o777))
	require.NoError(t, os.Symlink("real.txt", filepath.Join(w.dir, "link.d/link.txt")))
	require.NoError(t, os.Symlink("link.d", filepath.Join(w.dir, "linked")))
	for name, want := range map[string]string{
		"main.go":              "cmd/main.go, cmd/tool/main.go, tools/x/y/main.go",
		"tool/main.go":         "cmd/tool/main.go, cmd/main.go, tools/x/y/main.go",
		"cmd/tools/main.go":    "cmd/main.go, cmd/tool/main.go, tools/x/y/main.go",
		"src/only.txt":         "a/only.txt",
		"docs/only.txt":        "a/only.txt",
		"deep/deep.txt":        "deep/1/2/3/deep.txt",
		"docs/sub/guide.md":    "docs/guide.md",
		"guide.md":             "docs/guide.md",
		"lib/main/util.go":     "lib/util.go, lib/util/util.go, other/pkg/lib/util.go",
		"pkg/lib/util.go":      "other/pkg/lib/util.go, lib/util.go, lib/util/util.go",
		".hidden.md":           "docs/.hidden.md",
		"gone.txt":             "", // ignored
		"link.txt":             "", // a link
		"linked/only.txt":      "a/only.txt",
		"linked/sub/real.txt":  "link.d/real.txt",
		"x.c":                  "é/x.c (spelled \"\\u00e9/x.c\")",
		"Main.go":              "",
		"nothing/of/the/kind":  "",
		"../" + "outside.txt":  "",
		"ignored/only.txt":     "a/only.txt",
		"cmd/main.go/guide.md": "docs/guide.md",
	} {
		for tool, input := range map[string]string{"read_file": `{"path": %q}`, "grep": `{"pattern": "a", "path": %q}`, "edit": `{"input": "[%s#1234]\nCUT 1\n"}`} {
			got := w.Call(t.Context(), tool, fmt.Appendf(nil, input, name))
			require.False(t, got.OK)
			_, names, _ := strings.Cut(strings.TrimSuffix(got.Faults[0].Hint, "; "+useWrite), "close names: ")
			require.Equal(t, want, names, "%s %s: %s", tool, name, got.Content)
		}
	}
	// Names that are only like it follow.
	put(t, filepath.Join(w.dir, "mains.go"), "x\n")
	got := w.Call(t.Context(), "read_file", []byte(`{"path": "only.txt"}`))
	require.Contains(t, got.Content, "close names: a/only.txt")
	put(t, filepath.Join(w.dir, "onli.txt"), "x\n")
	got = w.Call(t.Context(), "read_file", []byte(`{"path": "only.txt"}`))
	require.Contains(t, got.Content, "close names: a/only.txt, onli.txt")
}

// What may not be read is not named, nor what a client's folders leave out, nor what
// the state folder holds.
func TestNamesElsewhereThatMayNotBeRead(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"secret/key.txt", "a/secret/pub/key.txt", "a/key.txt", "b/key.txt", "state/key.txt", "a/b/c.key", "out/c.key"} {
		put(t, filepath.Join(dir, name), "x\n")
	}
	w, err := Open(dir, Config{State: filepath.Join(dir, "state"), Deny: []string{"secret", "*.key"}, Allow: []string{"a/secret/pub/**"}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	names := func(s *Session, name string) string {
		got := s.Call(t.Context(), "read_file", fmt.Appendf(nil, `{"path": %q}`, name))
		require.Equal(t, hashline.NotFound, got.Code, got.Content)
		return got.Faults[0].Hint
	}
	s := w.Session(SessionConfig{})
	require.Equal(t, "close names: a/key.txt, b/key.txt, a/secret/pub/key.txt", names(s, "key.txt"))
	require.Equal(t, "", names(s, "c.kex"))
	s = w.Session(SessionConfig{Narrow: &Narrow{Folders: []string{"a/b", "b"}}})
	require.Equal(t, "close names: b/key.txt", names(s, "a/b/key.txt"))
	require.Equal(t, "close names: b/key.txt", names(s, "b/x/key.txt"))
	s = w.Session(SessionConfig{Narrow: &Narrow{Folders: []string{"a/b"}}})
	require.Equal(t, "", names(s, "a/b/key.txt"))
}
