package apply_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

func TestLineEnds(t *testing.T) {
	const mark = "\uFEFF"
	for _, c := range []struct{ name, text, doc, want string }{
		{"kept lines keep their ends", "a\nb\r\nc\n", "PUT 1:\n+x\n", "x\nb\r\nc\n"},
		{"a row takes the end of the line it replaces", "a\nb\r\nc\n", "PUT 2:\n+x\n", "a\nx\r\nc\n"},
		{"the k-th row that of the k-th line", "a\nb\r\nc\nd\r\n", "PUT 1.=3:\n+x\n+y\n+z\n", "x\ny\r\nz\nd\r\n"},
		{"further rows that of the last line", "a\nb\r\nc\n", "PUT 1.=2:\n+x\n+y\n+z\n+w\n", "x\ny\r\nz\r\nw\r\nc\n"},
		{"fewer rows those of the first lines", "a\nb\r\nc\r\n", "PUT 1.=3:\n+x\n", "x\n"},
		{"an insert before takes its line's end", "a\nb\r\n", "PUT <2:\n+x\n", "a\nx\r\nb\r\n"},
		{"an insert after takes its line's end", "a\r\nb\n", "PUT >1:\n+x\n", "a\r\nx\r\nb\n"},
		{"an append takes the last line's end", "a\nb\nc\r\n", "PUT >$:\n+x\n", "a\nb\nc\r\nx\r\n"},
		{"an append takes the end of a last line that is cut", "a\nb\nc\r\n", "CUT 3\nPUT >$:\n+x\n", "a\nb\nx\r\n"},
		{"without one, the commonest", "a\r\nb\r\nc\nd", "PUT <4:\n+x\n", "a\r\nb\r\nc\nx\r\nd"},
		{"line feed on a tie", "a\r\nb\nc", "PUT <3:\n+x\n", "a\r\nb\nx\nc"},
		{"line feed where there is none", "a", "PUT <1:\n+x\n", "x\na"},
		{"the commonest for rows that replace an unended line", "a\r\nb", "PUT 2:\n+x\n+y\n", "a\r\nx\r\ny"},
		{"appending ends an unended line with the commonest", "a\r\nb", "PUT >$:\n+x\n", "a\r\nb\r\nx"},
		{"so does an insert after it", "a\nb", "PUT >2:\n+x\n", "a\nb\nx"},
		{"an insert before it does not", "a\nb", "PUT <2:\n+x\n", "a\nx\nb"},

		{"a new last row ends as the file did", "a\nb\n", "PUT 2:\n+x\n+y\n", "a\nx\ny\n"},
		{"an unended file stays unended", "a\nb", "PUT 2:\n+x\n", "a\nx"},
		{"also where its last line is cut below a new row", "a\nb", "PUT 1:\n+x\nCUT 2\n", "x"},
		{"a kept line that becomes the last keeps its end", "a\nb", "CUT 2\n", "a\n"},
		{"a row equal to its line is kept", "a\nb", "PUT 1:\n+a\nCUT 2\n", "a\n"},
		{"a blank last row always ends", "a\nb", "PUT 2:\n+\n", "a\n\n"},
		{"a blank row appended to an unended file", "a\r\nb", "PUT >$:\n+\n", "a\r\nb\r\n\r\n"},
		{"two blank rows appended", "a", "PUT >$:\n+\n+\n", "a\n\n\n"},
		{"a row of blanks is no blank row", "a", "PUT 1:\n+ \n", " "},
		{"an empty file gets ended lines", "", "PUT >$:\n+x\n", "x\n"},
		{"PUT <1 in an empty file", "", "PUT <1:\n+x\n+y\n", "x\ny\n"},
		{"a new first row of an unended file", "a", "CUT 1\nPUT <1:\n+x\n", "x"},

		{"cutting every line leaves an empty file", "a\nb", "CUT 1.=2\n", ""},
		{"with its byte-order mark", mark + "a\n", "CUT 1\n", mark},
		{"the mark is not part of line 1", mark + "a\nb\n", "PUT 1:\n+x\n", mark + "x\nb\n"},
		{"PUT <1 goes behind the mark", mark + "a\n", "PUT <1:\n+x\n", mark + "x\na\n"},
		{"a mark alone is an empty file", mark, "PUT >$:\n+x\n", mark + "x\n"},
		{"the mark stays when line 1 goes", mark + "a\nb\n", "CUT 1\n", mark + "b\n"},

		{"a lone carriage return is content", "a\rb\nc\n", "CUT 2\n", "a\rb\n"},
		{"CR CR LF ends in CRLF", "a\r\r\nb\n", "PUT 1:\n+x\n", "x\r\nb\n"},
		{"other separators are content", "a\u2028b\x0bc\u0085d\x0c\nz\n", "CUT 2\n", "a\u2028b\x0bc\u0085d\x0c\n"},

		{"rows for one gap in document order", "a\nb\n", "PUT >1:\n+1\nPUT >1:\n+2\n", "a\n1\n2\nb\n"},
		{"those after line N before those before N+1", "a\nb\n", "PUT <2:\n+2\nPUT >1:\n+1\n", "a\n1\n2\nb\n"},
		{"rows for the end come last", "a\n", "PUT >$:\n+2\nPUT >1:\n+1\n", "a\n1\n2\n"},
		{"in an empty file too", "", "PUT >$:\n+2\nPUT <1:\n+1\n", "1\n2\n"},
		{"above, in place of and below a line", "a\n", "PUT >1:\n+3\nPUT 1:\n+2\nPUT <1:\n+1\n", "1\n2\n3\n"},
		{"all numbers name original lines", "a\nb\nc\n", "PUT <1:\n+x\n+y\nCUT 2\nPUT 3:\n+z\n", "x\ny\na\nz\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, string(mustApply(t, c.text, c.doc).Bytes))
			// The model was written from the same sentences; it must read them
			// in the same way.
			require.Empty(t, agree(t, c.text, ops(t, c.doc)))
		})
	}
}

