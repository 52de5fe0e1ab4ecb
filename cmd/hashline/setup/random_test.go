package setup

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// generator makes random configurations: twice the same, once as text full of
// comments and odd white space, and once as the plain value.
type generator struct {
	*rand.Rand
	eol string
	// noise is how likely comments are.
	noise int
}

func (g *generator) pick(words ...string) string { return words[g.IntN(len(words))] }

// space is white space, perhaps with a comment.
func (g *generator) space() string {
	s := g.pick("", " ", "  ", "\t", g.eol, g.eol+"   ", g.eol+"\t")
	if g.IntN(100) < g.noise {
		s += g.pick("/* } , */", "// \"x\" { , "+g.eol, "/**/ ", "//"+g.eol+"\t")
	}
	return s
}

func (g *generator) value(depth int) (string, any) {
	switch n := g.IntN(8); {
	case n < 2 && depth > 0:
		return g.object(depth-1, nil)
	case n == 2 && depth > 0:
		var list []any
		text := "["
		for i := range g.IntN(3) {
			if i > 0 {
				text += ","
			}
			t, v := g.value(depth - 1)
			text += g.space() + t + g.space()
			list = append(list, v)
		}
		if list == nil {
			return "[" + g.space() + "]", []any{}
		}
		return text + g.pick("", ",") + "]", list
	case n == 3:
		return "-1.5e3", -1500.0
	case n == 4:
		return "null", nil
	case n == 5:
		return "true", true
	}
	s := g.pick("", "x", "//", "/*", `"`, "{,}", "\\", "\u00e4\u2028\x7f", "hashline")
	data, _ := json.Marshal(s)
	return string(data), s
}

// object makes an object with random members and, among them, one under each
// key of with.
func (g *generator) object(depth int, with map[string]any) (string, any) {
	whole := map[string]any{}
	text := "{"
	keys := []string{"a", "b.c", "", `q"`, "servers2"}[:g.IntN(6)]
	for key := range with {
		keys = append(keys, key)
	}
	g.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	own := g.IntN(3) == 0
	for i, key := range keys {
		t, v := g.value(depth)
		if made, ok := with[key]; ok {
			inner, _ := made.(map[string]any)
			t, v = g.object(depth, inner)
		}
		whole[key] = v
		if i > 0 {
			text += ","
		}
		quoted, _ := json.Marshal(key)
		before := g.space()
		if own {
			before = g.eol + "      "
		}
		text += before + string(quoted) + g.space() + ":" + g.space() + t + g.space()
	}
	if len(keys) > 0 && g.IntN(3) == 0 {
		text += "," + g.space()
	}
	if own {
		text += g.eol
	}
	return text + g.space() + "}", whole
}

// Whatever the file, the entry is in it afterwards, all else means what it
// meant, and what is taken out again leaves the file as it was.
func TestRandomJSONC(t *testing.T) {
	for seed := range uint64(2000) {
		g := &generator{rand.New(rand.NewPCG(seed, 1)), "\n", int(seed % 3 * 15)}
		if seed%5 == 0 {
			g.eol = "\r\n"
		}
		client := Clients()[[]int{0, 2, 3, 8}[seed%4]]
		with := map[string]any{}
		kept := true // the original has no empty table of servers, nor a blank object
		switch g.IntN(3) {
		case 0:
			with[client.table] = map[string]any{"other": nil}
		case 1:
			with[client.table] = map[string]any{}
			kept = false
		}
		text, tree := g.object(2, with)
		text = g.pick("", g.eol, "// first"+g.eol) + text + g.pick("", g.eol, g.eol+"// last")
		if seed%7 == 0 {
			text = "\xef\xbb\xbf" + text
		}
		whole := tree.(map[string]any)
		servers, _ := whole[client.table].(map[string]any)
		kept = kept || len(servers) > 0
		if len(whole) == 0 {
			kept = false
		}
		checkRoundTrip(t, fmt.Sprint("seed ", seed), client, text, whole, kept)
	}
}

func checkRoundTrip(t *testing.T, name string, client *Client, text string, tree map[string]any, kept bool) {
	t.Helper()
	s := servers()[[]string{"stdio", "http"}[len(text)%2]]
	s.Name = "our server"
	put, err := client.Put([]byte(text), s, false)
	require.NoError(t, err, "%s:\n%s", name, text)
	require.Equal(t, Added, put.Change)

	want := clone(tree).(map[string]any)
	servers, _ := want[client.table].(map[string]any)
	if servers == nil {
		servers = map[string]any{}
		want[client.table] = servers
	}
	servers[s.Name] = plain(client.entry(s))
	got := decoded(t, client, put.Data)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s: (-want +got)\n%s\nof\n%s\nbecame\n%s", name, diff, text, put.Data)
	}
	requireInserted(t, name, text, string(put.Data))

	again, err := client.Put(put.Data, s, false)
	require.NoError(t, err)
	require.Equal(t, Unchanged, again.Change)
	require.Equal(t, string(put.Data), string(again.Data))

	_, err = client.Remove(put.Data, Server{Name: s.Name}, false)
	if s.URL != "" {
		require.ErrorIs(t, err, ErrForeign)
	}
	gone, err := client.Remove(put.Data, s, false)
	require.NoError(t, err)
	require.Equal(t, Removed, gone.Change)
	if kept && string(gone.Data) != text {
		t.Fatalf("%s: put and removed\n%q\nbecame\n%q\nover\n%q", name, text, gone.Data, put.Data)
	}
}

// requireInserted holds that all bytes of the original are there in order, in
// at most three pieces: a comma may stand apart from the entry.
func requireInserted(t *testing.T, name, text, got string) {
	t.Helper()
	i := 0
	for i < len(text) && i < len(got) && text[i] == got[i] {
		i++
	}
	rest, after := text[i:], got[i:]
	if after != "" && after[0] == ',' {
		after = after[1:]
		j := 0
		for j < len(rest) && j < len(after) && rest[j] == after[j] {
			j++
		}
		rest, after = rest[j:], after[j:]
	}
	// White space in an empty object may go.
	if !strings.HasSuffix(after, rest) && !strings.HasSuffix(after, strings.TrimLeft(rest, " \t\r\n")) {
		t.Fatalf("%s: bytes changed in\n%q\nnow\n%q", name, text, got)
	}
}
