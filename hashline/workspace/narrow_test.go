package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/search"
)

// tree is a workspace with files in and around the folders a and b/c.
func tree(t *testing.T, cfg Config) *Workspace {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"top.txt", "a/x.txt", "ab/x.txt", "b/x.txt", "b/c/x.txt"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("needle\n"), 0o666))
	}
	cfg.State = t.TempDir()
	w, err := Open(dir, cfg)
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

// What lies in the folders can be reached, and nothing else, by any tool.
func TestNarrow(t *testing.T) {
	w := tree(t, Config{Deny: []string{"a/secret"}})
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("../top.txt", filepath.Join(w.dir, "a", "out")))
		require.NoError(t, os.Symlink("a", filepath.Join(w.dir, "in")))
	}
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, "a", "secret"), []byte("needle\n"), 0o666))
	s := w.Session(SessionConfig{Narrow: &Narrow{Folders: []string{"a", "b/c"}, Reason: "because"}})
	for name, want := range map[string]hashline.Code{
		"a/x.txt": "", "b/c/x.txt": "", "a/new.txt": "", "b/c/d/new.txt": "",
		"top.txt": hashline.OutsideRoot, "ab/x.txt": hashline.OutsideRoot, "b/x.txt": hashline.OutsideRoot,
		"a/../top.txt": hashline.OutsideRoot, "new.txt": hashline.OutsideRoot, "a/out": hashline.OutsideRoot,
		"in/x.txt": hashline.OutsideRoot, w.dir + "/top.txt": hashline.OutsideRoot, "../x": hashline.OutsideRoot,
		"a/secret": hashline.Denied,
	} {
		if runtime.GOOS == "windows" && (name == "a/out" || name == "in/x.txt") {
			continue
		}
		_, err := s.Write(t.Context(), WriteArgs{Path: name, Content: "needle\n"})
		var r *Refusal
		switch {
		case want == "":
			require.NoError(t, err, name)
		case !errors.As(err, &r) || r.Code() != want:
			t.Errorf("writing %s: %v, want %s", name, err, want)
		case want == hashline.OutsideRoot && !strings.Contains(r.Content, "because"):
			t.Errorf("writing %s: without the reason: %s", name, r.Content)
		}
		_, err = s.Read(t.Context(), ReadArgs{Path: name})
		if got := errors.As(err, &r); got != (want != "") {
			t.Errorf("reading %s: %v, want %q", name, err, want)
		}
	}
	found, err := s.Grep(t.Context(), search.Query{Pattern: "needle", Mode: search.FilesWithMatches})
	require.NoError(t, err)
	if diff := cmp.Diff("a/new.txt\na/x.txt\nb/c/d/new.txt\nb/c/x.txt\n\n[4 matches in 4 files; skipped: 1 link]", found.Content); diff != "" {
		if diff = cmp.Diff("a/new.txt\na/x.txt\nb/c/d/new.txt\nb/c/x.txt\n\n[4 matches in 4 files]", found.Content); diff != "" {
			t.Error(diff)
		}
	}
	for _, path := range []string{"ab", "b/x.txt", "top.txt"} {
		_, err = s.Grep(t.Context(), search.Query{Pattern: "needle", Path: path})
		require.ErrorIs(t, err, hashline.OutsideRoot, path)
	}
	// The workspace itself is as wide as before.
	_, err = w.Session(SessionConfig{}).Read(t.Context(), ReadArgs{Path: "top.txt"})
	require.NoError(t, err)
}

// A path that is meant relative to a folder of the client is answered with the one
// that is, where there is such a file.
func TestNarrowNamesThePath(t *testing.T) {
	w := tree(t, Config{Deny: []string{"a/secret"}})
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, "a", "secret"), []byte("needle\n"), 0o666))
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("../top.txt", filepath.Join(w.dir, "a", "out")))
	}
	for _, c := range []struct {
		folders []string
		name    string
		want    string
	}{
		{[]string{"a"}, "x.txt", "write a/x.txt; because"},
		{[]string{"b"}, "c/x.txt", "write b/c/x.txt; because"},
		{[]string{"b"}, "c", "write b/c; because"},
		{[]string{"a", "b/c"}, "./x.txt", "write a/x.txt or b/c/x.txt; because"},
		{[]string{"a"}, "secret", ""},
		{[]string{"a"}, "out", ""},
		{[]string{"a"}, "../x", "name a file below the root, relative to it; because"},
		{[]string{"gone"}, "x.txt", ""},
		{nil, "top.txt", ""},
	} {
		s := w.Session(SessionConfig{Narrow: &Narrow{Folders: c.folders, Reason: "because"}})
		for tool, args := range map[string]string{
			"read_file": `{"path": %q}`, "grep": `{"pattern": "x", "path": %q}`, "write": `{"path": %q, "content": ""}`,
			"edit": `{"input": "[%s#1234]\nCUT 1\n"}`,
		} {
			got := s.Call(t.Context(), tool, fmt.Appendf(nil, args, c.name))
			require.Equal(t, hashline.OutsideRoot, got.Code, "%s %s", tool, c.name)
			want := "because"
			if strings.HasPrefix(c.want, "name") {
				want = c.want
			} else if c.want != "" {
				want = "paths are relative to the workspace root: " + c.want
			}
			require.Equal(t, want, got.Faults[0].Hint, "%s %s", tool, c.name)
		}
	}
}

