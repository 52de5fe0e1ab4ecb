package mcpserver

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace"
)

var update = flag.Bool("update", false, "write the golden files anew")

// eras are the two ways in which a client of the SDK begins.
var eras = map[string]*mcp.ClientSessionOptions{
	"2025-11-25": {ProtocolVersion: "2025-11-25"},
	"2026-07-28": nil,
}

// connect connects a client of the SDK by memory.
func connect(t *testing.T, s *Server, c *mcp.Client, opts *mcp.ClientSessionOptions) *mcp.ClientSession {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	server, err := s.mcp.Connect(t.Context(), far, nil)
	require.NoError(t, err)
	client, err := c.Connect(t.Context(), near, opts)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, client.Close())
		_ = server.Wait()
	})
	return client
}

func named(name string, opts *mcp.ClientOptions) *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, opts)
}

// An agent reads, edits, is refused and tries again, in both eras.
func TestAgent(t *testing.T) {
	for era, opts := range eras {
		s := newServer(t, Config{})
		c := connect(t, s, named("agent", nil), opts)
		require.Equal(t, workspace.Instructions(), c.InitializeResult().Instructions, era)
		seen, ok := callText(t.Context(), t, c, "read_file", map[string]any{"path": "a.txt"})
		require.True(t, ok)
		header, _, _ := strings.Cut(seen, "\n")
		doc := map[string]any{"input": header + "\nPUT <1:\n+null\n", "wait_for_previous": true}
		done, ok := callText(t.Context(), t, c, "edit", doc)
		require.True(t, ok, done)
		require.Contains(t, done, "1:null")
		again, ok := callText(t.Context(), t, c, "edit", doc)
		require.True(t, ok, again)
		require.Contains(t, again, "already applied")
		doc["input"] = header + "\nPUT 3:\n+drei\n"
		stale, ok := callText(t.Context(), t, c, "edit", doc)
		require.False(t, ok)
		require.True(t, strings.HasPrefix(stale, "edit rejected, nothing was written\n"), stale)
		_, corrected, found := strings.Cut(stale, "Corrected document:\n")
		require.True(t, found, stale)
		done, ok = callText(t.Context(), t, c, "edit", map[string]any{"input": corrected})
		require.True(t, ok, done)
		wrong, ok := callText(t.Context(), t, c, "read_file", map[string]any{"file_path": "a.txt"})
		require.False(t, ok)
		require.Contains(t, wrong, "path")
		missing, ok := callText(t.Context(), t, c, "read_file", nil)
		require.False(t, ok)
		require.Contains(t, missing, "bad_argument")
		text, err := os.ReadFile(s.path("a.txt"))
		require.NoError(t, err)
		require.Equal(t, "null\none\ntwo\ndrei\n", string(text))
	}
}

// What clients are told of the tools does not change by itself.
func TestToolsList(t *testing.T) {
	for range 3 {
		c := connect(t, newServer(t, Config{}), named("agent", nil), nil)
		list, err := c.ListTools(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, list.Tools, len(workspace.Tools()))
		for _, tool := range list.Tools {
			require.Contains(t, traits, tool.Name)
			require.Nil(t, tool.OutputSchema)
			require.NotNil(t, tool.Annotations.DestructiveHint)
			require.NotNil(t, tool.Annotations.OpenWorldHint)
		}
		text, err := json.MarshalIndent(list.Tools, "", "  ")
		require.NoError(t, err)
		const golden = "testdata/tools.json"
		if *update {
			require.NoError(t, os.WriteFile(golden, append(text, '\n'), 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		if diff := cmp.Diff(string(want), string(text)+"\n"); diff != "" {
			t.Errorf("the tools are not those of %s; -update writes it (-want +got):\n%s", golden, diff)
		}
		caps := c.InitializeResult().Capabilities
		require.Nil(t, caps.Logging) //nolint:staticcheck // deprecated, and not to be there
		require.Nil(t, caps.Resources)
		require.Nil(t, caps.Prompts)
		require.False(t, caps.Tools.ListChanged)
	}
}

// Each client gets answers of the length that it shows to its model, and they say
// how to go on.
func TestOutputFollowsTheClient(t *testing.T) {
	rows := strings.Repeat("\tfunc(\"quoted\") // of a length\n", 5000)
	for name, limit := range map[string]int{
		"claude-code": 50_000, "codex-mcp-client": 12_000, "opencode": 51_200, "gemini-cli-mcp-client-x": 40_000,
		"github-copilot-developer": 20_480, "qwen-cli-mcp-client-hashline": 25_000, "Cline": 8_000, "@cline/core": 8_000, "who": 7_500, "": 7_500,
	} {
		for era, opts := range eras {
			s := newServer(t, Config{})
			require.NoError(t, os.WriteFile(s.path("long.txt"), []byte(rows), 0o666))
			c := connect(t, s, named(name, nil), opts)
			res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "read_file", Arguments: map[string]any{"path": "long.txt"}})
			require.NoError(t, err)
			text := res.Content[0].(*mcp.TextContent).Text
			size := len(text)
			if strings.HasPrefix(strings.TrimLeft(strings.ToLower(name), "@"), "cline") {
				raw, err := json.Marshal(res)
				require.NoError(t, err)
				size = len(raw)
			}
			require.LessOrEqual(t, size, limit, "%s %s", name, era)
			require.Greater(t, size, limit/2, "%s %s", name, era)
			require.Regexp(t, `\n\[rows 1-\d+ of 5000; next offset \d+\]$`, text)
		}
	}
	s := newServer(t, Config{Agent: workspace.SessionConfig{OutputLimit: 2000}})
	require.NoError(t, os.WriteFile(s.path("long.txt"), []byte(rows), 0o666))
	text, ok := callText(t.Context(), t, connect(t, s, named("claude-code", nil), nil), "read_file", map[string]any{"path": "long.txt"})
	require.True(t, ok)
	require.LessOrEqual(t, len(text), 2000)
	require.Greater(t, len(text), 1500)
}

// Cline counts the result as JSON, where some text becomes twice as long.
func TestQuotesFollowTheClient(t *testing.T) {
	s := newServer(t, Config{})
	require.NoError(t, os.WriteFile(s.path("quotes.txt"), []byte(strings.Repeat(strings.Repeat(`"\\`, 100)+"\n", 500)), 0o666))
	c := connect(t, s, named("cline", nil), nil)
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "read_file", Arguments: map[string]any{"path": "quotes.txt"}})
	require.NoError(t, err)
	raw, err := json.Marshal(res)
	require.NoError(t, err)
	require.LessOrEqual(t, len(raw), 8_000)
	require.Greater(t, len(raw), 7_000)
}