func TestSummary(t *testing.T) {
	text := "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	for _, c := range []struct{ doc, want string }{
		{"PUT 2.=5:\n+x\n+y\n", "PUT 2.=5: (4 → 2 line(s))"},
		{"PUT 7:\n+x\n+y\n+z\n", "PUT 7: (1 → 3 line(s))"},
		{"PUT <2:\n+x\n", "PUT <2: (+1 line(s))"},
		{"PUT >2:\n+x\n", "PUT >2: (+1 line(s))"},
		{"PUT >$:\n+x\n+y\n", "PUT >$: (+2 line(s))"},
		{"CUT 3\n", "CUT 3 (1 line)"},
		{"CUT 3.=5\n", "CUT 3.=5 (3 lines)"},
		{"PUT 5:\n+5\n", "PUT 5: (no change)"},
		{"PUT 5.=6:\n+5\n+6\nCUT 1\nPUT <3:\n+x\n", "PUT 5.=6: (no change); CUT 1 (1 line); PUT <3: (+1 line(s))"},
	} {
		require.Equal(t, c.want, mustApply(t, text, c.doc).Summary)
	}
}

func TestFocus(t *testing.T) {
	text := strings.Repeat("x\n", 20)
	s := func(first, last int) hashline.Span { return hashline.Span{First: first, Last: last} }
	for _, c := range []struct {
		name, doc string
		want      []hashline.Span
	}{
		{"rows of a PUT", "PUT 5.=6:\n+a\n+b\n+c\n", []hashline.Span{s(5, 7)}},
		{"also unchanged ones", "PUT 5:\n+x\n", []hashline.Span{s(5, 5)}},
		{"in the new numbering", "PUT <1:\n+a\nPUT 10:\n+b\n", []hashline.Span{s(1, 1), s(11, 11)}},
		{"the neighbours of a CUT", "CUT 5.=7\n", []hashline.Span{s(4, 5)}},
		{"at the top", "CUT 1\n", []hashline.Span{s(1, 1)}},
		{"at the end", "CUT 20\n", []hashline.Span{s(19, 19)}},
		{"of everything", "CUT 1.=20\n", nil},
		{"rows inserted at the cut line lie inside the place", "CUT 5\nPUT >5:\n+a\nPUT <5:\n+b\n", []hashline.Span{s(4, 7)}},
		{"rows inserted before the first cut line", "CUT 5.=9\nPUT <5:\n+b\n", []hashline.Span{s(4, 6)}},
		{"rows of the next gap are the row below", "CUT 5\nPUT <6:\n+a\n", []hashline.Span{s(4, 5)}},
		{"two CUTs side by side", "CUT 5\nCUT 6\n", []hashline.Span{s(4, 5)}},
		{"adjacent rows make one span", "PUT 5:\n+a\nPUT 6:\n+b\nPUT 8:\n+c\n", []hashline.Span{s(5, 6), s(8, 8)}},
		{"the end of the file", "PUT >$:\n+a\n+b\n", []hashline.Span{s(21, 22)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Empty(t, cmp.Diff(c.want, mustApply(t, text, c.doc).Focus))
			require.Empty(t, agree(t, text, ops(t, c.doc)))
		})
	}
}

func TestStructural(t *testing.T) {
	text := strings.Repeat("x\n", 100)
	for doc, want := range map[string]bool{
		"CUT 5.=43\n":                           false,
		"CUT 5.=44\n":                           true,
		"PUT 5.=43:\n+a\n":                      false,
		"PUT 5.=44:\n+a\n":                      true,
		"CUT 1.=20\nCUT 21.=40\n":               false,
		"CUT 1\nPUT 50.=89:\n+a\n":              true,
		"PUT 1:\n" + strings.Repeat("+y\n", 60): false,
	} {
		require.Equal(t, want, mustApply(t, text, doc).Structural, doc)
	}
}

func TestCounts(t *testing.T) {
	edit := mustApply(t, "a\nb\nc\nd\n", "PUT 1:\n+a\nPUT 2:\n+x\n+y\nCUT 3.=4\nPUT >$:\n+z\n")
	require.Equal(t, []int{3, 3}, []int{edit.Added, edit.Removed})
}

// Operations may undo one another; the file is then not touched.
func TestOperationsThatComeToNothing(t *testing.T) {
	for _, c := range []struct{ text, doc string }{
		{"x\nx\n", "CUT 1\nPUT >2:\n+x\n"},
		{"a\nb", "CUT 2\nPUT >$:\n+b\n"},
		{"a\n", "CUT 1\nPUT <1:\n+a\n"},
	} {
		edit := mustApply(t, c.text, c.doc)
		require.False(t, edit.Changed, "%q", c.doc)
		require.Equal(t, c.text, string(edit.Bytes))
		require.Zero(t, edit.Added+edit.Removed)
		require.NotContains(t, edit.Summary, "no change")
	}
}
