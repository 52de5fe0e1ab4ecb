package setup

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// Clients that read one file can both use what setup wrote for either.
func TestSharedFiles(t *testing.T) {
	where := Where{Home: "/h", Project: "/p", Getenv: func(string) string { return "" }, OS: "linux"}
	readers := map[string][]*Client{}
	for _, c := range Clients() {
		for _, scope := range c.Scopes {
			for _, file := range c.Files(where, scope) {
				readers[file] = append(readers[file], c.For(scope))
			}
		}
	}
	shared := 0
	for file, clients := range readers {
		for _, one := range clients {
			for _, other := range clients {
				if one.Name == other.Name {
					continue
				}
				shared++
				for kind, s := range servers() {
					put, err := one.Put(nil, s, false)
					require.NoError(t, err)
					again, err := other.Put(put.Data, s, false)
					require.NoError(t, err)
					if diff := cmp.Diff(string(put.Data), string(again.Data)); diff != "" {
						t.Errorf("%s, %s: %s changed what %s had:\n%s", file, kind, other.Name, one.Name, diff)
					}
					found, err := other.Servers(put.Data, "")
					require.NoError(t, err)
					require.Empty(t, other.Flaw(found[0]), "%s %s %s", file, kind, other.Name)
				}
			}
		}
	}
	require.Positive(t, shared)
}

// What each of the two clients of .mcp.json takes was seen with Claude Code 2.1.332
// and Copilot CLI 1.0.102. What works is left alone, what does not is put right.
func TestTypes(t *testing.T) {
	const command, url = `"command": "hashline", "args": ["mcp", "--root", "/p \"q\""]`,
		`"url": "http://127.0.0.1:7311/mcp", "headers": {"Authorization": "Bearer ${HASHLINE_TOKEN}"}`
	for _, c := range []struct {
		kind, members   string
		claude, copilot bool
	}{
		{"stdio", `"type": "stdio", ` + command, true, true},
		{"stdio", command, true, true},
		{"stdio", `"type": "stdio", "tools": ["*"], ` + command, true, true},
		{"stdio", `"type": "local", ` + command, false, true},
		{"stdio", `"type": "STDIO", ` + command, false, false},
		{"http", `"type": "http", ` + url, true, true},
		{"http", `"type": "streamable-http", ` + url, true, true},
		{"http", url, false, true},
		{"http", `"type": "http", "tools": ["*"], ` + url, false, true},
		{"http", `"type": "streamableHttp", ` + url, false, false},
		{"http", `"type": "remote", ` + url, false, false},
	} {
		data := []byte(`{"mcpServers": {"hashline": {` + c.members + `}}}`)
		for name, takes := range map[string]bool{"claude": c.claude, "copilot": c.copilot} {
			client := Find(name).For(Project)
			found, err := client.Servers(data, "")
			require.NoError(t, err)
			require.Equal(t, takes, client.Flaw(found[0]) == "", "%s: %s", name, data)
			put, err := client.Put(data, servers()[c.kind], false)
			require.NoError(t, err)
			require.Equal(t, takes, put.Change == Unchanged, "%s: %s became %s", name, data, put.Data)
			found, err = client.Servers(put.Data, "")
			require.NoError(t, err)
			require.Empty(t, client.Flaw(found[0]), "%s: %s", name, put.Data)
		}
	}
}
