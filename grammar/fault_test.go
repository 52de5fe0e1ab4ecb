package grammar_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

// faultCase is a document and its faults, each as "line:column code". In hints
// stands a part of the hint of the fault at the same index.
type faultCase struct {
	doc    string
	faults []string
	hints  []string
}

const forms = "PUT N.=M: (replace), PUT <N: or PUT >N: (insert before or after line N), PUT >$: (append) with + rows below, or CUT N.=M (delete)"

// section gives a document of one section in which the lines stand from line 2.
func section(lines ...string) string {
	return "[a.txt#A1B2]\n" + strings.Join(lines, "\n") + "\n"
}

var faultCases = []faultCase{
	{"", []string{"1:1 empty_document"}, []string{"begin with the header of the file's view, [path#TAG]"}},
	{"\uFEFF\r\n \n", []string{"1:1 empty_document"}, nil},
	{"```\n```\n", []string{"1:1 empty_document"}, nil},

	{"PUT 12:\n+x\nCUT 1\n", []string{"1:1 outside_section"}, []string{"write the header of the file's view, [path#TAG], above it"}},
	{"+x\n+y\n", []string{"1:1 outside_section"}, nil},
	{" CUT 0\n[a#0000]\nCUT 1:\n", []string{"1:2 outside_section", "1:6 zero_line", "3:6 cut_colon"}, nil},

	{"[a#0000]\n[b#0000]\nCUT 1\n [c#0000]", []string{"1:1 empty_section", "4:2 empty_section"}, []string{"write PUT or CUT operations under the header, or leave the header out"}},

	{"[a.txt#A1B2\nCUT 1\n", []string{"1:12 bad_header"}, []string{"write [a.txt#A1B2]"}},
	{"[a.txt]\nCUT 1\n", []string{"1:1 bad_header"}, []string{"write [a.txt#TAG] with the 4 hex digits that the file's view shows"}},
	{"[ #A1B2]\nCUT 1\n", []string{"1:2 bad_header"}, []string{"[path#TAG]"}},
	{"[a#a1b2]: \nCUT 1\n", []string{"1:9 bad_header"}, []string{"write [a#A1B2] alone on its line"}},
	{"[]\n", []string{"1:1 bad_header"}, []string{"[path#TAG]"}},
	{"[", []string{"1:2 bad_header"}, []string{"[path#TAG]"}},

	{"[a.txt#A1B]\nCUT 1\n", []string{"1:8 bad_tag"}, []string{"copy the 4 hex digits from the file's view: [a.txt#TAG]"}},
	{"[a.txt# G1B2]\nCUT 0\n", []string{"1:9 bad_tag", "2:5 zero_line"}, nil},
	{"[a#A1B٢]\nCUT 1\n", []string{"1:4 bad_tag"}, nil},
	{"[a#]\nCUT 1\n", []string{"1:4 bad_tag"}, nil},
	{"[a#b#12345]\nCUT 1\n", []string{"1:6 bad_tag"}, []string{"[a#b#TAG]"}},

	{section("PUT 3:"), []string{"2:1 missing_body"}, []string{"write the new rows under PUT 3:, each with + before it; + alone is a blank row; to delete lines write CUT 3"}},
	{section(" PUT <3:", "", "CUT 4", "PUT >$:", "REM"), []string{"2:2 missing_body", "5:1 missing_body", "6:1 remove_file"}, []string{"write the new rows under PUT <3:"}},
	{section("PUT 3:", "[b#0000]", "CUT 1"), []string{"2:1 missing_body"}, nil},

	{section("PUT 3:", "row", "", "{", "+x", "[1]", "CUT 0"), []string{"3:1 missing_plus", "8:5 zero_line"}, []string{"write + before every row: +row"}},
	{section("PUT 3:", "+x", "  row"), []string{"4:1 missing_plus"}, []string{"+  row"}},
	{section("PUT 3:", " +x", " +y"), []string{"3:1 missing_plus"}, []string{"write + in column 1: +x, or + x if the blanks before it belong to the row"}},
	{section("PUT 3", "row"), []string{"2:6 missing_colon", "3:1 missing_plus"}, nil},

	{section("PUT 3:", "", "+x", "", "+y", "CUT 0"), []string{"4:1 blank_before_row", "7:5 zero_line"}, []string{"write a lone + where the row is blank, or leave the blank line out"}},
	{section("PUT 3:", "+x", " ", "+y"), []string{"5:1 blank_before_row"}, nil},

	{section("CUT 3", "+x", "+y"), []string{"3:1 row_without_put"}, []string{"PUT N.=M: in the place of CUT N.=M"}},
	{section("+x"), []string{"2:1 row_without_put"}, nil},
	{section("CUT 3", "", "+x"), []string{"4:1 row_without_put"}, nil},

	{section("PUT 3:", "-x", "+y", "-z"), []string{"3:1 minus_row"}, []string{"leave - rows out: the span already names the lines that go"}},
	{section("-x", "CUT 1"), []string{"2:1 minus_row"}, nil},

	{section("PUT 3:", "12:\tx", "13:y"), []string{"3:1 view_row"}, []string{`write the row's text alone, with + in the place of the number: +\tx`}},
	{section("1:x", "…", "7:y", "", "[rows 1-7 of 9; next offset 8]"), []string{"2:1 view_row"}, nil},
	{section("CUT 1", "[rows 1-7 of 9]"), []string{"3:1 view_row"}, []string{"leave the view's footer out"}},
	{section("PUT 3:", "```", "row", "```"), []string{"3:1 unknown_line", "4:1 missing_plus"}, nil},
	{section("PUT 3:", "[x](#y)"), []string{"3:1 missing_plus"}, nil},
	{section("12 | x"), []string{"2:1 view_row"}, []string{": +x"}},
	{"12:x\n13:y\n", []string{"1:1 view_row"}, nil},

	{section("CUT 3:", "+x", "CUT 3.=4 :"), []string{"2:6 cut_colon", "4:10 cut_colon"}, []string{"write CUT 3 to delete; PUT 3: with + rows below replaces", "CUT 3.=4 to"}},

	{section("PUT 3", "+x", "put 3.=4 +x", "PUT >$", "+y", "PUT <2"), []string{"2:6 missing_colon", "4:10 missing_colon", "5:7 missing_colon", "7:7 missing_colon"},
		[]string{"write PUT 3:", "write PUT 3.=4: and the rows below it, each with +", "write PUT >$:", "write PUT <2:"}},

	{section("PUT 3.:", "+x", "PUT 3.=:", "CUT .=3", "PUT -12:", "CUT", "PUT :", "CUT 3-", "PUT >:"),
		[]string{"2:6 bad_span", "4:8 bad_span", "5:5 bad_span", "6:5 bad_span", "7:4 bad_span", "8:5 bad_span", "9:7 bad_span", "10:6 bad_span"},
		[]string{"write both ends, PUT 3.=M:, or PUT 3: for line 3 alone", "PUT 3.=M:", "write both ends, such as CUT 1.=3 for lines 1 to 3, or CUT 3 for line 3 alone",
			"PUT 12: for line 12 alone", "write CUT N or CUT N.=M with line numbers of the view", "write PUT N:, PUT N.=M:", "CUT 3.=M, or CUT 3 for", "write PUT >N:"}},
	{section("PUT 3,5:", "PUT 3 to 5:", "CUT 5 3", "CUT 3…5", "PUT $:", "PUT 3.=$:", "CUT <3", "PUT >3-5:", "PUT 3x:", "PUT ١:"),
		[]string{"2:6 bad_span", "3:7 bad_span", "4:7 bad_span", "5:6 bad_span", "6:5 bad_span", "7:8 bad_span", "8:5 bad_span", "9:7 bad_span", "10:6 bad_span", "11:5 bad_span"},
		[]string{"write PUT 3.=5: for lines 3 to 5", "write PUT 3.=5:", "lines 3 to 5 are 3.=5; 3 lines from line 5 are 5.=7; for the two lines CUT 5 and CUT 3, each on a line of its own", "write CUT 3.=5", "write PUT >$: to append", "write both ends",
			"write CUT N or CUT N.=M", "write PUT >3:", "write PUT 3:", "write PUT N:"}},

	{section("CUT 0", "PUT <00:", "+x", "PUT 0.=0:", "PUT 2.=0:"), []string{"2:5 zero_line", "3:6 zero_line", "5:5 zero_line", "6:8 zero_line"}, []string{"lines count from 1", "PUT <1: inserts before the first line"}},

	{section("PUT 12-3:", "+x", "+y", "CUT 12 .= 1"), []string{"2:5 reversed_span", "5:5 reversed_span"},
		[]string{"lines 3 to 12 are 3.=12; 3 lines from line 12 are 12.=14", "lines 1 to 12 are 1.=12; line 12 alone is 12"}},

	{section("PUT 12: +x", "PUT 12::", "CUT 1 CUT 2", "CUT 12; CUT 16", "PUT 1:+x", "CUT 1 # why", "PUT >$: CUT 3"),
		[]string{"2:9 trailing_text", "3:8 trailing_text", "4:7 trailing_text", "5:7 trailing_text", "6:7 trailing_text", "7:7 trailing_text", "8:9 trailing_text"},
		[]string{"write PUT 12: alone on its line and the row below it: +x", "write PUT 12: alone on its line", "write CUT 1 alone on its line, and the next operation on a line of its own", "on a line of its own", ": +x", "write CUT 1 alone", "on a line of its own"}},

	{section("PUT 12*:", "+x", "CUT 3*", "PUT >4*:"), []string{"2:7 block_target", "4:6 block_target", "5:7 block_target"},
		[]string{"write the block by its lines: PUT 12.=M:, M being its last line", "CUT 3.=M, M being", "write PUT >4:"}},
	{section("CUT 12.=14 @name", "PUT 3: @name", "PUT @name", "PUT 3 @name"), []string{"2:12 register", "3:8 register", "4:5 register", "5:7 register"},
		[]string{"to move lines write their text again as + rows under a PUT", "write the rows themselves below the PUT, each with + before it"}},
	{section("REM", "rem 12"), []string{"2:1 remove_file", "3:1 remove_file"}, []string{"remove the file with another tool"}},
	{section("MV b.txt", "mv a b"), []string{"2:1 move_file", "3:1 move_file"}, []string{"then edit it under its new name"}},

	{"\n```go\n[a#0000]\nCUT 1\n", []string{"2:1 truncated"}, []string{"send the whole document again, with ``` on its last line, or without a wrapper"}},
	{" *** Begin Patch\n[a#0000]\n", []string{"1:2 truncated"}, []string{"*** End Patch on its last line"}},
	{"~~~~\n*** Begin Patch\n[a#0000]\nPUT 1:\n~~~~\n", []string{"2:1 truncated"}, nil},
	{"~~~~\n*** Begin Patch\n[a#0000]\nCUT 0\n*** End Patch\n~~~\n", []string{"4:5 zero_line", "6:1 unknown_line"}, []string{"lines count", "nothing after it"}},
	{"~~~\n[a#0000]\nCUT 1", []string{"1:1 truncated"}, nil},

	{"Here it is:\n\n```\n[a#0000]\nCUT 1\n```\n", []string{"1:1 unknown_line"}, []string{"leave it out; a document begins with a header, [path#TAG]"}},
	{section("one", "two", "", "three"), []string{"2:1 unknown_line"}, []string{"leave it out; what stands under a header is " + forms}},
	{section("```", "CUT 1", "```"), []string{"2:1 unknown_line"}, []string{"a fence may only stand around the whole document"}},
	{section("PUT 1:", "+x", "…"), []string{"4:1 unknown_line"}, []string{"write every row in full"}},
	{section("INS 12:", "+x", "DEL 12"), []string{"2:1 unknown_line", "4:1 unknown_line"}, []string{"write " + forms}},
	{section("put12:", "+x", "CUT12"), []string{"2:1 unknown_line", "4:1 unknown_line"}, []string{"write PUT 12:", "write CUT 12"}},
	{section("PUTS 12:", "+x", "", "CUTE"), []string{"2:1 unknown_line", "5:1 unknown_line"}, nil},
	{"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", []string{"1:1 unknown_line"}, []string{"write a header, [path#TAG], and under it " + forms}},
	{"*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\n*** End Patch\n", []string{"2:1 unknown_line"}, []string{"[path#TAG]"}},
	{`{"input": "x",` + "\n\"y\": 1}\n", []string{"1:1 unknown_line"}, []string{"send the document itself as plain text"}},
	{section("CUT 1", "*** End Patch", ""), []string{"3:1 unknown_line"}, []string{"*** Begin Patch stands on the first line and *** End Patch on the last, or neither is there"}},
	{"```\n[a#0000]\nCUT 1\n```\nDone.\n[b#0000]\n", []string{"5:1 unknown_line"}, []string{"nothing after it"}},
	{section("CUT 1\r\r"), []string{"2:6 trailing_text"}, nil},
	{section("PUT 1:", "\uFEFF+x"), []string{"3:1 missing_plus"}, nil},
	{section("CUT 1", "\uFEFF"), []string{"3:4 unknown_line"}, nil},

	{section(strings.Repeat("CUT 0\n", 30)), slicesOf("zero_line", 2, 11), nil},
	{strings.Repeat("[a#0000]\nCUT 1\n", grammar.MaxSections+1), []string{"2001:1 too_large"}, []string{"send it as several documents"}},
	{section(strings.Repeat("CUT 1\n", grammar.MaxOps+1)), []string{"100002:1 too_large"}, []string{"send it as several documents"}},
	{section(strings.Repeat("CUT 1\n", grammar.MaxOps) + "CUT"), []string{"100002:1 too_large"}, nil},
	{strings.Repeat("\n", grammar.MaxBytes+1), []string{"1:1 too_large"}, []string{"send it as several documents"}},
}

