package mcpserver

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// The members of an object are those that the standard library finds.
func TestMembers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	blank := func() string { return []string{"", " ", "\n\t\r "}[random.IntN(3)] }
	name := func() string {
		return []string{`id`, `method`, `\u0069d`, `a\"b`, `\\`, `}`, `,:`, `ID`, ``, `é`}[random.IntN(10)]
	}
	var value func(depth int) string
	object := func(depth int) string {
		var all []string
		for range random.IntN(5) {
			all = append(all, blank()+`"`+name()+`"`+blank()+`:`+blank()+value(depth+1)+blank())
		}
		return "{" + blank() + strings.Join(all, ",") + "}"
	}
	value = func(depth int) string {
		switch k := random.IntN(9); {
		case k < 2 && depth < 4:
			return object(depth)
		case k < 4 && depth < 4:
			return "[" + blank() + value(depth+1) + blank() + "," + value(depth+1) + "]"
		case k < 6:
			return `"` + name() + `"`
		}
		return []string{"1", "-0.5e3", "true", "null", "[]", "{}"}[random.IntN(6)]
	}
	for range 20_000 {
		text := blank() + object(0) + blank()
		want := map[string]json.RawMessage{}
		require.NoError(t, json.Unmarshal([]byte(text), &want), text)
		got := map[string]json.RawMessage{}
		members([]byte(text), func(name string, value span) { got[name] = json.RawMessage(text[value.start:value.end]) })
		require.Empty(t, cmp.Diff(want, got), text)
		require.Empty(t, tooMuch([]byte(text)))
	}
	for _, text := range []string{"", " ", "1", `"{"`, "[]", `[{"id":1}]`} {
		members([]byte(text), func(string, span) { t.Error(text) })
	}
}

// muchOf has messages that take a multiple of their bytes in memory, of about n
// parts.
func muchOf(n int) map[string]string {
	keys := make([]string, n/2)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"k%d":1`, i)
	}
	const from = `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"read_file",`
	return map[string]string{
		"numbers in _meta":     from + `"_meta":{"x":[` + strings.Repeat("1,", n) + `1]},"arguments":{"path":"a.txt"}}}`,
		"names in arguments":   from + `"arguments":{` + strings.Join(keys, ",") + `,"path":"a.txt"}}}`,
		"members of a message": `{"jsonrpc":"2.0","id":5,` + strings.Join(keys, ",") + `,"method":"ping"}`,
		"empty objects":        from + `"_meta":{"x":[` + strings.Repeat("{},", n) + `1]},"arguments":{"path":"a.txt"}}}`,
		"nested":               from + `"_meta":{"x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `},"arguments":{"path":"a.txt"}}}`,
		"an answer":            `{"jsonrpc":"2.0","id":5,"result":{"roots":[` + strings.Repeat("1,", n) + `1]}}`,
	}
}

// A message of very many parts is refused by its ID, with the limit, before any
// value is made of it; one with a long string of the same is not.
func TestMessagesOfManyParts(t *testing.T) {
	s := newServer(t, Config{})
	w := dial(t, s)
	w.start("2025-11-25")
	addr, _ := serveHTTP(t, s, HTTPConfig{Stateless: true})
	for name, text := range muchOf(2 * maxParts) {
		w.send("%s", text)
		got := w.get()
		require.Contains(t, got, `"id":5,"error":{"code":-32600,`, name)
		require.Contains(t, got, " more than ", name)
		status, got := post(t, addr, text)
		require.Equal(t, 400, status, name)
		require.Contains(t, got, `"id":5,"error":{"code":-32600,`, name)
		require.Contains(t, got, " more than ", name)
	}
	w.send("[%s1]", strings.Repeat("1,", maxParts))
	require.Contains(t, w.get(), `"id":null,"error":{"code":-32600,`)
	long, err := json.Marshal(strings.Repeat(`{"a":[1,2,3,"\"]},`+"\n", maxParts))
	require.NoError(t, err)
	text := call("2025-11-25", 6, "write", `{"path":"n.txt","content":`+string(long)+`}`)
	w.send("%s", text)
	require.False(t, parse(t, w.get()).Result.IsError)
	_, got := post(t, addr, strings.Replace(text, "n.txt", "m.txt", 1))
	require.Contains(t, got, "created m.txt")
	whole := []byte(text)
	require.Zero(t, testing.AllocsPerRun(3, func() { _ = tooMuch(whole) }))
	require.Less(t, testing.AllocsPerRun(3, func() { headOf(whole) }), 50.0)
}
