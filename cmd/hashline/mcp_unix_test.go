//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// mcpProcess is the real program, serving a folder that has a.txt.
type mcpProcess struct {
	*exec.Cmd
	dir string
	in  io.WriteCloser
	out *bufio.Reader
	// closeOut ends the reading of what the program writes.
	closeOut func() error
	errs     heard
}

// heard collects what a process writes while a test reads it.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

func startMCP(t *testing.T, args ...string) *mcpProcess {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	p := &mcpProcess{dir: t.TempDir()}
	inRoot(t, p.dir, "a.txt", []byte("one\n"))
	p.Cmd = exec.CommandContext(t.Context(), "hashline", append([]string{"mcp", "--root", p.dir}, args...)...)
	p.Stderr = &p.errs
	var err error
	p.in, err = p.StdinPipe()
	require.NoError(t, err)
	out, err := p.StdoutPipe()
	require.NoError(t, err)
	p.out, p.closeOut = bufio.NewReader(out), out.Close
	require.NoError(t, p.Start())
	return p
}

func (p *mcpProcess) say(t *testing.T, line string) {
	t.Helper()
	_, err := io.WriteString(p.in, line+"\n")
	require.NoError(t, err)
}

func (p *mcpProcess) hear(t *testing.T) string {
	t.Helper()
	line, err := p.out.ReadString('\n')
	require.NoError(t, err, p.errs.String())
	return line
}

// taken waits until the server has taken what it was told.
func (p *mcpProcess) taken(t *testing.T) {
	t.Helper()
	p.say(t, `{"jsonrpc":"2.0","id":"taken","method":"ping"}`)
	require.Contains(t, p.hear(t), `"id":"taken"`)
}

func editCall(id int, tag, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"edit","arguments":{"input":"[a.txt#%s]\nPUT 1:\n+%s\n"}}}`, id, tag, text)
}

// holdFile holds the lock of a.txt, so that an edit of it waits in the middle.
func holdFile(t *testing.T, dir string) (release func()) {
	t.Helper()
	folder, err := commit.DefaultDir()
	require.NoError(t, err)
	store, err := commit.Open(folder)
	require.NoError(t, err)
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	held, err := store.Lock(t.Context(), root, []string{"a.txt"})
	require.NoError(t, err)
	return func() {
		held.Release()
		root.Close()
	}
}

// An edit that is under way when input ends is finished and answered.
func TestMCPEndOfInput(t *testing.T) {
	p := startMCP(t)
	p.say(t, hello)
	p.hear(t)
	release := holdFile(t, p.dir)
	p.say(t, editCall(1, tagIn(t, p.dir), "edited"))
	p.taken(t)
	require.NoError(t, p.in.Close())
	release()
	require.Contains(t, p.hear(t), `1:edited`)
	rest, err := io.ReadAll(p.out)
	require.NoError(t, err)
	require.Empty(t, rest)
	require.NoError(t, p.Wait(), p.errs.String())
	text, err := os.ReadFile(filepath.Join(p.dir, "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "edited\n", string(text))
}

// A signal cancels an edit that waits; it is answered, nothing was written, and
// the program ends well.
func TestMCPSignal(t *testing.T) {
	p := startMCP(t)
	p.say(t, hello)
	p.hear(t)
	defer holdFile(t, p.dir)()
	p.say(t, editCall(1, tagIn(t, p.dir), "edited"))
	p.taken(t)
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.Contains(t, p.hear(t), "cancelled")
	require.NoError(t, p.Wait(), p.errs.String())
	text, err := os.ReadFile(filepath.Join(p.dir, "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "one\n", string(text))
}

// gone starts an edit that waits for the file, and then does not listen any more.
func gone(t *testing.T) (p *mcpProcess, release func()) {
	t.Helper()
	p = startMCP(t)
	p.say(t, hello)
	p.hear(t)
	release = holdFile(t, p.dir)
	p.say(t, editCall(1, tagIn(t, p.dir), "edited"))
	p.taken(t)
	require.NoError(t, p.closeOut())
	return p, release
}

// A client that is gone without a word does not end an edit that is under way.
func TestMCPClientGone(t *testing.T) {
	p, release := gone(t)
	require.NoError(t, p.in.Close())
	release()
	require.NoError(t, p.Wait())
	text, err := os.ReadFile(filepath.Join(p.dir, "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "edited\n", string(text))
}

// Once an answer cannot be written, an edit that has not begun to write is given
// up, and the program ends.
func TestMCPClientThatCannotBeAnswered(t *testing.T) {
	p, release := gone(t)
	defer release()
	p.say(t, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	require.NoError(t, p.Wait())
	text, err := os.ReadFile(filepath.Join(p.dir, "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "one\n", string(text))
}

// Lines of 20 MB are messages like others, and answered.
func TestMCPLongLine(t *testing.T) {
	p := startMCP(t)
	p.say(t, hello)
	p.hear(t)
	p.say(t, editCall(1, "0000", strings.Repeat("x", 20_000_000)))
	require.Contains(t, p.hear(t), `"isError":true`)
	p.say(t, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	require.Equal(t, `{"jsonrpc":"2.0","id":2,"result":{}}`+"\n", p.hear(t))
	require.NoError(t, p.in.Close())
	require.NoError(t, p.Wait())
}

// By HTTP the program tells where it is, answers, and ends well by a signal.
func TestMCPByHTTP(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(token, []byte("a-token-of-some-length\n"), 0o600))
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "hashline", "mcp", "--root", dir, "--http", "127.0.0.1:0", "--token-file", token)
	errs, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(errs).ReadString('\n')
	require.NoError(t, err)
	url := strings.TrimSpace(strings.TrimPrefix(line, "hashline: serving at "))
	for auth, want := range map[string]int{"": 401, "Bearer a-token-of-some-length": 200} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(hello))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", auth)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		resp.Body.Close()
		require.Equal(t, want, resp.StatusCode)
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
}
