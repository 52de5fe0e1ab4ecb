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
			`{"path": "gone#1234", "content": "new\n"}`, `{"path": "a.txt#A6E6", "content": "new\n", "expect": "absent"}`,
		},
	} {
		for _, input := range inputs {
			got := w.Call(t.Context(), tool, []byte(input))
			require.True(t, got.OK, got.Content)
		}
	}
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
