package apply_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

func TestNumberedRow(t *testing.T) {
	const text = "one\ntwo\nthree\nfour\nfive\n"
	for _, c := range []struct {
		name, text, doc string
		want            []int // lines of the document that are warned of
	}{
		{"a changed line", text, "PUT 2:\n+2:zwei\n", []int{3}},
		{"a changed line of a span", text, "PUT 2.=4:\n+zwei\n+3:\tdrei\n+4:\tvier\n", []int{4}},
		{"a row of a search", text, "PUT 2:\n+2 | zwei\n", []int{3}},
		{"a context row of a search", text, "PUT 2:\n+2 - zwei\n", []int{3}},
		{"a line copied to another place", text, "PUT >4:\n+2:two\n", []int{3}},
		{"all rows of an insert", text, "PUT >4:\n+7:x\n+8:y\n", []int{3}},
		{"all rows of a longer body", text, "PUT 1:\n+11 | x\n+12 | y\n+13 | \n", []int{3}},
		{"at the end", text, "PUT >$:\n+6:x\n+7:y\n", []int{3}},
		{"in an empty file", "", "PUT >$:\n+1:x\n+2:y\n", []int{3}},
		{"a number that is not replaced", text, "PUT 2:\n+3:x\n", nil},
		{"a number alone in an insert", text, "PUT >2:\n+2:x\n", nil},
		{"a number alone", text, "PUT 2:\n+2\n", nil},
		{"a leading zero", text, "PUT 2:\n+02:x\n", nil},
		{"no blank around the sign", text, "PUT 2:\n+2|x\n+2-x\n", nil},
		{"a list", text, "PUT 2:\n+1. x\n+2. y\n", nil},
		{"a gap in the numbers", text, "PUT >4:\n+7:x\n+9:y\n", nil},
		{"a row without a number", text, "PUT >4:\n+7:x\n+8:y\n+z\n", nil},
		{"two forms", text, "PUT >4:\n+7:x\n+8 | y\n", nil},
		{"numbers replace numbers", "1:a\n2:b\n3:c\n", "PUT 2:\n+2:x\n", nil},
		{"numbers beside numbers", "1:a\n2:b\n", "PUT >2:\n+3:c\n+4:d\n", nil},
		{"numbers at the end of numbers", "1:a\n2:b\n", "PUT >$:\n+3:c\n+4:d\n", nil},
		{"nothing changes", "1:a\n2:b\n", "PUT 1.=2:\n+1:a\n+2:b\n", nil},
		{"the text of a line of punctuation", "}\ntwo\n", "PUT >2:\n+1:}\n", nil},
		{"a number beyond the file", text, "PUT >2:\n+99:two\n", nil},
		{"a number of many digits", text, "PUT >2:\n+99999999999999999999:two\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := map[int]hashline.Code{}
			for _, line := range c.want {
				want[line] = hashline.NumberedRow
			}
			require.Empty(t, cmp.Diff(want, warned(mustApply(t, c.text, c.doc))))
		})
	}
}

// A row that a search cut to its width says that something was left out.
func TestPreviewRow(t *testing.T) {
	x := strings.Repeat("xé", 100)
	for _, row := range []string{x + "…", "…" + x, "…" + x + "…", "7 | " + x + "…", "7 - …" + x} {
		require.Equal(t, hashline.Placeholder, inserted(t, row), "%q", row)
	}
	for _, row := range []string{x, x + "x…", x[:len(x)-2] + "…", "…", x + "...", "7: " + x + "…", x + "…x", "short…"} {
		if row != "…" {
			require.Empty(t, inserted(t, row), "%q", row)
		}
	}
}

func TestNumberedRowNamesTheLine(t *testing.T) {
	edit, err := apply.Apply(snapshot.New([]byte("a\nb\n")), []hashline.Op{
		{Kind: hashline.Replace, Span: hashline.Span{First: 2, Last: 2}, Body: []string{"x", "2:\ty"}},
	})
	require.NoError(t, err)
	require.Len(t, edit.Warnings, 1)
	require.Equal(t, "row 2 of PUT 2: was written into the file with the number 2 in front, as the view shows line 2", edit.Warnings[0].Msg)
}
