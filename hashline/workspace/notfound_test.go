package workspace

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// A header that was taken for a path is answered with the path.
func TestHeaderAsPath(t *testing.T) {
	w := open(t, map[string]string{"a.txt": "a\n", "dir/b c.txt": "b\n", "with#1234": "c\n", "dir/[x]": "d\n"})
	for name, right := range map[string]string{
		"a.txt#A6E6": "a.txt", "[a.txt#A6E6]": "a.txt", "./a.txt#a6e6": "a.txt", "[a.txt# A6E6 ]": "a.txt",
		"dir/b c.txt#1234": "dir/b c.txt", "[dir/b c.txt#1234]": "dir/b c.txt",
		filepath.Join(w.dir, "a.txt#A6E6"): "a.txt", "[with#1234#5678]": "with#1234",
	} {
		for tool, input := range map[string]string{
			"read_file": `{"path": %q}`, "grep": `{"pattern": "a", "path": %q}`, "write": `{"path": %q, "content": "new\n"}`,
		} {
			got := w.Call(t.Context(), tool, fmt.Appendf(nil, input, name))
			require.False(t, got.OK, "%s %s", tool, name)
			require.Contains(t, got.Faults[0].Hint, "the path is "+right+", without #TAG and brackets", "%s %s", tool, name)
		}
		got := w.Call(t.Context(), "edit", fmt.Appendf(nil, `{"input": %q}`, "["+name+"#1234]\nCUT 1\n"))
		require.Contains(t, got.Content, "the path is "+right+", without #TAG and brackets")
	}
	require.Contains(t, w.Call(t.Context(), "read_file", []byte(`{"path": "[a.txt]"}`)).Content, "the path is a.txt,")
	// What there is, or is meant, is no header.
	for tool, inputs := range map[string][]string{
		"read_file": {`{"path": "with#1234"}`, `{"path": "dir/[x]"}`},
		"write": {
			`{"path": "with#1234", "content": "new\n"}`, `{"path": "[a.txt]", "content": "new\n"}`,
			`{"path": "gone#1234", "content": "new\n", "expect": "absent"}`, `{"path": "a.txt#A6E6", "content": "new\n", "expect": "absent"}`,
		},
	} {
		for _, input := range inputs {
			got := w.Call(t.Context(), tool, []byte(input))
			require.True(t, got.OK, got.Content)
		}
	}
}

// A header is no path of a new file either.
func TestHeaderOfNoFileAsPath(t *testing.T) {
	w := open(t, map[string]string{"a.txt": "a\n"})
	for _, name := range []string{"new.txt#A6E6", "[new.txt#A6E6]"} {
		got := w.Call(t.Context(), "write", fmt.Appendf(nil, `{"path": %q, "content": "x\n"}`, name))
		require.Equal(t, hashline.BadPath, got.Code)
		require.Contains(t, got.Content, "the path is new.txt, without #TAG and brackets; if a new file of just this name is meant, give expect: absent")
	}
	// Undo has the same word for it, and no argument that names an edit.
	for _, name := range []string{"a.txt#A6E6", "[a.txt#A6E6]"} {
		got := w.Call(t.Context(), "undo", fmt.Appendf(nil, `{"path": %q}`, name))
		require.Equal(t, hashline.NoHistory, got.Code)
		require.Contains(t, got.Content, "the path is a.txt, without #TAG and brackets")
	}
	got := w.Call(t.Context(), "undo", []byte(`{"id": "x"}`))
	require.Equal(t, hashline.BadArgument, got.Code)
	require.Contains(t, got.Content, "steps")
}

// A header that cannot be read, of what cannot be edited anyhow, is not answered
// with a form that needs a tag which no view shows.
func TestMalformedHeaderOfNoFile(t *testing.T) {
	w := open(t, map[string]string{"a.txt": "a\n", "bin": "a\x00"})
	for doc, hint := range map[string]string{
		"[new.txt#12]\nCUT 1\n":    "there is no such file; an edit changes files that there are; to create it use write",
		"[new.txt]\nPUT >$:\n+x\n": "there is no such file; an edit changes files that there are; to create it use write",
		"[../out]\nPUT >$:\n+x\n":  "the path leads out of the workspace root; name a file below the root, relative to it",
	} {
		got := w.Call(t.Context(), "edit", fmt.Appendf(nil, `{"input": %q}`, doc))
		require.Contains(t, []hashline.Code{hashline.BadHeader, hashline.BadTag}, got.Faults[0].Code, doc)
		require.Contains(t, got.Content, hint)
		require.NotContains(t, got.Content, "4 hex digits that")
		require.NotContains(t, got.Content, "copy the 4 hex digits")
	}
	require.Contains(t, w.Call(t.Context(), "edit", []byte(`{"input": "[a.txt]\nCUT 1\n"}`)).Content, "write [a.txt#TAG] with the 4 hex digits")
}

// Who edits a file that is not there is told how files are made.
func TestEditOfNoFile(t *testing.T) {
	w := open(t, map[string]string{"dir/main.go": "a\n"})
	for _, name := range []string{"new.txt", "dir/mian.go", "no/such/folder/x"} {
		got := w.Call(t.Context(), "edit", fmt.Appendf(nil, `{"input": %q}`, "["+name+"#1234]\nPUT >$:\n+x\n"))
		require.Equal(t, hashline.NotFound, got.Code)
		require.Contains(t, got.Content, "to create it use write")
		require.Equal(t, strings.Contains(name, "mian"), strings.Contains(got.Content, "; close names: dir/main.go"))
	}
	require.NotContains(t, w.Call(t.Context(), "read_file", []byte(`{"path": "new.txt"}`)).Content, "use write")
}
