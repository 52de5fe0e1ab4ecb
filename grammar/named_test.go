package grammar_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

func TestNamed(t *testing.T) {
	cut := func(line, n int) []hashline.Op {
		return []hashline.Op{{Kind: hashline.Delete, Span: hashline.Span{First: n, Last: n}, Pos: hashline.Position{Line: line, Column: 1}}}
	}
	type section struct {
		Path string
		Ops  []hashline.Op
	}
	for doc, want := range map[string][]section{
		"[a#1234]\nCUT 1\n":                        nil, // can be read
		"[a]\nCUT 3\n":                             {{"a", cut(2, 3)}},
		"[dir/a b#12]\nCUT 3\nPUT 4:\n":            {{"dir/a b", cut(2, 3)}},
		"[a#]\nCUT 3\n[b#1234]\nCUT 1\n[c]\nCUT 2": {{"a", cut(2, 3)}, {"c", cut(6, 2)}},
		"[a#12\nCUT 1\n":                           {{"a", cut(2, 1)}},
		"[a#1234]\nPUT 1:\n[b]\nCUT 1\n":           nil, // a row, perhaps
		"CUT 1\n":                                  nil,
		"[]\nCUT 1\n":                              nil,
	} {
		var got []section
		named, _ := grammar.Named(doc)
		for _, s := range named {
			for i := range s.Ops {
				s.Ops[i].Pos.Offset = 0
			}
			got = append(got, section{s.Path, s.Ops})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", doc, diff)
		}
	}
}

// Every hint that writes a header with a tag is told with it.
func TestMeantHeaders(t *testing.T) {
	for doc, want := range map[string]string{
		"[a.txt#1234]\nCUT 1\n":                     "",
		"[a.txt]\nCUT 1\n":                          "",
		"[a.txt#12]\nCUT 1\n":                       "",
		"[a.txt#1234\nCUT 1\n":                      "1:12 a.txt 1234",
		"a.txt#abcd\nCUT 1\n":                       "1:1 a.txt ABCD",
		"[a.txt 1234]\nCUT 1\n":                     "1:1 a.txt 1234",
		"[a.txt:1234]\nCUT 1\n":                     "1:1 a.txt 1234",
		"**[a.txt#1234]**\nCUT 1\n":                 "1:1 a.txt 1234",
		"[a.txt#1234] CUT 1\n":                      "1:13 a.txt 1234",
		"[a b c#1234\nCUT 1\n":                      "1:12 a b c 1234",
		"[a.txt#1234]\u00a0\nCUT 1\n":               "1:13 a.txt 1234",
		"+[a.txt#1234]\n+CUT 1\n":                   "1:1 a.txt 1234",
		"[b#1111]\nPUT 1:\n+x\na.txt#1234\nCUT 1\n": "4:1 a.txt 1234",
		"[b#1111]\nPUT 1:\nx\na.txt#1234\nCUT 1\n":  "4:1 a.txt 1234",
		"text\na.txt#1234\nCUT 1\n":                 "2:1 a.txt 1234",
	} {
		_, meant := grammar.Named(doc)
		_, err := grammar.Parse(doc)
		got := ""
		for _, h := range meant {
			got += fmt.Sprintf("%d:%d %s %s", h.Pos.Line, h.Pos.Column, h.Path, h.Tag)
			require.Contains(t, err.Error(), hashline.Header(h.Path, h.Tag), "%q", doc)
			require.Contains(t, err.Error(), h.Pos.String()+": ", "%q", doc)
		}
		require.Equal(t, want, got, "%q: %v", doc, err)
	}
	// None is left out of any that the tests of hints have.
	for _, c := range slices.Concat(faultCases, hintCases) {
		_, meant := grammar.Named(c.doc)
		_, err := grammar.Parse(c.doc)
		for _, m := range regexp.MustCompile(`(?:write|without \+:) (\[[^\[\]]+#[0-9A-F]{4}\])`).FindAllStringSubmatch(fmt.Sprint(err), -1) {
			require.True(t, slices.ContainsFunc(meant, func(h hashline.Section) bool { return hashline.Header(h.Path, h.Tag) == m[1] }), "%q: %v", c.doc, err)
		}
	}
}
