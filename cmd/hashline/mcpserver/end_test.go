package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace"
)

// What was read before input ended is answered.
func TestEndOfInput(t *testing.T) {
	for _, version := range versions {
		w := dial(t, newServer(t, Config{}))
		w.start(version)
		var all strings.Builder
		for i := range 40 {
			all.WriteString(call(version, i, "read_file", `{"path":"a.txt"}`) + "\n")
		}
		w.send("%s", strings.TrimSuffix(all.String(), "\n"))
		w.in.Close()
		seen := map[any]bool{}
		for range 40 {
			got := parse(t, w.get())
			require.Contains(t, got.text(), "1:one")
			seen[got.ID] = true
		}
		require.Len(t, seen, 40)
		w.ended()
	}
}

// A change that is under way when input ends, or when a signal comes, is finished
// and answered, and the server ends then and not before. What waits is cancelled
// by a signal.
func TestEndInTheMiddle(t *testing.T) {
	for _, how := range []string{"input", "signal"} {
		s := newServer(t, Config{})
		began, goOn := make(chan bool, 2), make(chan bool)
		s.call = func(ctx context.Context, agent *workspace.Session, tool string, input []byte) workspace.Response {
			began <- true
			switch tool {
			case "write": // in the middle of a commit, which nothing stops
				<-goOn
				return agent.Call(context.WithoutCancel(ctx), tool, input)
			case "grep":
				select {
				case <-ctx.Done():
				case <-goOn:
				}
			}
			return agent.Call(ctx, tool, input)
		}
		w := dial(t, s)
		w.start("2025-11-25")
		w.send("%s", call("2025-11-25", 1, "write", `{"path":"new.txt","content":"new"}`))
		<-began
		w.send("%s", call("2025-11-25", 2, "grep", `{"pattern":"one"}`))
		<-began
		if how == "signal" {
			w.stop()
			got := parse(t, w.get())
			require.EqualValues(t, 2, got.ID)
			require.Equal(t, "cancelled", got.Result.Meta[MetaKey].Code)
		} else {
			w.in.Close()
		}
		select {
		case <-w.done:
			t.Fatalf("%s: the server ended in the middle of a change", how)
		case <-time.After(100 * time.Millisecond):
		}
		close(goOn)
		for {
			if got := parse(t, w.get()); got.ID == 1.0 {
				require.False(t, got.Result.IsError, got.text())
				break
			}
		}
		if how == "input" {
			go func() { _, _ = io.Copy(io.Discard, w.out) }()
		}
		w.ended()
		text, err := os.ReadFile(s.path("new.txt"))
		require.NoError(t, err)
		require.Equal(t, "new", string(text))
	}
}

// A panic is the error of its call.
func TestPanic(t *testing.T) {
	for _, version := range versions {
		s := newServer(t, Config{})
		s.call = func(ctx context.Context, agent *workspace.Session, tool string, input []byte) workspace.Response {
			if tool == "edit" {
				panic("index out of range")
			}
			return agent.Call(ctx, tool, input)
		}
		w := dial(t, s)
		w.start(version)
		w.send("%s", call(version, 1, "edit", `{"input":""}`))
		got := parse(t, w.get())
		require.True(t, got.Result.IsError)
		require.Equal(t, "io", got.Result.Meta[MetaKey].Code)
		require.Contains(t, got.text(), "this is a bug in hashline: index out of range")
		w.send("%s", call(version, 2, "read_file", `{"path":"a.txt"}`))
		require.Contains(t, parse(t, w.get()).text(), "1:one")
	}
}

