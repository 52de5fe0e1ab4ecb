package mcpserver

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace"
)

// newServer makes a server for a folder of its own, which has the file a.txt with
// the rows one, two and three.
func newServer(t *testing.T, cfg Config) *Server {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\ntwo\nthree\n"), 0o666))
	if cfg.Workspace == nil {
		w, err := workspace.Open(dir, workspace.Config{State: t.TempDir(), NoSync: true})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, w.Close()) })
		cfg.Workspace = w
	}
	cfg.Version = "test"
	cfg.Report = func(msg string) { t.Log(msg) }
	return New(cfg)
}

func (s *Server) path(name string) string { return filepath.Join(s.cfg.Workspace.Root(), name) }

// callText calls a tool and gives its text.
func callText(ctx context.Context, t *testing.T, c *mcp.ClientSession, tool string, args map[string]any) (string, bool) {
	t.Helper()
	res, err := c.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	require.NoError(t, err)
	require.Len(t, res.Content, 1)
	require.Nil(t, res.StructuredContent)
	text, ok := res.Content[0].(*mcp.TextContent)
	require.True(t, ok)
	return text.Text, !res.IsError
}
