package setup

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// The files of testdata/merge show what becomes of real files: with the entry in
// them, and with it taken out again.
func TestMergeFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/merge/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		require.NoError(t, err)
		word, _, _ := strings.Cut(string(a.Comment), ":")
		client := Find(word)
		require.NotNil(t, client, name)
		before := a.Files[0].Data
		put, err := client.Put(before, servers()["stdio"], false)
		require.NoError(t, err, name)
		again, err := client.Put(put.Data, servers()["stdio"], false)
		require.NoError(t, err, name)
		require.Equal(t, Unchanged, again.Change, name)
		gone, err := client.Remove(put.Data, Server{Name: "hashline"}, false)
		require.NoError(t, err, name)
		files := []txtar.File{a.Files[0], {Name: "after", Data: put.Data}}
		if !bytes.Equal(gone.Data, before) {
			files = append(files, txtar.File{Name: "removed", Data: gone.Data})
		}
		got := txtar.Format(&txtar.Archive{Comment: a.Comment, Files: files})
		if *update {
			require.NoError(t, os.WriteFile(name, got, 0o644))
			continue
		}
		if diff := cmp.Diff(string(txtar.Format(a)), string(got)); diff != "" {
			t.Errorf("%s: -update writes it (-want +got):\n%s", name, diff)
		}
	}
}

// What a file of text cannot show: line ends, marks, blank files.
func TestMergeBytes(t *testing.T) {
	s := Server{Name: "hashline", Command: "h", Args: []string{"mcp"}}
	for _, c := range []struct{ client, before, after string }{
		{"gemini", "", "{\n  \"mcpServers\": {\n    \"hashline\": {\n      \"command\": \"h\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"},
		{"gemini", " \r\n", "{\n  \"mcpServers\": {\n    \"hashline\": {\n      \"command\": \"h\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"},
		{"gemini", "{\r\n\t\"a\": 1\r\n}", "{\r\n\t\"a\": 1,\r\n\t\"mcpServers\": {\r\n\t\t\"hashline\": {\r\n\t\t\t\"command\": \"h\",\r\n\t\t\t\"args\": [\"mcp\"]\r\n\t\t}\r\n\t}\r\n}"},
		{"gemini", "\xef\xbb\xbf{\"a\":1} // x", "\xef\xbb\xbf{\"a\":1, \"mcpServers\": {\"hashline\": {\"command\": \"h\", \"args\": [\"mcp\"]}}} // x"},
		{"codex", "", "[mcp_servers.hashline]\ncommand = \"h\"\nargs = [\"mcp\"]\ndefault_tools_approval_mode = \"approve\"\n"},
		{"codex", "a = 1", "a = 1\n\n[mcp_servers.hashline]\ncommand = \"h\"\nargs = [\"mcp\"]\ndefault_tools_approval_mode = \"approve\""},
		{"codex", "\xef\xbb\xbfa = 1\r\n", "\xef\xbb\xbfa = 1\r\n\r\n[mcp_servers.hashline]\r\ncommand = \"h\"\r\nargs = [\"mcp\"]\r\ndefault_tools_approval_mode = \"approve\"\r\n"},
	} {
		got, err := Find(c.client).Put([]byte(c.before), s, false)
		require.NoError(t, err)
		require.Equal(t, c.after, string(got.Data), "%q", c.before)
		gone, err := Find(c.client).Remove(got.Data, s, false)
		require.NoError(t, err)
		if strings.TrimSpace(c.before) == "" {
			require.True(t, gone.Empty)
		} else {
			require.Equal(t, c.before, string(gone.Data))
		}
	}
}

// Files that are refused, and where.
func TestMergeRefused(t *testing.T) {
	for _, c := range []struct{ client, data, says string }{
		{"gemini", "{\n  \"a\": }", "line 2, column 8: "},
		{"gemini", "[]", "line 1, column 1: the file holds no object"},
		{"gemini", "{\"mcpServers\": []}", `"mcpServers" is no object`},
		{"gemini", "{\"mcpServers\": null}", `"mcpServers" is no object`},
		{"gemini", "{\"mcpServers\": {}, \"mcpServers\": {}}", "line 1, column 20: \"mcpServers\" stands there twice"},
		{"gemini", "{\"mcpServers\": {\"hashline\": {\"command\": \"hashline\", \"args\": [\"mcp\"]}, \"hashline\": {\"command\": \"hashline\", \"args\": [\"mcp\"]}}}", "stands there twice"},
		{"gemini", "{\n\"a\": \"\xff\"}", "line 2, column 7: this is not UTF-8"},
		{"gemini", "\xff\xfe{\x00}\x00", "not UTF-8"},
		{"gemini", strings.Repeat("[", 1<<20), "deep"},
		{"gemini", "// only a comment", "line "},
		{"codex", "a = 1\nb = \n", "line 2, column "},
		{"codex", "a = 1\na = 2\n", "line 2, column "},
		{"codex", "mcp_servers = 1\n", `"mcp_servers" is no table`},
		{"codex", "[[mcp_servers]]\nx = 1\n", `"mcp_servers" is no table`},
		{"codex", "a = " + strings.Repeat("[", 1<<20), "line 1, column "},
		{"codex", "[mcp_servers]\nhashline = { command = \"hashline\", args = [\"mcp\"] }\n", errForm.Error()},
	} {
		_, err := Find(c.client).Put([]byte(c.data), servers()["stdio"], false)
		require.ErrorContains(t, err, c.says, "%.80q", c.data)
		require.Less(t, len(err.Error()), 400)
	}
}

// An entry of somebody else's is left alone, unless it is to be replaced.
func TestMergeForeign(t *testing.T) {
	s := servers()["stdio"]
	for _, c := range []struct{ client, data, left string }{
		{"gemini", `{"mcpServers": {"hashline": {"command": "npx", "args": ["mcp"], "env": {"A": "b"}}, "z": 1}}`, `"z": 1`},
		{"gemini", `{"mcpServers": {"hashline": 5}}`, "{"},
		{"codex", "[mcp_servers.hashline]\ncommand = 'npx'\n[mcp_servers.hashline.env]\nA = 'b'\n[z]\n", "[z]\n"},
		{"codex", "mcp_servers.hashline.command = 'npx'\nz = 1\n", "z = 1\n"},
		{"codex", "mcp_servers = { hashline = { command = 'npx' }, z = 1 }\n", "z = 1"},
	} {
		client := Find(c.client)
		_, err := client.Put([]byte(c.data), s, false)
		require.ErrorIs(t, err, ErrForeign, c.data)
		_, err = client.Remove([]byte(c.data), s, false)
		require.ErrorIs(t, err, ErrForeign, c.data)
		require.NotEmpty(t, client.Entry([]byte(c.data), s.Name))
		require.NotContains(t, client.Entry([]byte(c.data), s.Name), `"b"`)

		put, err := client.Put([]byte(c.data), s, true)
		require.NoError(t, err, c.data)
		require.Equal(t, Replaced, put.Change)
		got := decoded(t, client, put.Data)[client.table].(map[string]any)[s.Name]
		if diff := cmp.Diff(plain(client.entry(s)), got); diff != "" {
			t.Errorf("%s\n%s", c.data, diff)
		}
		require.Contains(t, string(put.Data), c.left)
		gone, err := client.Remove([]byte(c.data), s, true)
		require.NoError(t, err, c.data)
		require.NotContains(t, string(gone.Data), "hashline")
		require.Contains(t, string(gone.Data), c.left)
	}
}