// A new file whose path is meant relative to a folder of the client is answered with
// the one that creates it there.
func TestNarrowNamesThePathOfANewFile(t *testing.T) {
	w := tree(t, Config{Deny: []string{"a/secret"}})
	require.NoError(t, os.MkdirAll(filepath.Join(w.dir, "b/c/sub"), 0o777))
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("..", filepath.Join(w.dir, "a", "up")))
	}
	for _, c := range []struct {
		folders []string
		name    string
		want    string
	}{
		{[]string{"a"}, "new.txt", "a/new.txt"},
		{[]string{"a"}, "./deep/new.txt", "a/deep/new.txt"},
		{[]string{"a"}, "ab/new.txt", "a/ab/new.txt"},
		{[]string{"a"}, "b/../new.txt", "a/new.txt"},
		{[]string{"a"}, "top.txt", "a/top.txt"}, // what lies outside is not told
		{[]string{"a", "b/c"}, "new.txt", "a/new.txt or b/c/new.txt"},
		{[]string{"a", "b/c"}, "sub/new.txt", "b/c/sub/new.txt"}, // there is such a folder
		{[]string{"a", "b/c"}, "none/new.txt", "a/none/new.txt or b/c/none/new.txt"},
		{[]string{"a", "b", "b/c", "ab"}, "new.txt", "a/new.txt or b/new.txt or b/c/new.txt"},
		{[]string{"a"}, "secret", ""},
		{[]string{"a"}, "up/new.txt", ""},
		{[]string{"a"}, ".git/config", ""},
		{[]string{"gone"}, "new.txt", ""},
		{[]string{"a"}, filepath.Join(w.dir, "new.txt"), ""}, // just there
		{nil, "new.txt", ""},
	} {
		s := w.Session(SessionConfig{Narrow: &Narrow{Folders: c.folders, Reason: "because"}})
		got := s.Call(t.Context(), "write", fmt.Appendf(nil, `{"path": %q, "content": ""}`, c.name))
		require.Equal(t, hashline.OutsideRoot, got.Code, c.name)
		want := "because"
		if c.want != "" {
			want = "paths are relative to the workspace root: write " + c.want + " to create it; because"
		}
		require.Equal(t, want, got.Faults[0].Hint, c.name)
		if c.want != "" {
			name, _, _ := strings.Cut(c.want, " ")
			got = s.Call(t.Context(), "write", fmt.Appendf(nil, `{"path": %q, "content": ""}`, name))
			require.True(t, got.OK, got.Content)
			require.NoError(t, os.Remove(filepath.Join(w.dir, name)))
		}
	}
}

// Without a folder nothing can be reached, and each refusal says why.
func TestNarrowToNothing(t *testing.T) {
	s := tree(t, Config{}).Session(SessionConfig{Narrow: &Narrow{Reason: "the way out"}})
	for name, input := range map[string]string{
		"read_file": `{"path": "top.txt"}`, "grep": `{"pattern": "needle"}`, "write": `{"path": "n", "content": ""}`,
		"edit": `{"input": "[top.txt#0000]\nCUT 1\n"}`,
	} {
		resp := s.Call(t.Context(), name, []byte(input))
		if resp.Code != hashline.OutsideRoot || !strings.Contains(resp.Content, "the way out") || strings.Contains(resp.Content, "needle") {
			t.Errorf("%s: %s: %s", name, resp.Code, resp.Content)
		}
	}
}

// Inside keeps what lies in the root, and makes nothing wider.
func TestInside(t *testing.T) {
	w := tree(t, Config{})
	parent := filepath.Dir(w.dir)
	elsewhere := t.TempDir()
	dirs := map[string]string{
		w.dir: ".", parent: ".", filepath.VolumeName(w.dir) + string(filepath.Separator): ".",
		filepath.Join(w.dir, "a"): "a", filepath.Join(w.dir, "b", "c"): "b/c", filepath.Join(w.dir, "a", "..", "b"): "b",
		filepath.Join(w.dir, "not", "there"): "not/there",
		elsewhere:                            "", filepath.Join(w.dir, "..", filepath.Base(w.dir)+"x"): "", "a": "", ".": "", "": "",
	}
	if runtime.GOOS != "windows" {
		link := filepath.Join(elsewhere, "link")
		require.NoError(t, os.Symlink(filepath.Join(w.dir, "a"), link))
		dirs[link] = "a"
		// A folder of the root that leads out of it is not in it.
		require.NoError(t, os.Symlink(elsewhere, filepath.Join(w.dir, "out")))
		dirs[filepath.Join(w.dir, "out")] = ""
		dirs[filepath.Join(w.dir, "out", "deep")] = ""
	}
	for dir, want := range dirs {
		if got := strings.Join(w.Inside([]string{dir}), ","); got != want {
			t.Errorf("%q: %q, want %q", dir, got, want)
		}
	}
}
