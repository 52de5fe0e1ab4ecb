package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// wire is a client that writes lines as it likes.
type wire struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan struct{}
	stop context.CancelFunc
}

// dial serves a client by lines.
func dial(t *testing.T, s *Server) *wire {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	w := &wire{t, inW, bufio.NewReaderSize(outR, 1<<20), make(chan struct{}), stop}
	go func() {
		defer close(w.done)
		defer outW.Close()
		if err := s.ServeStdio(ctx, inR, outW); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		inW.Close()
		go func() { _, _ = io.Copy(io.Discard, outR) }()
		w.ended()
	})
	return w
}

func (w *wire) send(format string, v ...any) {
	w.t.Helper()
	if len(v) > 0 {
		format = fmt.Sprintf(format, v...)
	}
	_, err := io.WriteString(w.in, format+"\n")
	require.NoError(w.t, err)
}

func (w *wire) get() string {
	w.t.Helper()
	text, err := w.out.ReadString('\n')
	require.NoError(w.t, err, "%s", text)
	return strings.TrimSuffix(text, "\n")
}

func (w *wire) ended() {
	w.t.Helper()
	select {
	case <-w.done:
	case <-time.After(20 * time.Second):
		w.t.Fatal("the server does not end")
	}
}

const greeting = `{"jsonrpc":"2.0","id":"start","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// start begins a session in a version of the protocol; in the newest, none is
// begun.
func (w *wire) start(version string) {
	w.t.Helper()
	if version >= statelessVersion {
		return
	}
	w.send(greeting, version)
	require.Contains(w.t, w.get(), `"protocolVersion":"`+version+`"`)
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// call writes the call of a tool in a version of the protocol.
func call(version string, id any, tool, args string) string {
	meta := ""
	if version >= statelessVersion {
		meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientCapabilities":{}},`
	}
	text, err := json.Marshal(id)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{%s"name":%q,"arguments":%s}}`, text, meta, tool, args)
}

var versions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// reply is what matters of an answer.
type reply struct {
	ID     any
	Error  *struct{ Code int }
	Result struct {
		Content []struct{ Type, Text string }
		IsError bool
		Meta    map[string]struct{ Code string } `json:"_meta"`
	}
}

func parse(t *testing.T, text string) (r reply) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &r), text)
	return r
}

func (r reply) text() string {
	if len(r.Result.Content) != 1 {
		return ""
	}
	return r.Result.Content[0].Text
}

// After each line that is no message there is an answer, and the next call is
// served.
func TestLinesThatAreNoMessages(t *testing.T) {
	const null = `"id":null,"error":{"code":%d,`
	parseError, invalid := fmt.Sprintf(null, -32700), fmt.Sprintf(null, -32600)
	for _, version := range versions {
		w := dial(t, newServer(t, Config{}))
		w.start(version)
		for bad, want := range map[string]string{
			"garbage": parseError, "{": parseError, `{"jsonrpc":"2.0","id":1} x`: parseError, "\x00": parseError, "nul\x00l": parseError,
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\xff\"}": parseError, `"text"`: invalid, "17": invalid, "null": invalid, "true": invalid,
			"{}": invalid, `{"jsonrpc":"2.0","id":7}`: `"id":7,"error":{"code":-32600,`, `{"jsonrpc":"1.0","id":7,"method":"ping"}`: `"id":7,"error":{"code":-32600,`,
			`{"id":"x","method":"ping"}`:                         `"id":"x","error":{"code":-32600,`,
			`{"jsonrpc":"2.0","id":{},"method":"ping"}`:          invalid,
			`{"jsonrpc":"2.0","id":6,"Method":"ping"}`:           `"id":6,"error":{"code":-32600,`,
			`{"jsonrpc":"2.0","Method":"ping"}`:                  invalid,
			`{"jsonrpc":"2.0","id":5,"error":null}`:              `"id":5,"error":{"code":-32600,`,
			`{"jsonrpc":"2.0","id":5,"result":null}`:             "",
			`{"jsonrpc":"2.0","id":9,"method":5}`:                `"id":9,"error":{"code":-32600,`,
			`{"jsonrpc":"2.0","method":"no/such/notification"}`:  "",
			`{"jsonrpc":"2.0","id":8,"method":"no/such/method"}`: `"id":8,"error":{"code":-32601,`,
			`{"jsonrpc":"2.0","id":8,"method":"tools/call"}`:     `"id":8,"error":{"code":-32600,`,
			strings.Repeat("[", 100_000):                         parseError,
			strings.Repeat("[", 900) + strings.Repeat("]", 900):  invalid,
			`[{"jsonrpc":"2.0","id":8,"method":"ping"}`:          parseError,
			"":      "",
			" \t\r": "",
			"\uFEFF" + call(version, 5, "read_file", `{"path":1}`): `"id":5,"result":{`,
		} {
			if version >= statelessVersion && strings.Contains(bad, `"id":8`) && want != parseError {
				continue // such a request is of the other era
			}
			w.send("%s", bad)
			if want != "" {
				require.Contains(t, w.get(), want, "%s: %.200q", version, bad)
			}
			w.send("%s", call(version, "next", "read_file", `{"path":"a.txt"}`))
			got := parse(t, w.get())
			require.Equal(t, "next", got.ID, "%s: after %.200q", version, bad)
			require.True(t, strings.HasSuffix(got.text(), "\n1:one\n2:two\n3:three"), "%s: %q", version, got.text())
		}
		w.in.Close()
		w.ended()
	}
}

// A long line is a message like others, up to the limit; beyond it is answered
// and passed over.
func TestLongLines(t *testing.T) {
	w := dial(t, newServer(t, Config{}))
	w.start("2025-11-25")
	const mega = 1 << 20
	w.send("%s", call("2025-11-25", 1, "edit", `{"input":"`+strings.Repeat("x", 20*mega)+`"}`))
	got := parse(t, w.get())
	require.Equal(t, "too_large", got.Result.Meta[MetaKey].Code)
	require.Contains(t, got.text(), "edit rejected, nothing was written")
	w.send("%s", call("2025-11-25", 2, "write", `{"path":"big.txt","content":"`+strings.Repeat(`<\t\"`, mega)+`"}`))
	require.False(t, parse(t, w.get()).Result.IsError)

	s := newServer(t, Config{})
	s.maxMessage = mega
	w = dial(t, s)
	w.start("2025-11-25")
	long := strings.Repeat("y", mega)
	for _, line := range []struct{ text, id string }{
		{`{"jsonrpc":"2.0","id":31,"method":"x","params":"` + long + `"}`, "31"},
		{`{"method":"x","params":{"id":1,"y":"` + long + `"},"jsonrpc":"2.0","id":"a-b"}`, `"a-b"`},
		{`{"method":"x","params":{"y":"` + long + `","id":1}}`, "null"},
		{long, "null"},
	} {
		w.send("%s", line.text)
		require.Contains(t, w.get(), `"id":`+line.id+`,"error":{"code":-32600,`)
		w.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		require.Equal(t, `{"jsonrpc":"2.0","id":2,"result":{}}`, w.get())
	}
}

// A long line is passed over in bounded memory.
func TestLongLineTakesNoMemory(t *testing.T) {
	r := bufio.NewReaderSize(io.MultiReader(strings.NewReader("{"), io.LimitReader(zeros{}, 1<<30), strings.NewReader("\nnext\n")), 64<<10)
	allocated := testing.AllocsPerRun(1, func() {
		l, err := readLine(r, 1<<20)
		if err == nil && !l.long {
			_, err = readLine(r, 1<<20)
		}
		require.True(t, err == nil || err == io.EOF)
	})
	require.Less(t, allocated, 200.0)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// Where the protocol has batches, an array of calls gets an array of answers.
func TestBatches(t *testing.T) {
	for _, version := range versions {
		w := dial(t, newServer(t, Config{}))
		w.start(version)
		read := call(version, 1, "read_file", `{"path":"a.txt"}`)
		w.send("[%s,17,%s,%s,%s]", read, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, call(version, "b", "read_file", `{}`), read)
		got := w.get()
		if version >= firstWithoutBatches {
			require.Contains(t, got, `"id":null,"error":{"code":-32600`, version)
			continue
		}
		var all []reply
		require.NoError(t, json.Unmarshal([]byte(got), &all), got)
		ids := map[any]int{}
		for _, r := range all {
			ids[fmt.Sprintf("%v %v", r.ID, r.Error)]++
		}
		require.Len(t, all, 4, got)
		require.Equal(t, 1, ids["1 <nil>"], "%s: %v", version, ids)
		require.Equal(t, 1, ids["b <nil>"], "%s: %v", version, ids)
		for _, line := range []string{"[]", "[17]", "[" + strings.Repeat(read+",", maxWaiting) + read + "]"} {
			w.send("%s", line)
			require.Contains(t, w.get(), `"error":{"code":-32600,`, line)
		}
		w.send(`[{"jsonrpc":"2.0","method":"notifications/initialized"}]`)
		w.send("%s", read)
		require.EqualValues(t, 1, parse(t, w.get()).ID)
	}
}
