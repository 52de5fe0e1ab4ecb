package hashlinetest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"golang.org/x/tools/txtar"
)

func TestCasesLoad(t *testing.T) {
	areas := map[string]int{}
	for _, c := range Cases(t) {
		area, _, _ := strings.Cut(c.Name, "/")
		areas[area]++
	}
	for _, area := range []string{"text", "tag", "view", "document", "validation", "result", "tools", "path", "session"} {
		if areas[area] == 0 {
			t.Errorf("no case in area %s", area)
		}
	}
}

func TestMalformedCases(t *testing.T) {
	for name, text := range map[string]string{
		"no rationale":         "spec: 2\n-- call --\n{\"tool\": \"grep\", \"args\": {}}\n-- want --\nx\n",
		"no spec":              "Text.\n-- call --\n{\"tool\": \"grep\", \"args\": {}}\n-- want --\nx\n",
		"no call":              "Text.\nspec: 2\n-- in/a --\n",
		"no outcome":           "Text.\nspec: 2\n-- doc --\nx\n",
		"outcome without call": "Text.\nspec: 2\n-- want --\nx\n",
		"steps out of order":   "Text.\nspec: 2\n-- doc.2 --\nx\n-- want.2 --\nx\n",
		"member twice":         "Text.\nspec: 2\n-- doc --\nx\n-- want --\nx\n-- want --\ny\n",
		"unknown member":       "Text.\nspec: 2\n-- doc --\nx\n-- wanted --\nx\n",
		"unknown encoding":     "Text.\nspec: 2\n-- doc:hex --\n00\n-- want --\nx\n",
		"trailing blank":       "Text.\nspec: 2\n-- doc --\nx \n-- want --\nx\n",
		"invisible character":  "Text.\nspec: 2\n-- doc --\nx\u200b\n-- want --\nx\n",
		"unchanged out":        "Text.\nspec: 2\n-- in/a --\nx\n-- doc --\nx\n-- want --\nx\n-- out/a --\nx\n",
		"bad setup":            "Text.\nspec: 2\n-- setup --\nchmod a\n-- doc --\nx\n-- want --\nx\n",
		"unknown setting":      "Text.\nspec: 2\nsession: seen=off\n-- doc --\nx\n-- want --\nx\n",
		"others behind a call": "Text.\nspec: 2\n-- doc.1 --\nx\n-- others.1/a --\nx\n-- want.1 --\nx\n",
		"parse with files":     "Text.\nspec: 2\n-- in/a --\nx\n-- doc --\nx\n-- print --\nx\n",
	} {
		if _, err := parseCase([]byte(text)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestEncodings(t *testing.T) {
	for _, data := range []string{
		"", "plain\n", "\tindented\n", "no end", "blank \n", "a\r\nb\n", "\ufeffx\n", "x\x00y", "\xff\n",
		"-- a --\n", "\u2028\u0085\x1b\n", `"quoted" \ back` + "\n", "😀\n", "e\u0301\n",
	} {
		f := encode("want", "", []byte(data))
		require.NoError(t, checkVisible(txtar.Format(&txtar.Archive{Files: []txtar.File{f}})), "%q", data)
		archive := txtar.Parse(txtar.Format(&txtar.Archive{Files: []txtar.File{f}}))
		require.Len(t, archive.Files, 1, "%q", data)
		m, err := parseMember(archive.Files[0])
		require.NoError(t, err, "%q", data)
		if diff := cmp.Diff(data, string(m.data)); diff != "" {
			t.Errorf("%q as %s: %s", data, f.Name, diff)
		}
	}
	m, err := parseMember(txtar.File{Name: "doc:json", Data: []byte("\"a\"\n[3, \"b\\n\"]\n")})
	require.NoError(t, err)
	require.Equal(t, "ab\nb\nb\n", string(m.data))
}

func TestMatchLines(t *testing.T) {
	for _, c := range []struct {
		patterns, text string
		want           bool
	}{
		{"a\nb", "a\nb", true},
		{"a\nb", "a\nb\n", false},
		{"a\nb", "a", false},
		{"a: ...", "a: xyz", true},
		{"a: ...", "a xyz", false},
		{"...b...d", "abcd", true},
		{"...b...d", "abcde", false},
		{"a.c", "abc", false},
		{"a\n...", "a", true},
		{"a\n...\nz", "a\nb\n\nc\nz", true},
		{"a\n...\nz", "a\nb", false},
	} {
		if got := MatchLines(c.patterns, c.text) == ""; got != c.want {
			t.Errorf("MatchLines(%q, %q): %v", c.patterns, c.text, got)
		}
	}
}

func TestFill(t *testing.T) {
	got := Fill("[a#{TAG:a}] {NEW:d/[b] c.txt} {ROOT}/x {OTHER:a} {TAG:}", func(kind, path string) string {
		return "<" + kind + " " + path + ">"
	})
	require.Equal(t, "[a#<TAG a>] <NEW d/[b] c.txt> <ROOT >/x {OTHER:a} <TAG >", got)
}