// slicesOf lists faults of one code in column 5 of the lines first to last.
func slicesOf(code string, first, last int) (all []string) {
	for n := first; n <= last; n++ {
		all = append(all, fmt.Sprintf("%d:5 %s", n, code))
	}
	return all
}

// TestFaults: each document has exactly the faults given, at their places, and
// the hints say what to write.
func TestFaults(t *testing.T) { checkFaults(t, faultCases) }

func checkFaults(t *testing.T, cases []faultCase) {
	for _, c := range cases {
		name := c.doc[:min(len(c.doc), 60)]
		t.Run(name, func(t *testing.T) {
			doc, err := grammar.Parse(c.doc)
			require.NotNil(t, doc)
			var faults hashline.Diagnostics
			require.True(t, errors.As(err, &faults), "error: %v", err)
			var got []string
			for _, d := range faults {
				got = append(got, fmt.Sprintf("%d:%d %s", d.Pos.Line, d.Pos.Column, d.Code))
			}
			if diff := cmp.Diff(c.faults, got); diff != "" {
				t.Fatalf("%q: faults (-want +got):\n%s\n%v", name, diff, err)
			}
			for i, want := range c.hints {
				if !strings.Contains(faults[i].Hint, want) {
					t.Errorf("%q: hint %q does not contain %q", name, faults[i].Hint, want)
				}
			}
		})
	}
}

