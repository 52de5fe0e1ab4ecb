package glob_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/glob"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct{ glob, yes, no string }{
		{"*.pem", "a.pem x/y/b.pem .pem", "a.PEM a.pem/b a.pem.txt"},
		{".env", ".env a/.env", ".ENV .envrc .env/x"},
		{".env*", ".env .env.local a/.env.x", "env .en"},
		{"/.env", ".env", "a/.env"},
		{"./.env", ".env", "a/.env"},
		{"secret/**", "secret/a secret/b/c", "secret a/secret/b secrets/a"},
		{"secret/", "secret/a secret/b/c", "secret a/secret/b"},
		{"**/secret/**", "secret/a x/secret/a x/secret/y/z", "secret x/secret"},
		{"**/secret", "secret a/b/secret", "secret/a"},
		{"a/*/c", "a/b/c", "a/c a/b/b/c a/b/c/d"},
		{"*.{key,p12}", "x.key a/x.p12", "x.pem key"},
		{"{a,b/c}/d", "a/d b/c/d", "b/d c/d"},
		{"[a-c]?", "ab c1 x/b2", "d1 a abc"},
		{"[!a]", "b x/c", "a ab"},
		{`\*`, "* a/*", "a"},
		{"é?", "é1 a/éé", "É1 é"},
		{"!*.go", "a.md x/b", "a.go x/b.go"},
		{"!a/**", "b/c a", "a/b a/b/c"},
		{"**", "a a/b .x", ""},
	} {
		g, err := glob.Compile(c.glob)
		require.NoError(t, err, c.glob)
		for _, p := range strings.Fields(c.yes) {
			require.True(t, g.Match(p), "%s, %s", c.glob, p)
		}
		for _, p := range strings.Fields(c.no) {
			require.False(t, g.Match(p), "%s, %s", c.glob, p)
		}
	}
}

func TestMatchFold(t *testing.T) {
	for _, c := range []struct{ glob, yes, no string }{
		{"*.pem", "a.PEM x/b.Pem", "a.pen"},
		{"Secret/*.KEY", "secret/a.key SECRET/B.Key \u017fecret/x.\u212aey", "secret/x/a.key"},
		{"[a-c].txt", "A.TXT b.txt", "D.txt"},
		{"*.\u00c9", "a.\u00e9", "a.e"},
	} {
		g, err := glob.CompileFold(c.glob)
		require.NoError(t, err, c.glob)
		for _, p := range strings.Fields(c.yes) {
			require.True(t, g.Match(p), "%s, %s", c.glob, p)
		}
		for _, p := range strings.Fields(c.no) {
			require.False(t, g.Match(p), "%s, %s", c.glob, p)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, text := range []string{"", "[a", "{a,b", `a\`, "[b-a]", "[[:nope:]]", "\xff", strings.Repeat("a", 5000), "!", "!/"} {
		for _, compile := range []func(string) (*glob.Glob, error){glob.Compile, glob.CompileFold} {
			g, err := compile(text)
			if text == "!" || text == "!/" {
				require.NoError(t, err)
				require.True(t, g.Match("a"))
				continue
			}
			require.ErrorIs(t, err, hashline.BadPattern, text)
			require.NotContains(t, err.Error(), "\n")
		}
	}
}

// TestMayMatchBelow: a folder below which it rules out a match has none.
func TestMayMatchBelow(t *testing.T) {
	for _, c := range []struct {
		glob, folder string
		want         bool
	}{
		{"src/**", "src", true}, {"src/**", "src/a", true}, {"src/**", "lib", false}, {"src/**", "sr", false}, {"src/**", "a/src", false},
		{"src/a/*.go", "src", true}, {"src/a/*.go", "src/a", true}, {"src/a/*.go", "src/b", false}, {"*.go", "any/where", true},
		{"**/x", "any", true}, {"{a,b}/c", "d", true}, {"a.txt", "d", true}, {"/a.txt", "d", true}, {"!src/**", "src", true},
	} {
		g, err := glob.Compile(c.glob)
		require.NoError(t, err)
		require.Equal(t, c.want, g.MayMatchBelow(c.folder), "%s, %s", c.glob, c.folder)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(parts []string, n int) string {
		var b strings.Builder
		for range 1 + r.IntN(n) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		return b.String()
	}
	ruledOut := 0
	for range 30_000 {
		text := pick([]string{"a", "b", "K", "s", "/", "/", "*", "**", "?", "{a,b/K}", "[ab]", `\a`}, 7)
		compile := glob.Compile
		if r.IntN(2) == 0 {
			compile = glob.CompileFold
		}
		g, err := compile(text)
		if err != nil {
			continue
		}
		names := strings.FieldsFunc(pick([]string{"a", "b", "k", "K", "\u212a", "\u017f", "S", "/", "/"}, 8), func(c rune) bool { return c == '/' })
		if len(names) < 2 || !g.Match(strings.Join(names, "/")) {
			continue
		}
		for i := 1; i < len(names); i++ {
			folder := strings.Join(names[:i], "/")
			require.True(t, g.MayMatchBelow(folder), "%s matches %v, so there is a match below %s", text, names, folder)
		}
		if !g.MayMatchBelow("zzz") {
			ruledOut++
		}
	}
	require.Positive(t, ruledOut)
}
