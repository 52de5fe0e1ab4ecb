package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// rootsWire is a client that tells its folders, or does not, as it likes.
type rootsWire struct {
	*wire
	s *Server
	// asked are the questions that came.
	asked []int
}

func dialRoots(t *testing.T, s *Server) *rootsWire {
	t.Helper()
	w := &rootsWire{wire: dial(t, s), s: s}
	w.send(strings.Replace(greeting, `"capabilities":{}`, `"capabilities":{"roots":{"listChanged":true}}`, 1), "2025-11-25")
	w.wire.get()
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return w
}

// get passes over questions.
func (w *rootsWire) get() string {
	w.t.Helper()
	for {
		line := w.wire.get()
		var asked struct {
			ID     int
			Method string
		}
		if !strings.Contains(line, `"method":`) {
			return line
		}
		require.NoError(w.t, json.Unmarshal([]byte(line), &asked))
		if asked.Method == "roots/list" {
			w.asked = append(w.asked, asked.ID)
		}
	}
}

func (w *rootsWire) changed() {
	w.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
}

// tell answers a question.
func (w *rootsWire) tell(question int, dirs ...string) {
	var all []string
	for _, dir := range dirs {
		all = append(all, `{"uri":"`+uriOf(w.s.path(dir))+`"}`)
	}
	w.send(`{"jsonrpc":"2.0","id":%d,"result":{"roots":[%s]}}`, question, strings.Join(all, ","))
}

func (w *rootsWire) fail(question int) {
	w.send(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"no"}}`, question)
}

// reads reports whether a file outside of sub can be read.
func (w *rootsWire) reads() bool {
	w.t.Helper()
	w.send("%s", call("2025-11-25", "x", "read_file", `{"path":"a.txt"}`))
	text := parse(w.t, w.get()).text()
	require.True(w.t, strings.Contains(text, "1:one") || strings.Contains(text, "outside_root"), text)
	return strings.Contains(text, "1:one")
}

func (w *rootsWire) last() int { return w.asked[len(w.asked)-1] }

// The folders that a client told last count until it tells others, whatever it does
// instead of telling.
func TestRootsHoldUntilOthersCome(t *testing.T) {
	for name, instead := range map[string]func(w *rootsWire){
		"nothing":          func(*rootsWire) {},
		"an error":         func(w *rootsWire) { w.fail(w.last()) },
		"a malformed list": func(w *rootsWire) { w.send(`{"jsonrpc":"2.0","id":%d,"result":{"roots":17}}`, w.last()) },
		"another change":   func(w *rootsWire) { w.changed() },
		"a change and no": func(w *rootsWire) {
			w.fail(w.last())
			w.changed()
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := rooted(t, Config{})
			s.rootsWait = 20 * time.Millisecond
			w := dialRoots(t, s)
			w.reads()
			w.tell(w.last(), "sub")
			require.Eventually(t, func() bool { return !w.reads() }, 10*time.Second, time.Millisecond)
			asked := len(w.asked)
			w.changed()
			for range 3 {
				require.False(t, w.reads())
				require.Greater(t, len(w.asked), asked, "it was not asked anew")
				instead(w)
			}
			require.Eventually(t, func() bool {
				w.tell(w.last(), ".")
				return w.reads()
			}, 10*time.Second, time.Millisecond)
			// What is known is not asked for.
			w.reads()
			asked = len(w.asked)
			w.reads()
			require.Len(t, w.asked, asked)
		})
	}
}

// An answer to a question that came before a change counts until the one after it
// is answered, and not afterwards.
func TestRootsOfAnOlderQuestion(t *testing.T) {
	s := rooted(t, Config{})
	s.rootsWait = 20 * time.Millisecond
	w := dialRoots(t, s)
	require.True(t, w.reads())
	first := w.last()
	w.changed()
	require.True(t, w.reads())
	second := w.last()
	require.NotEqual(t, first, second)
	w.tell(first, "sub")
	require.Eventually(t, func() bool { return !w.reads() }, 10*time.Second, time.Millisecond)
	w.tell(second, ".")
	require.Eventually(t, w.reads, 10*time.Second, time.Millisecond)

	w = dialRoots(t, s)
	w.reads()
	first = w.last()
	w.changed()
	w.reads()
	w.tell(w.last(), "sub")
	require.Eventually(t, func() bool { return !w.reads() }, 10*time.Second, time.Millisecond)
	w.tell(first, ".")
	for range 10 {
		require.False(t, w.reads())
	}
}

// Where folders are told by way of a result, what is none widens nothing either.
func TestRootsThatAreNone(t *testing.T) {
	s := rooted(t, Config{})
	w := dial(t, s)
	read := func(answer string) string {
		text := call(statelessVersion, "x", "read_file", `{"path":"a.txt"}`)
		text = strings.Replace(text, `clientCapabilities":{}`, `clientCapabilities":{"roots":{}}`, 1)
		if answer != "" {
			text = strings.Replace(text, `"name":`, `"inputResponses":{"roots":`+answer+`},"name":`, 1)
		}
		w.send("%s", text)
		return w.get()
	}
	require.Contains(t, read(""), `"roots/list"`)
	require.Contains(t, read(`{"roots":[{"uri":"`+uriOf(s.path("sub"))+`"}]}`), "outside_root")
	for _, answer := range []string{"", `{"action":"accept","content":{}}`, `{"roots":17}`, `17`, `{"content":{"type":"text","text":"x"},"model":"m","role":"user"}`} {
		require.NotContains(t, read(answer), "1:one", answer)
	}
}

// A hint names each folder once.
func TestNarrowNamesFoldersOnce(t *testing.T) {
	s := rooted(t, Config{})
	w := dialRoots(t, s)
	s.rootsWait = time.Minute
	w.send("%s", call("2025-11-25", "x", "read_file", `{"path":"a.txt"}`))
	var asked struct{ ID int }
	require.NoError(t, json.Unmarshal([]byte(w.wire.get()), &asked))
	w.tell(asked.ID, "sub", "sub", "sub/", "sub/../sub")
	text := parse(t, w.get()).text()
	require.Contains(t, text, " only sub can be reached")
}
