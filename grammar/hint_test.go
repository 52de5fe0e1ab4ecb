package grammar_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

// after gives a document in which a line stands right below a body, before an
// operation; the line is the fourth.
func after(line string) string { return "[b.txt#58A4]\nPUT 2:\n+a\n" + line + "\nCUT 1\n" }

// hintCases are documents whose faults can be understood in more than one way,
// or whose hint did harm to those who followed it to the letter.
var hintCases = []faultCase{
	// A header that cannot be read, right below a body.
	{after("[c.txt#TAG]"), []string{"4:8 bad_tag"}, []string{"[c.txt#TAG]"}},
	{after("[c.txt]"), []string{"4:1 bad_header"}, []string{"write [c.txt#TAG] with the 4 hex digits that the file's view shows; if it is a row of the body, write + before it: +[c.txt]"}},
	{after("[c.txt#A1B2"), []string{"4:12 bad_header"}, []string{"write [c.txt#A1B2]"}},
	{after("[c.txt:A1B2]"), []string{"4:1 bad_header"}, []string{"write [c.txt#A1B2] alone on its line; if it is a row"}},
	{after("### [c.txt]"), []string{"4:1 bad_header"}, []string{"write [c.txt#TAG] with"}},
	{after("File: src/c.txt"), []string{"4:1 bad_header"}, []string{"write [src/c.txt#TAG] with the 4 hex digits that the file's view shows; if it is a row"}},
	{after("c.txt"), []string{"4:1 missing_plus"}, []string{"+c.txt; if it begins a section, write [c.txt#TAG]"}},
	{after("see [c.txt#A1B2] there"), []string{"4:1 bad_header"}, []string{"write [c.txt#A1B2] alone on its line; if it is a row of the body, write + before it: +see [c.txt#A1B2] there; leave the line out if no section begins here"}},
	{section("PUT 3:", "[c.txt#A1B2", "CUT 1"), []string{"2:1 missing_body", "3:12 bad_header"}, []string{"write the new rows", "write [c.txt#A1B2]"}},
	{section("PUT 3:", "[tool.x]", "a = 1", "CUT 1"), []string{"3:1 missing_plus"}, []string{"+[tool.x]; if it begins a section, write [tool.x#TAG]"}},
	{section("PUT 3:", "+a", "[tool.x]", "a = 1", "+b = 1", "CUT 0"), []string{"4:1 bad_header", "5:1 missing_plus", "7:5 zero_line"}, nil},
	{section("PUT 3:", "+a", "", "[x]"), []string{"5:1 bad_header"}, []string{"if it is a row of the body above, write + before it, +[x], and a lone + where the row is blank"}},
	{after("[1, 2, 3]"), []string{"4:1 missing_plus"}, []string{"+[1, 2, 3]; a header is written [path#TAG]; leave the line out if it is no row"}},
	{after("[dependencies]"), []string{"4:1 missing_plus"}, []string{"a header is written [path#TAG]"}},
	{after("[a](b)"), []string{"4:1 missing_plus"}, []string{"a header is written [path#TAG]"}},
	{after("foo\n{\nc.txt"), []string{"4:1 missing_plus"}, []string{"if the last of them begins a section, write [c.txt#TAG]"}},

	// What is no row at all, right below a body.
	{after("Done."), []string{"4:1 missing_plus"}, []string{"write + before every row: +Done.; leave the line out if it is no row of the file"}},
	{after("END"), []string{"4:1 missing_plus"}, []string{"leave the line out"}},
	{after("</edit>"), []string{"4:1 missing_plus"}, []string{"leave the line out"}},
	{after("# next"), []string{"4:1 missing_plus"}, []string{"leave the line out"}},
	{after("// comment"), []string{"4:1 missing_plus"}, []string{"leave the line out"}},
	{after("[1 matches in 1 files]"), []string{"4:1 view_row"}, []string{"leave the view's footer out"}},
	{after("[2 of 9 matches in 3 files; narrow the pattern, path or glob]"), []string{"4:1 view_row"}, nil},
	{after("... +2 more in this file"), []string{"4:1 view_row"}, []string{"leave the view's footer out"}},
	{section("PUT 3:", "+a", "", "f()", "CUT 0"), []string{"5:1 unknown_line", "6:5 zero_line"}, []string{"if it is a row of the body above, write + before it, +f(), and a lone + where the row is blank"}},
	{after("REM it"), []string{"4:1 remove_file"}, []string{"if it is a row of the body, write + before it: +REM it"}},
	{after("MV a b"), []string{"4:1 move_file"}, []string{"+MV a b"}},
	{after("add $2, 3"), []string{"4:1 unknown_line"}, []string{"+add $2, 3"}},
	{after("put12 = 3"), []string{"4:1 unknown_line"}, []string{"+put12 = 3"}},
	{after("--- a"), []string{"4:1 unknown_line"}, []string{"+--- a"}},
	{after("- item"), []string{"4:1 minus_row"}, []string{"if it is a new row that begins with -, write +- item"}},
	{after("- +x"), []string{"4:1 minus_row"}, []string{"if it is a row, write + in column 1: +x"}},
	{after("> +x"), []string{"4:1 missing_plus"}, []string{"write + in column 1: +x; if all of the line is the row's text, +> +x"}},
	{after("3: +x"), []string{"4:1 view_row"}, []string{"write + in column 1: +x; if the row's text begins with + itself, + +x"}},
	{after(" \tx := 1"), []string{"4:1 missing_plus"}, []string{`+ \tx := 1, or +\tx := 1 where the first blank is a diff's`}},

	// Headers in other forms.
	{"[b.txt:58A4]\nCUT 1\n", []string{"1:1 bad_header"}, []string{"write [b.txt#58A4] alone on its line"}},
	{"[b.txt]#58A4\nCUT 1\n", []string{"1:13 bad_header"}, []string{"write [b.txt#58A4] alone on its line"}},
	{"a.go#CA9D\nCUT 0\n", []string{"1:1 bad_header", "2:5 zero_line"}, []string{"write [a.go#CA9D] alone on its line"}},
	{"[[a.go#CA9D]]\nCUT 1\n", []string{"1:8 bad_tag"}, []string{"write [a.go#CA9D] alone on its line"}},
	{"I edit [a.go#CA9D]:\n[a.go#CA9D]\nCUT 0\n", []string{"1:1 bad_header", "3:5 zero_line"}, []string{"write [a.go#CA9D] alone on its line; leave the line out if no section begins here"}},
	{"[a.go#CA9D] PUT 1: +x\n", []string{"1:12 bad_header"}, []string{"write [a.go#CA9D] alone on its line, and the operation on a line of its own: PUT 1: +x"}},
	{"## src/a.go\nCUT 1\n", []string{"1:1 bad_header"}, []string{"write [src/a.go#TAG] with the 4 hex digits"}},
	{section("hello", "c.txt", "CUT 1"), []string{"2:1 unknown_line"}, []string{"leave it out, or write [c.txt#TAG]"}},
	{"+[a#1234]\n+PUT 1:\n++x\n", []string{"1:1 outside_section"}, []string{"write the header without +: [a#1234]"}},
	{section("CUT 1", "+PUT 3:", "++x"), []string{"3:1 row_without_put"}, []string{"write the operation without +: PUT 3:; if it is a row, write the PUT"}},

	// Spans in other forms.
	{section("PUT 1:8:", "+x", "CUT 6:8", "CUT 6:8:"), []string{"2:6 bad_span", "4:6 bad_span", "5:6 bad_span"}, []string{"write PUT 1.=8: for lines 1 to 8", "write CUT 6.=8", "write CUT 6.=8"}},
	{section("PUT 1:8", "PUT 1: 8", "PUT 8:1:"), []string{"2:6 bad_span", "3:6 bad_span", "4:6 bad_span"},
		[]string{"write PUT 1.=8: for lines 1 to 8, or PUT 1: and the row below it: +8", "+8", "lines 1 to 8 are 1.=8"}},
	{section("PUT 3, 5: +x", "PUT 1: 8: foo", "PUT 3 to 5 +x"), []string{"2:6 bad_span", "3:6 bad_span", "4:7 bad_span"}, []string{"stands below it: +x", "PUT 1: and the row below it: +8: foo", "write PUT 3.=5:"}},
	{section("PUT 6...8:", "PUT 2 -> 3:", "CUT 1 through 3", "CUT 1–3"), []string{"2:6 bad_span", "3:7 bad_span", "4:7 bad_span", "5:6 bad_span"},
		[]string{"write PUT 6.=8:", "write PUT 2.=3:", "write CUT 1.=3", "write CUT 1.=3"}},
	{section("PUT 6.=$:", "CUT 1.=end", "CUT $", "PUT end:", "CUT last"), []string{"2:8 bad_span", "3:8 bad_span", "4:5 bad_span", "5:5 bad_span", "6:5 bad_span"},
		[]string{"PUT 6.=M:, M being the number of the last line; PUT >$: appends", "CUT 1.=M, M being the number of the last line", "write the last line's number: CUT N", "write PUT >$: to append rows, or", "write the last line's number"}},
	{section("PUT -1:", "CUT -1"), []string{"2:5 bad_span", "3:5 bad_span"}, []string{"write PUT 1: for line 1; lines are not counted from the end, and PUT >$: appends", "write CUT 1 for line 1; lines are not counted from the end"}},

	// Inserts in other forms.
	{section("PUT 2<:", "PUT 6>:", "PUT 2 after:", "PUT after line 2:", "PUT 2+:", "PUT 2 before", "PUT 2.=3>:", "PUT &gt;2:", "PUT line 2:", "PUT 2!:"),
		[]string{"2:6 bad_span", "3:6 bad_span", "4:7 bad_span", "5:5 bad_span", "6:6 bad_span", "7:7 bad_span", "8:9 bad_span", "9:5 bad_span", "10:5 bad_span", "11:6 bad_span"},
		[]string{"write PUT <2: to insert", "write PUT >6: to insert", "write PUT >2: to insert", "write PUT >2:", "write PUT >2: to insert after line 2, PUT <2: to insert before, or PUT 2: to replace",
			"write PUT <2:", "write PUT >3:", "write PUT >2:", "PUT <2: or PUT >2:", "write PUT 2: to replace line 2, PUT <2: or PUT >2: to insert before or after it"}},
	{section("PUT <2.=3:", "PUT >3,5:"), []string{"2:7 bad_span", "3:7 bad_span"}, []string{"write PUT <2: or PUT <3: to insert before line 2 or 3, or PUT 2.=3: to replace", "write PUT >3: or PUT >5:"}},

	// Several operations in one, and operations that something stands around.
	{section("CUT 1, 2, 3", "CUT 1 and 3", "CUT 1-2-3", "PUT 6+3:", "CUT 6, 8", "CUT 6, 7", "PUT 6,8:", "CUT 1.=3, 7", "CUT 5,3,1"),
		[]string{"2:6 bad_span", "3:7 bad_span", "4:6 bad_span", "5:6 bad_span", "6:6 bad_span", "7:6 bad_span", "8:6 bad_span", "9:6 bad_span", "10:6 bad_span"},
		[]string{"write CUT 1.=3 for lines 1 to 3, or for these lines alone CUT 1, CUT 2 and CUT 3, each on a line of its own", "CUT 1 and CUT 3", "write CUT 1.=3",
			"write PUT 6.=8: for 3 lines from line 6, or PUT 6.=9: for line 6 and 3 more; PUT >6: inserts", "write CUT 6.=8 for lines 6 to 8, or for these lines alone CUT 6 and CUT 8", "write CUT 6.=7",
			"PUT 6: and PUT 8:, each on a line of its own with its rows below it", "write CUT 1.=3 and CUT 7, each", "an operation of its own"}},
	{section("CUT 1, 2 (old)", "CUT 3 lines", "CUT 1 and CUT 3", "PUT 1 and PUT 3:", "PUT 3: (new)"), []string{"2:6 trailing_text", "3:7 trailing_text", "4:7 trailing_text", "5:7 trailing_text", "6:8 trailing_text"},
		[]string{"other lines take an operation of their own", "a span is N.=M", "the next operation on a line of its own", "the next operation on a line of its own", "leave that out if it is no row"}},
	{section("- CUT 6", "1. PUT 6:", "+x", "* PUT 7:", "+x", "> CUT 6", "`CUT 6`", "**PUT 6:**", "+x", "Step 1: CUT 6", "- CUT 1, 2", "CUT 0"),
		[]string{"2:1 unknown_line", "3:1 unknown_line", "5:1 unknown_line", "7:1 unknown_line", "8:1 unknown_line", "9:1 unknown_line", "11:1 unknown_line", "12:1 unknown_line", "13:5 zero_line"},
		[]string{"write CUT 6 alone", "write PUT 6: alone", "write PUT 7: alone", "write CUT 6 alone", "write CUT 6 alone", "write PUT 6: alone", "write CUT 6 alone", "write CUT 1, 2 alone"}},
	{after("- CUT 6"), []string{"4:1 unknown_line"}, []string{"write CUT 6 alone on its line; if it is a row of the body, write + before it: +- CUT 6, or leave it out if it is the - row of a diff"}},
	{"1. CUT 6\n[a#1234]\nCUT 6\n", []string{"1:1 unknown_line"}, []string{"under the header [path#TAG], or leave the line out"}},

	// Line breaks that are written as a backslash and an n.
	{section(`PUT 2.=3: +x\n+y\n`, `CUT 6\nPUT 8:\n+x`, `PUT 2: +f("a\n")`), []string{"2:11 trailing_text", "3:6 trailing_text", "4:8 trailing_text"},
		[]string{"PUT 2.=3:, then +x, then +y", "CUT 6, then PUT 8:, then +x", `the row below it: +f("a\n")`}},
	{`[a#1234]\nPUT 1:\n+x`, []string{"1:1 bad_header"}, []string{`write real line breaks: \n (a backslash and an n) is none; each on a line of its own: [a#1234], then PUT 1:, then +x`}},
	{`"[a#1234]\r\nCUT 1\r\n"`, []string{"1:1 bad_header"}, []string{"[a#1234], then CUT 1"}},

	// Characters that look like others.
	{section("PUT\u00a06:", "+x", "\u00a0CUT 6", "PUT 6\u00a0:", "+x", "CUT\u30006", "PUT 6：", "+x", "CUT 0"),
		[]string{"2:4 unknown_line", "4:1 unknown_line", "5:6 bad_span", "7:4 unknown_line", "8:6 bad_span", "10:5 zero_line"},
		[]string{"write PUT 6:, without U+00A0", "write CUT 6, without U+00A0", "write PUT 6:, without U+00A0", "write CUT 6, without U+3000", "write PUT 6:, without U+FF1A"}},
	{after("[c.txt#A1B2]\u00a0"), []string{"4:13 bad_header"}, []string{"write [c.txt#A1B2], without U+00A0"}},
	{section("PUT 1:", "\u00a0+x"), []string{"3:1 missing_plus"}, []string{"write +x, without U+00A0"}},
}

