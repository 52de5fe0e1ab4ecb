package workspace

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// Calls of edit in the words of other editors' tools are answered with the form to
// write here, which works as it stands; nothing is guessed or applied.
func TestEditInOtherWords(t *testing.T) {
	for _, words := range []string{
		`"path": "dir/a b.go", "old_string": "two", "new_string": "2"`,
		`"file_path": "dir/a b.go", "old_string": "two", "new_string": "2", "replace_all": true`,
		`"filePath": "dir/a b.go", "oldString": "two", "newString": "2"`,
		`"path": "./dir/a b.go", "old_str": "two", "new_str": "2", "command": "str_replace"`,
		`"path": "dir/a b.go", "insert_line": 2, "insert_text": "x", "command": "insert"`,
		`"path": "dir/a b.go", "insert_line": 2, "new_str": "x"`,
		`"file_path": "dir/a b.go", "edits": [{"old_string": "two", "new_string": "2"}]`,
		`"target_file": "dir/a b.go", "instructions": "x", "code_edit": "// ... existing code ..."`,
		`"path": "dir/a b.go", "start_line": 2, "end_line": 3, "content": "x"`,
		`"path": "dir/a b.go", "content": "all of it\n"`,
		`"path": "dir/a b.go", "search": "two", "replace": "2"`,
		`"path": "dir/a b.go", "delete_lines": "2-3"`,
		`"path": "dir/a b.go"`,
		`"input": null, "path": "dir/a b.go", "old_text": "two", "new_text": "2"`,
	} {
		w := open(t, map[string]string{"dir/a b.go": tenLines})
		got := w.Call(t.Context(), "edit", []byte("{"+words+"}"))
		require.Equal(t, hashline.BadArgument, got.Code)
		require.Len(t, got.Faults, 1, got.Content)
		require.True(t, strings.HasPrefix(got.Content, "edit rejected, nothing was written\nbad_argument: the argument input is missing, and edit has no argument "), got.Content)
		require.Less(t, len(got.Content), 1000)
		require.Equal(t, tenLines, onDisk(t, w, "dir/a b.go"))
		require.Equal(t, strings.Contains(words, "all of it"), strings.Contains(got.Content, "to write the whole file call write"))

		m := regexp.MustCompile(`call read_file with (\{.*?\}), then edit with (\{.*?\}): TAG is in the header`).FindStringSubmatch(got.Faults[0].Hint)
		require.NotNil(t, m, got.Content)
		read := w.Call(t.Context(), "read_file", []byte(m[1]))
		require.True(t, read.OK, read.Content)
		header := read.Content[:strings.IndexByte(read.Content, '\n')]
		require.Contains(t, m[2], strings.Replace(header, header[len(header)-5:len(header)-1], "TAG", 1))
		done := w.Call(t.Context(), "edit", []byte(strings.Replace(m[2], "#TAG", header[len(header)-6:len(header)-1], 1)))
		require.True(t, done.OK, done.Content)
	}
}

// Where no file can be told from the arguments a path stands for it, and a hostile
// one takes no room.
func TestEditInOtherWordsWithoutAPath(t *testing.T) {
	tool := toolNamed(t, "edit")
	for _, path := range []string{"", `"path": 7,`, `"path": "a\nb",`, `"path": "` + strings.Repeat("x", 10_000) + `",`} {
		all, err := members([]byte(`{` + path + `"old_string": "a", "new_string": "b"}`))
		require.NoError(t, err)
		_, err = tool.decode(all)
		require.ErrorIs(t, err, hashline.BadArgument)
		require.Contains(t, err.Error(), `"[path/to/file#TAG]\nPUT 3.=4:`)
	}
	many := map[string]json.RawMessage{"old_string": []byte(`"x"`)}
	for i := range 100_000 {
		many[fmt.Sprint("path", i)] = []byte(`"x"`)
	}
	_, err := tool.decode(many)
	require.ErrorIs(t, err, hashline.BadArgument)
	require.Less(t, len(err.Error()), 2000)
}

// A document under another name is still told the right one, and one under the right
// name is not asked what else there is.
func TestDocumentsUnderOtherNames(t *testing.T) {
	w := open(t, map[string]string{"f": tenLines})
	document := fmt.Sprintf("%q", "[f#"+tagOf(tenLines)+"]\nPUT 2:\n+2\n")
	for _, name := range []string{"patch", "diff", "document", "content", "text", "edits", "Input", "inputs"} {
		for _, more := range []string{"", `, "path": "f"`, `, "file_path": "f", "description": "x"`} {
			got := w.Call(t.Context(), "edit", fmt.Appendf(nil, `{%q: %s%s}`, name, document, more))
			require.Contains(t, got.Content, "the argument is called input", "%s%s", name, more)
		}
	}
	got := w.Call(t.Context(), "edit", fmt.Appendf(nil, `{"input": %s, "path": "f", "old_string": "x"}`, document))
	require.True(t, got.OK, got.Content)
}
