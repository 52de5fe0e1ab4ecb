package grammar_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
		for _, s := range grammar.Named(doc) {
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