func TestHints(t *testing.T) { checkFaults(t, hintCases) }

// TestDressedHeaders: whatever stands around a header and wherever it stands, the
// first thing its hint says is how to write it.
func TestDressedHeaders(t *testing.T) {
	const head = "write [src/c.txt#A1B2]"
	for _, written := range []string{
		"src/c.txt#A1B2", "[src/c.txt#A1B2", "src/c.txt#A1B2]", "[src/c.txt:A1B2]", "[src/c.txt A1B2]", "[src/c.txt@A1B2]", "[src/c.txt]#A1B2", "[src/c.txt] A1B2",
		"[src/c.txt](A1B2)", "[src/c.txt, A1B2]", "[src/c.txt tag=A1B2]", "(src/c.txt#A1B2)", "<src/c.txt#A1B2>", "\"src/c.txt#A1B2\"", "src/c.txt:a1b2",
		"**[src/c.txt#A1B2]**", "`[src/c.txt#A1B2]`", "`src/c.txt#A1B2`", "### [src/c.txt#A1B2]", "# src/c.txt#A1B2", "File: [src/c.txt#A1B2]", "File: src/c.txt#A1B2", "- [src/c.txt#A1B2]",
		"> [src/c.txt#A1B2]", "1. [src/c.txt#A1B2]", "12:[src/c.txt#A1B2]", "// [src/c.txt#A1B2]", "[src/c.txt#A1B2]:", "*[src/c.txt#A1B2]*:", `\[src/c.txt#A1B2\]`, "[[src/c.txt#A1B2]]",
		"\u00a0[src/c.txt#A1B2]", "=== src/c.txt#A1B2 ===",
	} {
		for _, before := range []string{"", "[b#0000]\nCUT 1\n", "[b#0000]\nPUT 1:\n+x\n", "[b#0000]\nPUT 1:\n+x\n\n"} {
			doc, err := grammar.Parse(before + written + "\nCUT 7\n")
			var d *hashline.Diagnostic
			require.ErrorAs(t, err, &d, "%q", before+written)
			if d.Code != hashline.BadHeader && d.Code != hashline.BadTag || !strings.HasPrefix(d.Hint, head) {
				t.Errorf("%q: %v", before+written, d)
			}
			for _, s := range doc.Sections {
				for _, o := range s.Ops {
					if o.Kind == hashline.Delete && o.Span.First == 7 {
						t.Errorf("%q: an operation of another section was read into %s", before+written, s.Path)
					}
				}
			}
		}
	}
}