// opencode counts lines.
func TestRowsFollowTheClient(t *testing.T) {
	s := newServer(t, Config{})
	require.NoError(t, os.WriteFile(s.path("short.txt"), []byte(strings.Repeat("x\n", 5000)), 0o666))
	text, ok := callText(t.Context(), t, connect(t, s, named("opencode", nil), nil), "read_file", map[string]any{"path": "short.txt"})
	require.True(t, ok)
	require.Less(t, strings.Count(text, "\n"), 2_000)
	require.True(t, strings.HasSuffix(text, "[rows 1-1990 of 5000; next offset 1991]"))
}

// Claude Code shows less of an error than of an answer.
func TestRefusalsFollowTheClient(t *testing.T) {
	s := newServer(t, Config{})
	c := connect(t, s, named("claude-code", nil), nil)
	text, ok := callText(t.Context(), t, c, "edit", map[string]any{"input": strings.Repeat("nonsense of some length\n", 5000)})
	require.False(t, ok)
	require.LessOrEqual(t, len(text), 10_000)
}

// Edits are recorded under the client's name, or the operator's.
func TestNameOfTheClient(t *testing.T) {
	require.Equal(t, "a b", clientName(&mcp.Implementation{Name: "a\x1b\x00 b\n"}))
	require.LessOrEqual(t, len(clientName(&mcp.Implementation{Name: strings.Repeat("ä", 1000)})), maxName)
	require.Empty(t, clientName(nil))
}

// A slow call tells that it is under way, where the client wants to know, and
// nothing after its end.
func TestProgress(t *testing.T) {
	for _, version := range versions {
		s := newServer(t, Config{})
		s.progressEvery = time.Millisecond
		seen := make(chan struct{}, 1)
		wait := false
		s.call = func(ctx context.Context, agent *workspace.Session, tool string, input []byte) workspace.Response {
			if wait {
				<-seen
			}
			return agent.Call(ctx, tool, input)
		}
		w := dial(t, s)
		w.start(version)
		quiet := call(version, 1, "grep", `{"pattern":"one"}`)
		w.send("%s", quiet)
		require.Contains(t, parse(t, w.get()).text(), "1 | one", version)
		asking := strings.Replace(quiet, `"_meta":{`, `"_meta":{"progressToken":"token",`, 1)
		if version < statelessVersion {
			asking = strings.Replace(quiet, `"params":{`, `"params":{"_meta":{"progressToken":"token"},`, 1)
		}
		wait = true
		w.send("%s", asking)
		told := 0
		line := w.get()
		for ; strings.Contains(line, `"method":"notifications/progress"`); line = w.get() {
			told++
			require.Contains(t, line, fmt.Sprintf(`"progress":%d}`, told))
			require.Contains(t, line, `"progressToken":"token"`)
			require.Contains(t, line, "grep has been running for ")
			if told == 3 {
				close(seen)
			}
		}
		require.Positive(t, told, version)
		require.Contains(t, parse(t, line).text(), "1 | one", version)
		time.Sleep(10 * time.Millisecond)
		w.send("%s", call(version, 2, "read_file", `{"path":"a.txt"}`))
		require.EqualValues(t, 2, parse(t, w.get()).ID, version)
	}
}

// Of two connections of one name each takes back its own edits.
func TestUndoOfOneOfTwoConnections(t *testing.T) {
	s := newServer(t, Config{})
	require.NoError(t, os.WriteFile(s.path("b.txt"), []byte("b\n"), 0o666))
	first, second := connect(t, s, named("same", nil), nil), connect(t, s, named("same", nil), nil)
	add := func(c *mcp.ClientSession, name string) {
		t.Helper()
		text, ok := callText(t.Context(), t, c, "read_file", map[string]any{"path": name})
		require.True(t, ok, text)
		header, _, _ := strings.Cut(text, "\n")
		text, ok = callText(t.Context(), t, c, "edit", map[string]any{"input": header + "\nPUT >$:\n+more\n"})
		require.True(t, ok, text)
	}
	add(first, "a.txt")
	add(second, "b.txt")
	text, ok := callText(t.Context(), t, first, "undo", map[string]any{})
	require.True(t, ok, text)
	require.Contains(t, text, "restored a.txt")
	b, err := os.ReadFile(s.path("b.txt"))
	require.NoError(t, err)
	require.Equal(t, "b\nmore\n", string(b))
}
