package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// testServer stands in for a server that is not as it should be.
func testServer(kind string) {
	tools := []string{"read_file", "edit"}
	version := moduleVersion()
	switch kind {
	case "old":
		version = "v0.0.1"
	case "other":
		tools = []string{"weather"}
	case "dead":
		fmt.Fprintln(os.Stderr, "no such flag: --x")
		os.Exit(2)
	}
	if err := mcpServer(version, tools...).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

func mcpServer(version string, tools ...string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "hashline", Version: version}, nil)
	for _, name := range tools {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
	}
	return s
}

// doctorSays runs only the checks of clients and gives what they came to.
func doctorSays(t *testing.T, home, project string, clients ...string) []finding {
	t.Helper()
	return doctorWith(t, "", home, project, clients...)
}

// doctorWith is that with --token-env.
func doctorWith(t *testing.T, tokenEnv, home, project string, clients ...string) []finding {
	t.Helper()
	t.Setenv("HOME", home)
	a := &app{root: project}
	where, err := a.places()
	require.NoError(t, err)
	var got []finding
	d := &doctor{a: a, where: where, tokenEnv: tokenEnv, tell: func(f finding) { got = append(got, f) }}
	d.clients(t.Context(), clients)
	return got
}

// tokenSink starts a server and gives its address. seen gives the header with the
// token of its last request, and forgets it.
func tokenSink(t *testing.T) (seen func() string, address string) {
	var last atomic.Value
	last.Store("")
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return mcpServer(moduleVersion(), "read_file", "edit") }, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		last.Store(r.Header.Get("Authorization"))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return func() string { return last.Swap("").(string) }, server.URL
}

// A token goes where the user's own file says, and on this machine where a
// project's file says.
func TestDoctorSendsTokens(t *testing.T) {
	seen, address := tokenSink(t)
	home, project := t.TempDir(), t.TempDir()
	inRoot(t, home, ".gemini/settings.json", []byte(`{"mcpServers": {"hashline": {"url": "`+address+`", "headers": {"authorization": "Bearer ${HASHLINE_TOKEN}"}}}}`))
	t.Setenv("HASHLINE_TOKEN", "")
	got := doctorSays(t, home, project, "gemini")
	require.Len(t, got, 1)
	require.Equal(t, broken, got[0].Outcome)
	require.Contains(t, got[0].Text, "takes the token from HASHLINE_TOKEN, which is not set")
	require.Empty(t, seen())

	t.Setenv("HASHLINE_TOKEN", "s3cret")
	got = doctorSays(t, home, project, "gemini")
	require.Len(t, got, 1)
	require.Equal(t, healthy, got[0].Outcome, got[0].Text)
	require.Equal(t, "Bearer s3cret", seen())

	inRoot(t, project, ".gemini/settings.json", []byte(`{"mcpServers": {"hashline": {"url": "http://mcp.example.invalid/", "headers": {"Authorization": "Bearer ${HASHLINE_TOKEN}"}}}}`))
	got = doctorSays(t, home, project, "gemini")
	require.Len(t, got, 2)
	require.Equal(t, doubt, got[0].Outcome)
	require.Contains(t, got[0].Text, "nothing was sent")
}

// Whatever a configuration says, nothing is started but hashline.
func TestDoctorStartsNothingElse(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	ran := filepath.Join(project, "ran")
	program := filepath.Join(project, "hashline")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\ntouch '"+ran+"'\n"), 0o755))
	t.Setenv("RAN", ran)
	for text, says := range map[string]string{
		`{"command": "` + program + `", "args": ["mcp"]}`:                              "was not started",
		`{"command": "hashline", "args": ["mcp"], "env": {"LD_PRELOAD": "./evil.so"}}`: "was not started",
		`{"command": "./hashline", "args": ["mcp"]}`:                                   "",
		`{"command": "hashline", "args": ["mcp"], "disabled": true}`:                   "but disabled",
	} {
		inRoot(t, project, ".mcp.json", []byte(`{"mcpServers": {"hashline": `+text+`}}`))
		got := doctorSays(t, home, project, "claude")
		require.Len(t, got, 1)
		if got[0].Outcome == healthy {
			t.Errorf("%s: %v", text, got)
		}
		require.Contains(t, got[0].Text, says)
	}
	_, err := os.Stat(ran)
	if diff := cmp.Diff(true, os.IsNotExist(err)); diff != "" {
		t.Error("a foreign program was started", diff)
	}
}

// What to do about a server that is there but does not answer is not to start it.
func TestDoctorAdvice(t *testing.T) {
	wants := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer wants.Close()
	hung := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hung }))
	defer hangs.Close()
	defer close(hung)
	gone := httptest.NewServer(nil)
	gone.Close()
	t.Setenv("HASHLINE_TOKEN", "wrong")
	const token = `, "headers": {"Authorization": "Bearer ${HASHLINE_TOKEN}"}`
	for _, c := range []struct{ url, more, fix string }{
		{wants.URL, "", "it wants a token: hashline setup"},
		{wants.URL, token, "what HASHLINE_TOKEN holds is no token of this server"},
		{hangs.URL, "", "something is there but does not answer"},
		{gone.URL, "", "start it: hashline mcp --http"},
	} {
		home := t.TempDir()
		inRoot(t, home, ".gemini/settings.json", []byte(`{"mcpServers": {"hashline": {"url": "`+c.url+`"`+c.more+`}}}`))
		t.Setenv("HOME", home)
		a := &app{root: t.TempDir()}
		where, err := a.places()
		require.NoError(t, err)
		var got []finding
		d := &doctor{a: a, where: where, tell: func(f finding) { got = append(got, f) }}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		d.clients(ctx, []string{"gemini"})
		stop()
		require.Len(t, got, 1)
		require.Equal(t, broken, got[0].Outcome, got)
		require.Contains(t, got[0].Fix, c.fix, got[0].Text)
	}
}
