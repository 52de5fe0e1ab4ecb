package mcpserver

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var answerID = regexp.MustCompile(`"jsonrpc":"2.0","id":("(?:[^"\\]|\\.)*"|[^,]+),"(result|error)"`)

// idsOf gives the IDs of the answers in a text, in order of their text.
func idsOf(text string) (ids []string) {
	for _, m := range answerID.FindAllStringSubmatch(text, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// sameID reports whether two IDs are the same as JSON, with numbers to the letter.
func sameID(a, b string) bool {
	var x, y string
	if strings.Contains(a, `\ud`) || json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	return x == y
}

// An ID comes back by HTTP as it was written, in answers of both kinds.
func TestHTTPIDsComeBack(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		s := newServer(t, Config{})
		addr, _ := serveHTTP(t, s, HTTPConfig{Stateless: stateless, Tokens: []string{token}})
		var session []string
		if !stateless {
			_, header := request(t, "POST", addr, fmt.Sprintf(greeting, "2025-03-26"))
			session = []string{sessionHeader, header.Get(sessionHeader)}
			request(t, "POST", addr, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...)
		}
		odd := []string{
			"0", "-0", "1", "1.5", "1.0", "1e3", "9007199254740992", "9007199254740993", "12345678901234567890", "-12345678901234567890123",
			`""`, `"a"`, `"1.5"`, `"\u0061 \"<é"`, `"\ud800"`, `"` + strings.Repeat("x", 5000) + `"`,
		}
		for _, id := range odd {
			for method, kind := range map[string]string{"ping": "result", "no/such/method": "error", "tools/list": "result"} {
				_, got := post(t, addr, fmt.Sprintf(` {"params":{"id":1.5}, "method":%q,"id" : %s ,"jsonrpc":"2.0"}`, method, id), session...)
				if method == "no/such/method" && !strings.Contains(got, `"error"`) {
					continue // of that the answer is no message
				}
				ids := idsOf(got)
				require.Len(t, ids, 1, "%s: %s", method, got)
				require.True(t, sameID(id, ids[0]), "%s: %s", method, got)
				require.Contains(t, got, kind)
				require.NotContains(t, got, `"code":0`)
			}
		}
		for _, ids := range [][2]string{{"1.2", "1.7"}, {"1", "1.5"}, {"9007199254740993", "9007199254740992"}} {
			_, got := post(t, addr, fmt.Sprintf(`[{"jsonrpc":"2.0","id":%s,"method":"ping"},{"jsonrpc":"2.0","id":%s,"method":"ping"}]`, ids[0], ids[1]), session...)
			require.ElementsMatch(t, ids[:], idsOf(got), got)
		}
		got, text := post(t, addr, `[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"\u0061","method":"ping"}]`, session...)
		require.Equal(t, 400, got)
		require.Contains(t, text, `"error":{"code":-32600,`)
	}
}

// Bodies that are no message, or more than one, are refused, with an error that
// programs can read.
func TestHTTPBodiesThatAreNoMessages(t *testing.T) {
	const null = `"id":null,"error":{"code":`
	for _, stateless := range []bool{false, true} {
		s := newServer(t, Config{})
		addr, _ := serveHTTP(t, s, HTTPConfig{Stateless: stateless, Tokens: []string{token}})
		_, header := request(t, "POST", addr, fmt.Sprintf(greeting, "2025-11-25"))
		session := []string{sessionHeader, header.Get(sessionHeader), "Mcp-Protocol-Version", "2025-11-25"}
		for body, want := range map[string]string{
			"":                      null + "-32700",
			"garbage":               null + "-32700",
			ping + ping:             null + "-32700",
			ping + "\n" + ping:      null + "-32700",
			ping + " x":             null + "-32700",
			"[" + ping + "]" + ping: null + "-32700",
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\xff\"}": null + "-32700",
			"{}":   null + "-32600",
			"17":   null + "-32600",
			"null": null + "-32600",
			"[]":   null + "-32600",
			"[17]": null + "-32600",
			`{"jsonrpc":"2.0","id":null,"method":"ping"}`:           null + "-32600",
			`{"jsonrpc":"2.0","id":{},"method":"ping"}`:             null + "-32600",
			`{"jsonrpc":"2.0","id":true,"method":"ping"}`:           null + "-32600",
			`{"jsonrpc":"2.0","id":7}`:                              `"id":7,"error":{"code":-32600`,
			`{"jsonrpc":"2.0","id":1.5,"Method":"ping"}`:            `"id":1.5,"error":{"code":-32600`,
			`{"jsonrpc":"1.0","id":7,"method":"ping"}`:              `"id":7,"error":{"code":-32600`,
			`{"id":"x","method":"ping"}`:                            `"id":"x","error":{"code":-32600`,
			`{"jsonrpc":"2.0","id":9,"method":5}`:                   `"id":9,"error":{"code":-32600`,
			"[" + strings.Repeat(ping+",", maxWaiting) + ping + "]": null + "-32600",
		} {
			status, got := post(t, addr, body, session...)
			require.Equal(t, 400, status, "%s: %s", body, got)
			require.Contains(t, got, want, body)
			status, got = post(t, addr, ping, session...)
			require.Equal(t, 200, status, got)
		}
	}
}

// A call before a session has begun is refused as one by lines is.
func TestHTTPCallBeforeInitialize(t *testing.T) {
	addr, _ := serveHTTP(t, newServer(t, Config{}), HTTPConfig{Tokens: []string{token}})
	_, got := post(t, addr, call("2025-11-25", 1, "read_file", `{"path":"a.txt"}`))
	require.Contains(t, got, `"id":1,"error":{"code":-32600,`)
}

// What is cancelled is the call of that ID, and no other.
func TestHTTPCancelByID(t *testing.T) {
	for id, other := range map[string]string{`1.5`: `1`, `"\u0061"`: `"b"`, `9007199254740993`: `9007199254740992`} {
		s, began, goOn := held(t)
		addr, stop := serveHTTP(t, s, HTTPConfig{Tokens: []string{token}})
		_, header := request(t, "POST", addr, fmt.Sprintf(greeting, "2025-11-25"))
		session := []string{sessionHeader, header.Get(sessionHeader), "Mcp-Protocol-Version", "2025-11-25"}
		request(t, "POST", addr, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...)
		answers := make(chan string, 1)
		go func() {
			_, got := post(t, addr, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"write","arguments":{"path":"n.txt","content":"x"}}}`, id), session...)
			answers <- got
		}()
		<-began
		cancel := func(id string) {
			status, got := post(t, addr, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id), session...)
			require.Equal(t, 202, status, got)
		}
		cancel(other)
		select {
		case got := <-answers:
			t.Fatal(got)
		case <-time.After(50 * time.Millisecond):
		}
		cancel(strings.Replace(id, `\u0061`, "a", 1))
		got := <-answers
		require.True(t, sameID(id, idsOf(got)[0]), got)
		require.Contains(t, got, `"cancelled"`)
		close(goOn)
		stop()
	}
}
