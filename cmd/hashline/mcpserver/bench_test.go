package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

// TestMain makes the test binary a server that does nothing, where it is asked to
// be one.
func TestMain(m *testing.M) {
	if os.Getenv("MCP_SERVER_THAT_DOES_NOTHING") != "" {
		s := mcp.NewServer(&mcp.Implementation{Name: "nothing", Version: "1"}, nil)
		s.AddTool(&mcp.Tool{Name: "nothing", InputSchema: json.RawMessage(`{"type": "object"}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "nothing"}}}, nil
			})
		_ = s.Run(context.Background(), &mcp.StdioTransport{})
		return
	}
	os.Exit(hashlinetest.InMemory(m))
}

// BenchmarkStdio measures calls over standard streams of the real command, one at
// a time, beside those of a server that does nothing with the same SDK:
//
//	go test -run '^$' -bench Stdio -benchtime 2000x ./cmd/hashline/mcpserver
//
// The file has 1,000 lines of 40 bytes.
func BenchmarkStdio(b *testing.B) {
	hashline := filepath.Join(b.TempDir(), "hashline")
	out, err := exec.Command("go", "build", "-o", hashline, "..").CombinedOutput()
	require.NoError(b, err, "%s", out)
	rows := ""
	for i := range 1000 {
		rows += fmt.Sprintf("row %04d of a file that has a thousand\n", i)
	}
	for _, c := range []struct {
		name, tool string
		args       func(last string, n int) map[string]any
		flags      []string
	}{
		{name: "server=nothing", tool: "nothing"},
		{name: "server=hashline/tool=read_file", tool: "read_file", args: func(string, int) map[string]any {
			return map[string]any{"path": "a.txt", "offset": 400, "limit": 50}
		}},
		{name: "server=hashline/tool=edit/sync=no", tool: "edit", args: change, flags: []string{"--no-sync"}},
		{name: "server=hashline/tool=edit/sync=yes", tool: "edit", args: change},
	} {
		b.Run(c.name, func(b *testing.B) {
			dir := b.TempDir()
			require.NoError(b, os.WriteFile(filepath.Join(dir, "a.txt"), []byte(rows), 0o666))
			cmd := exec.Command(hashline, append([]string{"mcp", "--root", dir}, c.flags...)...)
			cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+b.TempDir())
			if c.tool == "nothing" {
				cmd = exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), "MCP_SERVER_THAT_DOES_NOTHING=1")
			}
			client := startServer(b, cmd)
			last := client.call(b, 0, "read_file", map[string]any{"path": "a.txt", "limit": 1})
			var took []time.Duration
			for n := 1; b.Loop(); n++ {
				args := map[string]any{}
				if c.args != nil {
					args = c.args(last, n)
				}
				begin := time.Now()
				text := client.call(b, n, c.tool, args)
				took = append(took, time.Since(begin))
				if c.tool == "edit" {
					_, last, _ = strings.Cut(text, "\n")
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
			b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "calls/s")
		})
	}
}

// change replaces a row, under the header that an answer began with.
func change(last string, n int) map[string]any {
	header, _, _ := strings.Cut(last, "\n")
	return map[string]any{"input": fmt.Sprintf("%s\nPUT 420:\n+row changed for the %dth time\n", header, n)}
}

type benchClient struct {
	in  io.WriteCloser
	out *bufio.Reader
}

func startServer(b *testing.B, cmd *exec.Cmd) *benchClient {
	b.Helper()
	in, err := cmd.StdinPipe()
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	c := &benchClient{in, bufio.NewReaderSize(out, 1<<20)}
	fmt.Fprintf(in, greeting+"\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n", "2025-11-25")
	_, err = c.out.ReadString('\n')
	require.NoError(b, err)
	return c
}

func (c *benchClient) call(b *testing.B, id int, tool string, args map[string]any) string {
	input, err := json.Marshal(args)
	require.NoError(b, err)
	_, err = io.WriteString(c.in, call("2025-11-25", id, tool, string(input))+"\n")
	require.NoError(b, err)
	text, err := c.out.ReadBytes('\n')
	require.NoError(b, err)
	var r reply
	require.NoError(b, json.Unmarshal(text, &r))
	if r.Error != nil && tool == "read_file" {
		return "" // the server that does nothing has no such tool
	}
	require.False(b, r.Error != nil || r.Result.IsError, "%s", text)
	return r.text()
}