// A client that does not read gets no more work done than the bound; what it sent
// waits in its own pipe, and all of it is answered when it reads.
func TestSlowClient(t *testing.T) {
	const calls = 2 * maxPending
	s := newServer(t, Config{})
	var begun, sent, read, most atomic.Int64
	s.call = func(ctx context.Context, agent *workspace.Session, tool string, input []byte) workspace.Response {
		// One answer may have been read that is not counted yet.
		if now := begun.Add(1) - read.Load(); now > maxWaiting+2 {
			most.Store(now)
		}
		return agent.Call(ctx, tool, input)
	}
	w := dial(t, s)
	w.start("2025-11-25")
	var sending sync.WaitGroup
	sending.Go(func() {
		for i := range calls {
			_, _ = io.WriteString(w.in, call("2025-11-25", i, "read_file", `{"path":"a.txt"}`)+"\n")
			sent.Add(1)
		}
	})
	require.Eventually(t, func() bool { return begun.Load() >= maxWaiting && sent.Load() >= maxPending }, 20*time.Second, time.Millisecond)
	seen := map[any]bool{}
	for range calls {
		// What the reader and the writer of lines hold besides is little.
		if ahead := sent.Load() - read.Load(); ahead > maxWaiting+maxPending+2*(64<<10)/int64(len(call("2025-11-25", 1, "read_file", `{"path":"a.txt"}`))) {
			t.Fatalf("%d were taken", ahead)
		}
		seen[parse(t, w.get()).ID] = true
		read.Add(1)
	}
	require.Len(t, seen, calls)
	require.Zero(t, most.Load())
	sending.Wait()
}

// A client that never reads keeps the server neither from hearing a signal nor
// from ending.
func TestClientThatNeverReads(t *testing.T) {
	w := dial(t, newServer(t, Config{}))
	w.start("2025-11-25")
	for i := range 10 {
		w.send("%s", call("2025-11-25", i, "read_file", `{"path":"a.txt"}`))
	}
	w.stop()
	w.ended()
}

// A call that the client cancels ends, and others go on.
func TestCancelledCall(t *testing.T) {
	for _, version := range versions {
		s := newServer(t, Config{})
		began := make(chan bool, 1)
		s.call = func(ctx context.Context, agent *workspace.Session, tool string, input []byte) workspace.Response {
			if tool == "write" {
				began <- true
				<-ctx.Done()
			}
			return agent.Call(ctx, tool, input)
		}
		w := dial(t, s)
		w.start(version)
		w.send("%s", call(version, 1, "write", `{"path":"a.txt","content":"x"}`))
		<-began
		w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`)
		got := parse(t, w.get())
		require.Equal(t, "cancelled", got.Result.Meta[MetaKey].Code, "%s", got.text())
		w.send("%s", call(version, 2, "read_file", `{"path":"a.txt"}`))
		require.Contains(t, parse(t, w.get()).text(), "1:one")
	}
}

// Calls run in parallel. Of two edits of one file from one snapshot one wins and
// the other is told, and no work is lost.
func TestTwentyCallsAtOnce(t *testing.T) {
	for _, version := range versions {
		s := newServer(t, Config{})
		s.changes = newTurns(20)
		var together sync.WaitGroup
		together.Add(20)
		s.call = func(ctx context.Context, agent *workspace.Session, tool string, input []byte) workspace.Response {
			if strings.Contains(string(input), "a.txt") {
				together.Done()
				together.Wait() // they are all under way, or this never ends
			}
			return agent.Call(ctx, tool, input)
		}
		tag := fileTag(t, s)
		w := dial(t, s)
		w.start(version)
		for i := range 20 {
			doc, err := json.Marshal(map[string]string{"input": fmt.Sprintf("[a.txt#%s]\nPUT >$:\n+by %d\n", tag, i)})
			require.NoError(t, err)
			w.send("%s", call(version, i, "edit", string(doc)))
		}
		var won []any
		for range 20 {
			got := parse(t, w.get())
			if !got.Result.IsError {
				won = append(won, got.ID)
				continue
			}
			require.Equal(t, "stale_tag", got.Result.Meta[MetaKey].Code)
			require.True(t, strings.HasPrefix(got.text(), "edit rejected, nothing was written\n"), got.text())
		}
		require.Len(t, won, 1)
		text, err := os.ReadFile(s.path("a.txt"))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("one\ntwo\nthree\nby %v\n", won[0]), string(text))
	}
}

func fileTag(t *testing.T, s *Server) string {
	t.Helper()
	res, err := s.cfg.Workspace.Session(workspace.SessionConfig{}).Read(t.Context(), workspace.ReadArgs{Path: "a.txt"})
	require.NoError(t, err)
	_, tag, _ := strings.Cut(res.Content, "#")
	return tag[:4]
}
