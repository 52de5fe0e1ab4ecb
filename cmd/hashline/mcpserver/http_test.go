package mcpserver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace"
)

const token, otherToken = "a-token-of-some-length", "another-token-of-some-length"

// serveHTTP serves until stop is called, and gives the address.
func serveHTTP(t *testing.T, s *Server, cfg HTTPConfig) (addr string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.ServeHTTP(ctx, l, cfg) }()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			require.NoError(t, err)
		case <-time.After(20 * time.Second):
			t.Error("the server does not end")
		}
	})
	t.Cleanup(stop)
	return l.Addr().String(), stop
}

// bearing is a client of HTTP that sends a token.
func bearing(token string) *http.Client {
	return &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		return http.DefaultTransport.RoundTrip(r)
	})}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func connectHTTP(t *testing.T, addr, token string, c *mcp.Client) *mcp.ClientSession {
	t.Helper()
	session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://" + addr + Path, HTTPClient: bearing(token)}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// An agent works by HTTP as by lines, with sessions and without.
func TestHTTP(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		s := rooted(t, Config{})
		addr, stop := serveHTTP(t, s, HTTPConfig{Stateless: stateless, Tokens: []string{token, otherToken}})
		client := named("agent", nil)
		client.AddRoots(&mcp.Root{URI: uriOf(s.path("sub"))})
		narrow := connectHTTP(t, addr, token, client)
		wide := connectHTTP(t, addr, otherToken, named("agent", nil))
		for range 2 {
			text, ok := callText(t.Context(), t, narrow, "read_file", map[string]any{"path": "a.txt"})
			require.False(t, ok, text)
			require.Contains(t, text, "outside_root")
			text, ok = callText(t.Context(), t, wide, "read_file", map[string]any{"path": "a.txt"})
			require.True(t, ok, text)
		}
		big, ok := callText(t.Context(), t, wide, "write", map[string]any{"path": "big.txt", "content": strings.Repeat("row of text\n", 400_000)})
		require.True(t, ok, big)
		require.Len(t, s.peers, 2)
		require.NoError(t, narrow.Close())
		require.NoError(t, wide.Close())
		stop()
	}
}

// request sends one request and gives its status.
func request(t *testing.T, method, addr, body string, header ...string) (int, http.Header) {
	t.Helper()
	status, got, _ := answered(t, method, addr, body, header...)
	return status, got
}

// post sends a message and gives the answer.
func post(t *testing.T, addr, body string, header ...string) (status int, answer string) {
	t.Helper()
	status, _, answer = answered(t, "POST", addr, body, header...)
	return status, answer
}

func answered(t *testing.T, method, addr, body string, header ...string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+addr+Path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	// Its end tells that the server is done with the request.
	all, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, string(all)
}

// Web pages, strangers and bodies without end are kept out.
func TestGuards(t *testing.T) {
	addr, _ := serveHTTP(t, newServer(t, Config{}), HTTPConfig{Tokens: []string{token}})
	hello := fmt.Sprintf(greeting, "2025-11-25")
	for name, c := range map[string]struct {
		body   string
		header []string
		want   int
	}{
		"good":                 {hello, nil, 200},
		"same origin":          {hello, []string{"Origin", "http://" + addr}, 200},
		"localhost":            {hello, []string{"Host", "localhost:1"}, 200},
		"another host":         {hello, []string{"Host", "evil.example"}, 403},
		"a name like ours":     {hello, []string{"Host", "localhost.evil.example"}, 403},
		"another origin":       {hello, []string{"Origin", "http://evil.example"}, 403},
		"another port":         {hello, []string{"Origin", "http://127.0.0.1:1"}, 403},
		"an opaque origin":     {hello, []string{"Origin", "null"}, 403},
		"no token":             {hello, []string{"Authorization", ""}, 401},
		"a wrong token":        {hello, []string{"Authorization", "Bearer " + token + "x"}, 401},
		"a beginning of it":    {hello, []string{"Authorization", "Bearer " + token[:8]}, 401},
		"basic":                {hello, []string{"Authorization", "Basic " + token}, 401},
		"an unknown session":   {hello, []string{sessionHeader, "x"}, 404},
		"not JSON":             {hello, []string{"Content-Type", "text/plain"}, 415},
		"an unknown version":   {hello, []string{"Mcp-Protocol-Version", "2020-01-01"}, 400},
		"a body too long":      {strings.Repeat(" ", maxMessage+1), nil, 413},
		"a malformed body":     {"garbage", nil, 400},
		"a header without end": {hello, []string{"X-Long", strings.Repeat("x", 1<<20)}, 431},
	} {
		got, header := request(t, "POST", addr, c.body, c.header...)
		require.Equal(t, c.want, got, name)
		require.Equal(t, got == 401, header.Get("WWW-Authenticate") != "", name)
	}
	for _, method := range []string{"GET", "DELETE"} {
		got, _ := request(t, method, addr, "", "Origin", "http://evil.example")
		require.Equal(t, 403, got, method)
		got, _ = request(t, method, addr, "", "Authorization", "")
		require.Equal(t, 401, got, method)
	}
	resp, err := bearing(token).Get("http://" + addr + "/other")
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, 404, resp.StatusCode)
}

