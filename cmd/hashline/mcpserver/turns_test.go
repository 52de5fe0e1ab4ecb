package mcpserver

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace"
)

// So many calls run at once and no more; one that waits can be cancelled; a client
// that has many waits longer than one that has none.
func TestTurns(t *testing.T) {
	turns := newTurns(2)
	greedy, other := new(peer), new(peer)
	first, ok := turns.take(t.Context(), greedy)
	require.True(t, ok)
	second, ok := turns.take(t.Context(), greedy)
	require.True(t, ok)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, ok = turns.take(ctx, other)
	require.False(t, ok)
	order := make(chan string, 11)
	var all sync.WaitGroup
	wait := func(name string, p *peer, n int) {
		all.Go(func() {
			done, ok := turns.take(context.Background(), p)
			assert.True(t, ok)
			order <- name
			done()
		})
		require.Eventually(t, func() bool {
			turns.mu.Lock()
			defer turns.mu.Unlock()
			return len(turns.line) == n
		}, 5*time.Second, time.Millisecond)
	}
	for i := range 10 {
		wait("greedy", greedy, i+1)
	}
	wait("other", other, 11)
	first()
	require.Equal(t, "other", <-order)
	second()
	all.Wait()
	require.Equal(t, 2, turns.free)
	require.Empty(t, turns.running)
}

// By HTTP and by lines no more calls run at once than may, and searches keep nothing
// else.
func TestCallsTakeTurns(t *testing.T) {
	s := newServer(t, Config{})
	s.reads, s.searches = newTurns(3), newTurns(1)
	var running, most atomic.Int64
	searching, goOn := make(chan bool), make(chan bool)
	s.call = func(ctx context.Context, agent *workspace.Session, tool string, input []byte) workspace.Response {
		if tool == "grep" {
			searching <- true
			<-goOn
			return agent.Call(ctx, tool, input)
		}
		n := running.Add(1)
		defer running.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		time.Sleep(5 * time.Millisecond)
		return agent.Call(ctx, tool, input)
	}
	addr, _ := serveHTTP(t, s, HTTPConfig{})
	searcher := connectHTTP(t, addr, "", named("agent", nil))
	searched := make(chan bool)
	go func() {
		defer close(searched)
		_, _ = searcher.CallTool(context.Background(), &mcp.CallToolParams{Name: "grep", Arguments: map[string]any{"pattern": "one"}})
	}()
	<-searching
	var all sync.WaitGroup
	for range 20 {
		c := connectHTTP(t, addr, "", named("agent", nil))
		for range 3 {
			all.Go(func() {
				text, ok := callText(t.Context(), t, c, "read_file", map[string]any{"path": "a.txt"})
				assert.True(t, ok, text)
			})
		}
	}
	w := dial(t, s)
	w.start("2025-11-25")
	for i := range 10 {
		w.send("%s", call("2025-11-25", i, "read_file", `{"path":"a.txt"}`))
	}
	for range 10 {
		require.False(t, parse(t, w.get()).Result.IsError)
	}
	// A call that waits for its turn is cancelled like another.
	w.send("%s", call("2025-11-25", "waits", "grep", `{"pattern":"one"}`))
	require.Eventually(t, func() bool {
		s.searches.mu.Lock()
		defer s.searches.mu.Unlock()
		return len(s.searches.line) == 1
	}, 5*time.Second, time.Millisecond)
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"waits"}}`)
	<-searching
	close(goOn)
	require.Equal(t, "cancelled", parse(t, w.get()).Result.Meta[MetaKey].Code)
	<-searched
	all.Wait()
	require.EqualValues(t, 3, most.Load())
}
