package hashline_test

import (
	"testing"

	"github.com/hashline-go/hashline/hashline"
)

func TestSummary(t *testing.T) {
	for want, op := range map[string]hashline.Op{
		"PUT 2.=5: (4 → 2 line(s))": {Kind: hashline.Replace, Span: hashline.Span{First: 2, Last: 5}, Body: []string{"a", "b"}},
		"PUT 7: (1 → 3 line(s))":    {Kind: hashline.Replace, Span: hashline.Span{First: 7, Last: 7}, Body: []string{"a", "b", "c"}},
		"PUT <2: (+1 line(s))":      {Kind: hashline.InsertBefore, Span: hashline.Span{First: 2, Last: 2}, Body: []string{"a"}},
		"PUT >2: (+1 line(s))":      {Kind: hashline.InsertAfter, Span: hashline.Span{First: 2, Last: 2}, Body: []string{"a"}},
		"PUT >$: (+2 line(s))":      {Kind: hashline.Append, Body: []string{"a", ""}},
		"CUT 3 (1 line)":            {Kind: hashline.Delete, Span: hashline.Span{First: 3, Last: 3}},
		"CUT 3.=5 (3 lines)":        {Kind: hashline.Delete, Span: hashline.Span{First: 3, Last: 5}},
	} {
		if got := op.Summary(); got != want {
			t.Errorf("%s: got %s", want, got)
		}
	}
}
