package setup

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Random TOML: comments, dotted keys, inline tables, arrays of tables, and the
// table of servers in each of its forms.
func TestRandomTOML(t *testing.T) {
	for seed := range uint64(1000) {
		g := &generator{rand.New(rand.NewPCG(seed, 2)), "\n", 20}
		text := g.toml()
		if g.IntN(4) == 0 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if g.IntN(5) == 0 {
			text = strings.TrimRight(text, "\r\n")
		}
		if g.IntN(7) == 0 {
			text = "\xef\xbb\xbf" + text
		}
		client := Find("codex")
		checkRoundTrip(t, fmt.Sprint("seed ", seed), client, text, decoded(t, client, []byte(text)), !strings.Contains(text, "mcp_servers = {}"))
	}
}

func (g *generator) toml() string {
	top := []string{
		"model = \"x\" # why\n", "# a comment\n", "\n", "a.b.c = 1\n", "a.b.d = [1, # one\n  2,\n]\n", "text = '''\n[mcp_servers.fake]\n'''\n",
		"t = { x = 1, y = { z = \"}\" } }\n", "\"q k\".'l' = 1979-05-27T07:32:00Z\n", "f = -1.5e3\n", "n = nan\n", "big = 9223372036854775807\n", "  i = 0x1F  \n",
	}
	forms := []string{
		"", "", "mcp_servers = { other = { command = \"x\" }, third = {} } # servers\n", "mcp_servers = {}\n",
		"mcp_servers.other.command = \"x\"\nmcp_servers.other.args = [\"#\"]\n", "mcp_servers.\"o.t\" = { command = 'x' }\n",
	}
	form := g.IntN(len(forms))
	top = append(top, forms[form])
	tables := []string{
		"[t2]\nx = 1\n", "\n# about it\n[[list]]\nx = 1\n[[list]]\nx = 2\n", "[ u . \"v w\" ] # odd\n\n  k = \"\"\"a\\\n  b\"\"\"\n", "[empty]\n", "\n# the end",
	}
	if form < 2 {
		tables = append(tables, g.pick(
			"", "[mcp_servers.other]\ncommand = \"x\"\n[mcp_servers.other.env]\nA = \"b\"\n",
			"[mcp_servers]\n[mcp_servers.other]\ncommand = 'x'\n", "[mcp_servers]\nother = { command = 'x' }\n",
			"[mcp_servers]\nother.command = 'x'\n\n"))
	}
	var b strings.Builder
	for _, group := range [][]string{top, tables} {
		g.Shuffle(len(group), func(i, j int) { group[i], group[j] = group[j], group[i] })
		for _, part := range group {
			if g.IntN(4) > 0 || strings.Contains(part, "mcp_servers") {
				if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
					b.WriteByte('\n')
				}
				b.WriteString(part)
			}
		}
	}
	return b.String()
}
