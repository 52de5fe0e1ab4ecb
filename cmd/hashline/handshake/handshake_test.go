package handshake_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/cmd/hashline/handshake"
)

// TestMain runs this program as a server where a test asks for one.
func TestMain(m *testing.M) {
	switch os.Getenv("HANDSHAKE_SERVER") {
	case "":
		os.Exit(m.Run())
	case "good":
		if err := server().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			os.Exit(1)
		}
	case "chatty":
		fmt.Println("Welcome to my server!")
		time.Sleep(time.Minute)
	case "dead":
		fmt.Fprintln(os.Stderr, "first\nno such flag: --x")
		os.Exit(2)
	case "mute":
		time.Sleep(time.Minute)
	case "stubborn":
		_ = server().Run(context.Background(), &mcp.StdioTransport{})
		time.Sleep(time.Minute)
	}
}

func server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "demo", Version: "v1.2.3"}, nil)
	for i := range 3 {
		s.AddTool(&mcp.Tool{Name: fmt.Sprint("tool", i), InputSchema: map[string]any{"type": "object"}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
	}
	return s
}

func target(kind string) handshake.Target {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return handshake.Target{Command: self, Env: append(os.Environ(), "HANDSHAKE_SERVER="+kind)}
}

func TestCommand(t *testing.T) {
	info, err := handshake.Do(t.Context(), target("good"), "v1")
	require.NoError(t, err)
	require.Equal(t, "demo", info.Name)
	require.Equal(t, "v1.2.3", info.Version)
	require.NotEmpty(t, info.Protocol)
	require.Equal(t, []string{"tool0", "tool1", "tool2"}, info.Tools)
}

// A server that does not do what it should is told from one that does, in time.
func TestCommandThatFails(t *testing.T) {
	for kind, says := range map[string]string{
		"chatty": "", "dead": "it says: no such flag: --x", "mute": "it did not answer in time", "stubborn": "it does not end",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			limit := time.Minute
			if kind == "chatty" || kind == "mute" {
				limit = 2 * time.Second
			}
			ctx, stop := context.WithTimeout(t.Context(), limit)
			defer stop()
			start := time.Now()
			_, err := handshake.Do(ctx, target(kind), "v1")
			require.ErrorContains(t, err, says)
			require.Less(t, time.Since(start), 15*time.Second)
		})
	}
	_, err := handshake.Do(t.Context(), handshake.Target{Command: "/nowhere/hashline"}, "v1")
	require.ErrorContains(t, err, "no such file")
}

func TestURL(t *testing.T) {
	seen := ""
	mcpHandler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server() }, nil)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Get("Authorization")
		if strings.HasPrefix(r.URL.Path, "/away") {
			http.Redirect(w, r, "/mcp", http.StatusTemporaryRedirect)
			return
		}
		if seen != "Bearer secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		mcpHandler.ServeHTTP(w, r)
	}))
	defer s.Close()
	info, err := handshake.Do(t.Context(), handshake.Target{URL: s.URL + "/mcp", Token: "secret"}, "v1")
	require.NoError(t, err)
	require.Equal(t, "demo", info.Name)
	require.Len(t, info.Tools, 3)

	_, err = handshake.Do(t.Context(), handshake.Target{URL: s.URL + "/mcp"}, "v1")
	require.ErrorContains(t, err, "Unauthorized")
	require.ErrorIs(t, err, handshake.ErrToken)
	_, err = handshake.Do(t.Context(), handshake.Target{URL: s.URL + "/away", Token: "secret"}, "v1")
	require.Error(t, err)
	s.Close()
	_, err = handshake.Do(t.Context(), handshake.Target{URL: s.URL + "/mcp", Token: "secret"}, "v1")
	require.ErrorContains(t, err, "refused")
}
