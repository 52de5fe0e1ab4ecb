package mcpserver

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace"
)

// An ID comes back as it was written, and null is none.
func TestIDsComeBack(t *testing.T) {
	w := dial(t, newServer(t, Config{}))
	w.start("2025-11-25")
	for _, id := range []string{
		"0", "-0", "1.5", "1e3", "9007199254740993", "-12345678901234567890123", `""`, `"a"`, `"\u0061 \"<é"`, `"` + strings.Repeat("x", 5000) + `"`,
	} {
		w.send(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id)
		require.Equal(t, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`, w.get())
	}
	w.send(`{"jsonrpc":"2.0","id":null,"method":"ping"}`)
	require.Contains(t, w.get(), `"id":null,"error":{"code":-32600,`)
}

// An error has a code, and does not repeat all that was wrong.
func TestErrorsHaveCodesAndEnds(t *testing.T) {
	w := dial(t, newServer(t, Config{}))
	w.send(`{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}`)
	require.Contains(t, w.get(), `"id":1.5,"error":{"code":-32`)
	w.start("2025-11-25")
	long := strings.Repeat("é", 1<<20)
	w.send(`{"jsonrpc":"2.0","id":1,"method":"%s"}`, long)
	got := w.get()
	require.Contains(t, got, `"error":{"code":-32601,`)
	require.Less(t, len(got), 1000)
	w.send("%s", call("2025-11-25", 2, long, "{}"))
	got = w.get()
	require.Contains(t, got, `"error":{"code":-32602,`)
	require.Less(t, len(got), 1000)
}

// held makes a server whose writes go on when they are cancelled or goOn is closed.
func held(t *testing.T) (s *Server, began chan bool, goOn chan bool) {
	t.Helper()
	s = newServer(t, Config{})
	s.changes = newTurns(2 * maxWaiting)
	began, goOn = make(chan bool, maxWaiting), make(chan bool)
	s.call = func(ctx context.Context, agent *workspace.Session, tool string, input []byte) workspace.Response {
		if tool == "write" {
			began <- true
			select {
			case <-ctx.Done():
			case <-goOn:
			}
		}
		return agent.Call(ctx, tool, input)
	}
	return s, began, goOn
}

// A second call of an ID that waits for its answer is refused at once, and does not
// keep the server from ending.
func TestOneIDTwice(t *testing.T) {
	for _, id := range []any{1, "a"} {
		s, began, goOn := held(t)
		w := dial(t, s)
		w.start("2025-11-25")
		w.send("%s", call("2025-11-25", id, "write", `{"path":"n.txt","content":"x"}`))
		<-began
		w.send("%s", call("2025-11-25", id, "read_file", `{"path":"a.txt"}`))
		require.Contains(t, w.get(), `"error":{"code":-32600,"message":"this ID is`)
		close(goOn)
		require.False(t, parse(t, w.get()).Result.IsError)
		w.send("%s", call("2025-11-25", id, "read_file", `{"path":"a.txt"}`))
		require.Contains(t, parse(t, w.get()).text(), "1:one")
		w.in.Close()
		begin := time.Now()
		w.ended()
		require.Less(t, time.Since(begin), drainWait/2)
	}
}

// What is cancelled is the call of that ID, however it is written, and no other.
func TestCancelByID(t *testing.T) {
	for id, other := range map[string]string{`1.5`: `1`, `"\u0061"`: `"b"`, `9007199254740993`: `9007199254740992`} {
		s, began, _ := held(t)
		w := dial(t, s)
		w.start("2025-11-25")
		w.send(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"write","arguments":{"path":"n.txt","content":"x"}}}`, id)
		<-began
		for _, no := range []string{other, "1", "2", "3", "null", "{}"} {
			w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, no)
		}
		w.send("%s", call("2025-11-25", "between", "read_file", `{"path":"a.txt"}`))
		require.Equal(t, "between", parse(t, w.get()).ID)
		w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, strings.Replace(id, `\u0061`, "a", 1))
		got := w.get()
		require.Contains(t, got, `"id":`+id+`,`)
		require.Equal(t, "cancelled", parse(t, got).Result.Meta[MetaKey].Code)
	}
}

// With as many calls under way as may be, others can still be cancelled: those that
// have begun, and those that have not, which get no answer.
func TestCancelBehindManyCalls(t *testing.T) {
	s, began, goOn := held(t)
	w := dial(t, s)
	w.start("2025-11-25")
	for i := range maxWaiting + 10 {
		w.send("%s", call("2025-11-25", i, "write", `{"path":"n.txt","content":"x"}`))
	}
	for range maxWaiting {
		<-began
	}
	const waiting = maxWaiting + 5
	for _, id := range []int{waiting, 7} {
		w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
	}
	got := parse(t, w.get())
	require.EqualValues(t, 7, got.ID)
	require.Equal(t, "cancelled", got.Result.Meta[MetaKey].Code)
	close(goOn)
	w.in.Close()
	for range maxWaiting + 8 {
		require.NotEqualValues(t, waiting, parse(t, w.get()).ID)
	}
	w.ended()
}
