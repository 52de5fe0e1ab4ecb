package mcpserver

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// binary builds the command.
func binary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hashline")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, "..").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// The official inspector finds no fault in the schemas, and its calls are answered,
// in both eras of the protocol.
func TestInspector(t *testing.T) {
	path, env := program(t, "mcp-inspector", "@modelcontextprotocol/inspector@2.12.0")
	env = append(env, "XDG_STATE_HOME="+t.TempDir())
	hashline := binary(t)
	inspect := func(t *testing.T, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), path, append([]string{"--cli"}, args...)...)
		var errs bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stderr = t.TempDir(), env, &errs
		out, err := cmd.Output()
		require.NoError(t, err, "%s: %s%s", args, out, errs.String())
		return string(out)
	}
	for _, era := range []string{"legacy", "modern"} {
		t.Run(era, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("hello\n"), 0o666))
			target := []string{hashline, "mcp", "--root", dir, "--protocol-era", era}
			require.Contains(t, inspect(t, append(target, "--method", "tools/list", "--strict")...), `"read_file"`)
			call := append(target, "--method", "tools/call")
			read := inspect(t, append(call, "--tool-name", "read_file", "--tool-arg", "path=a.txt")...)
			require.Contains(t, read, `1:hello`)
			_, tag, _ := strings.Cut(read, "[a.txt#")
			edit := `{"input": "[a.txt#` + tag[:4] + `]\nPUT 1:\n+HELLO\n"}`
			require.Contains(t, inspect(t, append(call, "--tool-name", "edit", "--tool-args-json", edit)...), "1:HELLO")
			text, err := os.ReadFile(filepath.Join(dir, "a.txt"))
			require.NoError(t, err)
			require.Equal(t, "HELLO\n", string(text))
		})
	}
	t.Run("http", func(t *testing.T) {
		s := newServer(t, Config{})
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		go func() { _ = s.ServeHTTP(t.Context(), l, HTTPConfig{Tokens: []string{"a-token-of-some-length"}}) }()
		read := inspect(t, "--method", "tools/call", "--tool-name", "read_file", "--tool-arg", "path=a.txt", "--transport", "http",
			"--header", "Authorization: Bearer a-token-of-some-length", "--server-url", "http://"+l.Addr().String()+Path)
		require.Contains(t, read, "1:one")
	})
}