// TestRowsAreNotTheOnlyReading: no hint says to write "+" before a line without
// naming what else the line may be.
func TestRowsAreNotTheOnlyReading(t *testing.T) {
	for _, line := range []string{
		"[c.txt]", "[x]", "[1, 2]", "c.txt", "src/c.txt:", "c.txt#A1B2", "# c.txt", "File c.txt", "**c.txt**", "Done.", "I have made the change.", "END", "EOF", "</edit>", "</document>", "~~", "# next",
		"- CUT 3", "* PUT 3:", "`CUT 3`", "-CUT 3", "REM", "MV a b", "put3:", "INS 3:", "Cut 3 next", "@@", "*** End Patch", "*** End of File", "--- c.txt", "```", "...", "[rows 1-2 of 3]",
	} {
		for _, doc := range []string{after(line), section("PUT 3:", line, "CUT 1"), section("PUT 3:", "+a", "", line, "CUT 1"), section("PUT 3:", "x", line, "CUT 1")} {
			_, err := grammar.Parse(doc)
			var all hashline.Diagnostics
			require.ErrorAs(t, err, &all, "%q", doc)
			for _, d := range all {
				if strings.Contains(d.Hint, "+"+line) && !strings.Contains(d.Hint, "if it is") && !strings.Contains(d.Hint, "leave") {
					t.Errorf("%q: %v", doc, d)
				}
			}
		}
	}
}

// TestTooLarge: who reads a document may stop at the limit, so that no message
// says how much more there was.
func TestTooLarge(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{strings.Repeat("\n", grammar.MaxBytes+1), "the document has more than 16777216 bytes"},
		{strings.Repeat("\n", grammar.MaxBytes+9), "the document has more than 16777216 bytes"},
		{strings.Repeat("[a#0000]\nCUT 1\n", grammar.MaxSections+9), "the document has more than 1000 sections"},
		{section(strings.Repeat("CUT 1\n", grammar.MaxOps+9)), "the document has more than 100000 operations"},
	} {
		_, err := grammar.Parse(c.doc)
		var d *hashline.Diagnostic
		require.ErrorAs(t, err, &d)
		require.Equal(t, hashline.TooLarge, d.Code)
		require.Equal(t, c.want, d.Msg)
	}
}