// Only loopback addresses are served without a token.
func TestCheck(t *testing.T) {
	for addr, open := range map[string]bool{"127.0.0.1:1": false, "[::1]:1": false, "127.8.9.1:1": false, "0.0.0.0:1": true, "[::]:1": true, "10.0.0.1:1": true} {
		a, err := net.ResolveTCPAddr("tcp", addr)
		require.NoError(t, err)
		require.Equal(t, open, HTTPConfig{}.Check(a) != nil, addr)
		require.NoError(t, HTTPConfig{Tokens: []string{token}}.Check(a))
	}
	l, err := net.Listen("tcp", "0.0.0.0:0")
	require.NoError(t, err)
	require.Error(t, newServer(t, Config{}).ServeHTTP(t.Context(), l, HTTPConfig{}))
	_, err = net.Dial("tcp", l.Addr().String())
	require.Error(t, err)
}

func TestParseTokens(t *testing.T) {
	got, err := ParseTokens("# ours\n\n  " + token + "  \r\n" + otherToken)
	require.NoError(t, err)
	require.Equal(t, []string{token, otherToken}, got)
	for _, text := range []string{"", "\n# x\n", "short", "with a blank in the middle", "with\x00nul-in-the-middle", "ümlaut-ümlaut-ümlaut"} {
		_, err := ParseTokens(text)
		require.Error(t, err, "%q", text)
	}
}

// A session belongs to the token that began it.
func TestSessionOfAnotherToken(t *testing.T) {
	addr, _ := serveHTTP(t, newServer(t, Config{}), HTTPConfig{Tokens: []string{token, otherToken}})
	_, header := request(t, "POST", addr, fmt.Sprintf(greeting, "2025-11-25"))
	id := header.Get(sessionHeader)
	require.NotEmpty(t, id)
	ping := `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	got, _ := request(t, "POST", addr, ping, sessionHeader, id)
	require.Equal(t, 200, got)
	got, _ = request(t, "POST", addr, ping, sessionHeader, id, "Authorization", "Bearer "+otherToken)
	require.Equal(t, 403, got)
}

// For one session too many the one goes that was idle longest.
func TestTooManySessions(t *testing.T) {
	s := newServer(t, Config{})
	s.maxSessions = 3
	addr, _ := serveHTTP(t, s, HTTPConfig{Tokens: []string{token}})
	ping := `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	var ids []string
	for i := range 5 {
		got, header := request(t, "POST", addr, fmt.Sprintf(greeting, "2025-11-25"))
		require.Equal(t, 200, got)
		ids = append(ids, header.Get(sessionHeader))
		if i == 2 {
			got, _ = request(t, "POST", addr, ping, sessionHeader, ids[0])
			require.Equal(t, 200, got)
		}
	}
	for i, want := range []int{200, 404, 404, 200, 200} {
		require.Eventually(t, func() bool {
			got, _ := request(t, "POST", addr, ping, sessionHeader, ids[i])
			return got == want
		}, 5*time.Second, 10*time.Millisecond, "session %d", i)
	}
}

// When a signal comes calls are cancelled, a change under way is finished and
// answered, and streams that clients hold open end.
func TestEndOfHTTP(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		s := newServer(t, Config{})
		began, goOn := make(chan bool, 1), make(chan bool)
		s.call = func(ctx context.Context, agent *workspace.Session, tool string, input []byte) workspace.Response {
			began <- true
			<-goOn
			return agent.Call(context.WithoutCancel(ctx), tool, input)
		}
		addr, stop := serveHTTP(t, s, HTTPConfig{Stateless: stateless})
		c := connectHTTP(t, addr, "", named("agent", nil))
		answered := make(chan string, 1)
		go func() {
			res, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: "write", Arguments: map[string]any{"path": "new.txt", "content": "x"}})
			if err != nil {
				answered <- err.Error()
				return
			}
			answered <- res.Content[0].(*mcp.TextContent).Text
		}()
		<-began
		ended := make(chan bool)
		go func() {
			stop()
			close(ended)
		}()
		select {
		case <-ended:
			t.Fatal("the server ended in the middle of a change")
		case <-time.After(50 * time.Millisecond):
		}
		close(goOn)
		require.Contains(t, <-answered, "created new.txt", "stateless: %v", stateless)
		<-ended
	}
}

// What is no UTF-8 is not mended in silence.
func TestHTTPInvalidUTF8(t *testing.T) {
	addr, _ := serveHTTP(t, newServer(t, Config{}), HTTPConfig{Stateless: true, Tokens: []string{token}})
	r, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+addr+Path, strings.NewReader(call("2025-11-25", 1, "write", "{\"path\":\"x\",\"content\":\"\xff\"}")))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := bearing(token).Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	all, err := io.ReadAll(bufio.NewReader(resp.Body))
	require.NoError(t, err)
	require.Contains(t, string(all), "not valid UTF-8")
}