// TestFaultCodes: the cases above produce every syntax code.
func TestFaultCodes(t *testing.T) {
	met := map[hashline.Code]bool{}
	for _, c := range faultCases {
		for _, f := range c.faults {
			_, code, _ := strings.Cut(f, " ")
			met[hashline.Code(code)] = true
		}
	}
	for _, code := range hashline.SyntaxCodes() {
		if !met[code] {
			t.Errorf("no case for %s", code)
		}
	}
}

// TestReadable: what could be read stands beside the error.
func TestReadable(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"sections around a fault", "[a#0000]\nCUT 1\nCUT 0\nCUT 2\n[b#0000]\nPUT 1:\n[c#0000]\nREM\n[d]\nCUT 1\n[e#0000]\n", "[a#0000]\nCUT 1\nCUT 2\n[b#0000]\n[c#0000]\n[e#0000]\n"},
		{"more faults than are reported", section(strings.Repeat("CUT 0\n", 30)) + "CUT 7\n[b#0000]\nCUT 0\nCUT 3\n[c#0000]\nCUT 1\n", "[a.txt#A1B2]\n[b#0000]\n[c#0000]\nCUT 1\n"},
		{"a wrapper that does not close", "```\n[a#0000]\nCUT 1\n", "[a#0000]\nCUT 1\n"},
		{"no header", "CUT 1\n[b#0000]\nCUT 2\n", "[b#0000]\nCUT 2\n"},
		{"a bad header", "[a#0000]\nCUT 1\n[b]\nCUT 2\n[c#0000]\nCUT 3\n", "[a#0000]\nCUT 1\n[c#0000]\nCUT 3\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := grammar.Parse(c.doc)
			require.Error(t, err)
			if diff := cmp.Diff(c.want, doc.String()); diff != "" {
				t.Errorf("read (-want +got):\n%s", diff)
			}
		})
	}
}

// TestQuote: a message quotes at most 80 characters, in one line.
func TestQuote(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"short", `"short"`},
		{strings.Repeat("é", 80), `"` + strings.Repeat("é", 80) + `"`},
		{strings.Repeat("é", 81), `"` + strings.Repeat("é", 79) + `…"`},
		{"a\x1b[1mb\tc\rd\xff\u202e\x00", `"a\x1b[1mb\tc\rd\xff\u202e\x00"`},
	} {
		_, err := grammar.Parse(section("CUT 1", c.text))
		var d *hashline.Diagnostic
		require.ErrorAs(t, err, &d)
		if want := "not part of a document: " + c.want; d.Msg != want {
			t.Errorf("message %q, want %q", d.Msg, want)
		}
	}
}
