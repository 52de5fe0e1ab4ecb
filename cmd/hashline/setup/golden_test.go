package setup

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// servers are the two ways of reaching a server.
func servers() map[string]Server {
	return map[string]Server{
		"stdio": {Name: "hashline", Command: "hashline", Args: []string{"mcp", "--root", `/p "q"`}},
		"http":  {Name: "hashline", URL: "http://127.0.0.1:7311/mcp", TokenEnv: "HASHLINE_TOKEN"},
	}
}

// The configurations of all clients, as they are printed.
func TestPrint(t *testing.T) {
	var b strings.Builder
	for _, c := range Clients() {
		for _, kind := range []string{"stdio", "http"} {
			s := servers()[kind]
			for _, s.Trust = range []bool{false, true} {
				if s.Trust && !c.CanTrust() {
					continue
				}
				name := c.Name + " " + kind
				if s.Trust {
					name += " trusted"
				}
				text := c.Print(s)
				b.WriteString("## " + name + "\n" + text + "\n")
				var v any
				if c.toml {
					require.NoError(t, toml.Unmarshal([]byte(text), &v), name)
				} else {
					require.NoError(t, json.Unmarshal([]byte(text), &v), name)
				}
				found, err := c.Servers([]byte(text), "")
				require.NoError(t, err)
				require.Len(t, found, 1, name)
				require.True(t, found[0].Ours(), name)
				if kind == "stdio" {
					require.Equal(t, s.Command, found[0].Command)
					require.Equal(t, s.Args, found[0].Args)
				} else {
					require.Equal(t, s.URL, found[0].URL)
					if !c.literal {
						require.Equal(t, s.TokenEnv, found[0].TokenEnv, name)
					}
				}
			}
		}
	}
	const golden = "testdata/print.txt"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("-update writes %s (-want +got):\n%s", golden, diff)
	}
}

// Every client is found by its name and by what people call it.
func TestFind(t *testing.T) {
	for _, c := range Clients() {
		for _, name := range append([]string{c.Name, c.Title, strings.ToUpper(c.Name)}, c.aliases...) {
			got := Find(name)
			require.NotNil(t, got, name)
			require.Equal(t, c.Name, got.Name, name)
		}
	}
	require.Nil(t, Find("emacs"))
	require.Nil(t, Find(""))
}

// The files of each scope, and where variables move them to.
func TestFiles(t *testing.T) {
	var b strings.Builder
	env := map[string]string{}
	show := func(os string) {
		where := Where{Home: "/home/u", Project: "/p", Getenv: func(k string) string { return env[k] }, OS: os}
		for _, c := range Clients() {
			for _, scope := range c.Scopes {
				b.WriteString(c.Name + " " + string(scope) + ": " + strings.Join(c.Files(where, scope), " ") + "\n")
			}
		}
		b.WriteString("\n")
	}
	show("linux")
	show("darwin")
	for _, k := range []string{"XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME", "QWEN_HOME", "GEMINI_CLI_HOME"} {
		env[k] = "/x/" + strings.ToLower(k)
	}
	show("linux")
	const golden = "testdata/files.txt"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("-update writes %s (-want +got):\n%s", golden, diff)
	}
}

// What Claude Code keeps for one project only is found as well.
func TestServersOfAProject(t *testing.T) {
	const data = `{"mcpServers": {"b": {"command": "x"}}, "projects": {"/p": {"mcpServers": {"a": {"command": "/bin/hashline", "args": ["mcp"], "disabled": true}}}}}`
	for project, want := range map[string][]string{"/p": {"a", "b"}, "/q": {"b"}, "": {"b"}} {
		found, err := Find("claude").Servers([]byte(data), project)
		require.NoError(t, err)
		var names []string
		for _, f := range found {
			names = append(names, f.Name)
			require.Equal(t, f.Name == "a", f.Ours())
			require.Equal(t, f.Name == "a", f.Disabled)
		}
		require.Equal(t, want, names)
	}
}
