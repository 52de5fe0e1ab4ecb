// Package handshake speaks to an MCP server as a client does when it starts: it
// connects, lists the tools, and takes its leave (spec 14).
package handshake

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Target is a server: a command that is started, or a URL.
type Target struct {
	// Command and Args start the server, in the folder Dir, with the
	// environment Env (KEY=VALUE). Required where there is no URL.
	Command string
	Args    []string
	Dir     string
	Env     []string
	// URL is that of a server that is running, Token its bearer token, "" for
	// none.
	URL, Token string
}

// Info is what a server says of itself.
type Info struct {
	Name, Version string
	// Protocol is the version of the protocol that was agreed on.
	Protocol string
	Tools    []string
	// Took is how long all of it took.
	Took time.Duration
}

var (
	// ErrToken is the error for a server that does not take the token.
	ErrToken = errors.New("it does not take the token")
	// ErrTime is the error for a server that did not answer before ctx was done.
	ErrTime = errors.New("it did not answer in time")
)

// grace is how long a server has to end once its input has.
const grace = 2 * time.Second

// maxTools bounds the list of tools of a server that has no end of them.
const maxTools = 1000

// Do shakes hands with a server. A command that it started has ended when it
// returns, by force where ctx is done or it does not end by itself; on Unix so have
// the programs that it started itself. The error is for people, wraps [ErrToken] or
// [ErrTime] where it is one of these, and has the end of what the command wrote to
// standard error.
func Do(ctx context.Context, t Target, version string) (Info, error) {
	start := time.Now()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var said tail
	var denied atomic.Bool
	transport, started := t.transport(ctx, &said, &denied)
	info, err := shake(ctx, transport, version)
	if err != nil && started != nil && started.Process != nil {
		stop()
		// Where the connection never came to be nobody waited for it.
		_ = started.Wait()
	}
	info.Took = time.Since(start)
	if started != nil && started.Process != nil {
		_ = killGroup(started)
	}
	if err != nil && denied.Load() {
		err = fmt.Errorf("%w: %w", ErrToken, err)
	}
	return info, explained(ctx, err, &said)
}

// transport gives the way to the server, and the command that it will start.
func (t Target) transport(ctx context.Context, said *tail, denied *atomic.Bool) (mcp.Transport, *exec.Cmd) {
	if t.URL != "" {
		return &mcp.StreamableClientTransport{
			Endpoint: t.URL, HTTPClient: &http.Client{Transport: bearer{t.Token, denied}, CheckRedirect: stay},
			MaxRetries: -1, DisableStandaloneSSE: true,
		}, nil
	}
	cmd := exec.CommandContext(ctx, t.Command, t.Args...)
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.WaitDelay = t.Dir, t.Env, said, grace
	group(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	return &mcp.CommandTransport{Command: cmd, TerminateDuration: grace}, cmd
}

func shake(ctx context.Context, transport mcp.Transport, version string) (info Info, err error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "hashline-doctor", Version: version},
		&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return info, err
	}
	defer func() {
		// How a server ends that has answered is of no interest, but for one
		// that had to be killed.
		if cerr := session.Close(); err == nil && cerr != nil && strings.Contains(cerr.Error(), "signal") {
			err = fmt.Errorf("it does not end when its input does: %w", cerr)
		}
	}()
	if r := session.InitializeResult(); r != nil {
		info.Protocol = r.ProtocolVersion
		if r.ServerInfo != nil {
			info.Name, info.Version = r.ServerInfo.Name, r.ServerInfo.Version
		}
	}
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return info, err
		}
		if info.Tools = append(info.Tools, tool.Name); len(info.Tools) == maxTools {
			return info, errors.New("its list of tools does not end")
		}
	}
	return info, nil
}

// explained is the error with what the server had to say.
func explained(ctx context.Context, err error, said *tail) error {
	if err == nil {
		return nil
	}
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		err = ErrTime
	}
	if last := said.last(); last != "" {
		return fmt.Errorf("%w; it says: %s", err, last)
	}
	return err
}

// bearer adds a token to each request, and notes that one was not enough.
type bearer struct {
	token  string
	denied *atomic.Bool
}

// RoundTrip implements [http.RoundTripper].
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && answer.StatusCode == http.StatusUnauthorized {
		b.denied.Store(true)
	}
	return answer, err
}

// stay follows no redirection: the token is for nobody else.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
