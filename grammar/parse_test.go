package grammar_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

func isCode(err error, code hashline.Code) bool { return errors.Is(err, code) }

func ExampleParse() {
	doc, err := grammar.Parse("[src/main.go#A1B2]\nput 3-5:\n+return nil\ncut 9\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, op := range doc.Sections[0].Ops {
		fmt.Println(op, op.Body)
	}
	_, err = grammar.Parse("[src/main.go#A1B2]\nPUT 12-3:\n+return nil\n")
	fmt.Println(err)
	// Output:
	// PUT 3.=5: [return nil]
	// CUT 9 []
	// line 2, column 5: reversed_span: the span ends at line 3, before it begins at line 12; lines 3 to 12 are 3.=12; 3 lines from line 12 are 12.=14
}

func ExampleParsePrefix() {
	doc, complete := grammar.ParsePrefix("[src/main.go#A1B2]\nCUT 9\nPUT 3:\n+return n")
	fmt.Print(complete, "\n", doc)
	// Output:
	// true
	// [src/main.go#A1B2]
	// CUT 9
	// PUT 3:
	// +return n
}

// TestParse: valid documents and what they mean, positions included.
func TestParse(t *testing.T) {
	at := func(offset, line, column int) hashline.Position {
		return hashline.Position{Offset: offset, Line: line, Column: column}
	}
	doc, err := grammar.Parse("\uFEFF``` diff\r\n\r\n [ a ] b#c.txt # a1b2 ]\t\r\n\n \uFEFF pUt<001 :\r\n+é\r\r\n+\r\n+\n\n\tCUT 3 .. 9999999999\r\nPUT>$:\n+```\n```  \n\n")
	require.NoError(t, err)
	want := &hashline.Document{Sections: []hashline.Section{{
		Path: "a ] b#c.txt", Tag: 0xA1B2, Pos: at(16, 3, 2),
		Ops: []hashline.Op{
			{Kind: hashline.InsertBefore, Span: hashline.Span{First: 1, Last: 1}, Body: []string{"é\r", "", ""}, Pos: at(47, 5, 6)},
			{Kind: hashline.Delete, Span: hashline.Span{First: 3, Last: hashline.MaxLine}, Pos: at(71, 10, 2)},
			{Kind: hashline.Append, Body: []string{"```"}, Pos: at(92, 11, 1)},
		},
	}}}
	if diff := cmp.Diff(want, doc); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWrappers: what is taken off around a document, and what is not.
func TestWrappers(t *testing.T) {
	const doc = "[a#0000]\nCUT 1\n"
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{"```\n" + doc + "```", true},
		{"\n \n~~~~ any ``` info\n\n" + doc + "\n~~~~~\n\n", true},
		{"*** Begin Patch\n" + doc + "*** End Patch\n", true},
		{"```\n*** Begin Patch\n" + doc + "*** End Patch\n```\n", true},
		{"*** Begin Patch\n```\n" + doc + "```\n*** End Patch\n", true},
		{" ```\r\n\r\n" + doc + " ``` \r\n", true},
		{"\uFEFF```\n" + doc + "```\n", true},
		{"``\n" + doc + "``\n", false},
		{"```\n" + doc + "~~~\n", false},
		{"````\n" + doc + "```\n", false},
		{"```\n" + doc + "``` x\n", false},
		{"```\n```\n" + doc + "```\n```\n", false},
		{"*** Begin Patch\n*** Begin Patch\n" + doc + "*** End Patch\n*** End Patch\n", false},
		{"```\n*** Begin Patch\n" + doc + "```\n*** End Patch\n", false},
		{"```\n~~~\n" + doc + "~~~\n```\n", false},
		{"*** begin patch\n" + doc + "*** end patch\n", false},
		{"*** End Patch\n" + doc, false},
		{doc + "```\n", false},
		{"```\n" + doc + "```\n```\n" + doc + "```\n", false},
		{"text\n```\n" + doc + "```\n", false},
		{doc + "\n\uFEFF```\n" + doc + "```\n", false},
	} {
		got, err := grammar.Parse(c.text)
		if (err == nil) != c.ok {
			t.Errorf("%q: error %v, want ok %v", c.text, err, c.ok)
		}
		if c.ok && got.String() != doc {
			t.Errorf("%q: read as %q", c.text, got)
		}
	}
}

// TestPrefix: what the lenient reading keeps.
func TestPrefix(t *testing.T) {
	for _, c := range []struct {
		text, want string
		complete   bool
	}{
		{"", "", false},
		{"[a#00", "", false},
		{"[a#0000]", "[a#0000]\n", false},
		{"[a#0000]\nCUT", "[a#0000]\n", false},
		{"[a#0000]\nCUT 1", "[a#0000]\nCUT 1\n", true},
		{"[a#0000]\nCUT 1.", "[a#0000]\n", false},
		{"[a#0000]\nPUT 1:", "[a#0000]\n", false},
		{"[a#0000]\nPUT 1:\n", "[a#0000]\n", false},
		{"[a#0000]\nPUT 1:\n+", "[a#0000]\nPUT 1:\n+\n", true},
		{"[a#0000]\nPUT 1:\n+ab\n+c\r", "[a#0000]\nPUT 1:\n+ab\n+c\n", true},
		{"[a#0000]\nPUT 1:\n+ab\n[b#0", "[a#0000]\nPUT 1:\n+ab\n", false},
		{"```\n[a#0000]\nCUT 1\n", "[a#0000]\nCUT 1\n", false},
		{"```\n[a#0000]\nCUT 1\n``", "[a#0000]\nCUT 1\n", false},
		{"```\n[a#0000]\nCUT 1\n```", "[a#0000]\nCUT 1\n", true},
		{"[a#0000]\nCUT 1\nCUT 0\nCUT 2\n[b#0000]\nCUT 1\n", "[a#0000]\nCUT 1\n", false},
	} {
		doc, complete := grammar.ParsePrefix(c.text)
		if doc.String() != c.want || complete != c.complete {
			t.Errorf("%q: %q, complete %v; want %q, %v", c.text, doc, complete, c.want, c.complete)
		}
	}
}

// TestPrefixOfTooMuch: of a document over the size limit the lenient reading
// still gives the beginning.
func TestPrefixOfTooMuch(t *testing.T) {
	doc, complete := grammar.ParsePrefix("[a#0000]\nCUT 1\nPUT 2:\n" + strings.Repeat("+x\n", grammar.MaxBytes/3))
	require.False(t, complete)
	require.Len(t, doc.Sections, 1)
	require.Len(t, doc.Sections[0].Ops, 2)
}

// TestRoundTrip: printing a document and reading that gives the same document,
// for rows and paths that are easily lost.
func TestRoundTrip(t *testing.T) {
	var doc hashline.Document
	for i, path := range []string{"a", "a b", "[x]", "#", "a#1234]", "]", "PUT 1:", "\uFEFFa", "é\xff", "a\rb"} {
		doc.Sections = append(doc.Sections, hashline.Section{Path: path, Tag: hashline.Tag(i * 0x1357), Ops: []hashline.Op{
			{Kind: hashline.Delete, Span: hashline.Span{First: 1, Last: hashline.MaxLine}},
			{Kind: hashline.Append, Body: []string{"", " ", "\r", "a\r\r", "+", "-x", "[a#0000]", "CUT 1", "```", "*** End Patch", "\uFEFF", "\x00\xff", `\n`}},
			{Kind: hashline.InsertAfter, Span: hashline.Span{First: 7, Last: 7}, Body: []string{""}},
		}})
	}
	got, err := grammar.Parse(doc.String())
	require.NoError(t, err)
	if diff := cmp.Diff(&doc, got, cmpopts.IgnoreTypes(hashline.Position{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAllocations: the number of allocations grows with the operations, not with
// the rows.
func TestAllocations(t *testing.T) {
	few, many := bodies(10, 10, 100), bodies(10, 10_000, 100)
	count := func(doc string) float64 {
		return testing.AllocsPerRun(5, func() {
			if _, err := grammar.Parse(doc); err != nil {
				t.Fatal(err)
			}
		})
	}
	if a := count(few); a > 1000 {
		t.Errorf("%v allocations for 10 operations", a)
	}
	if a, b := count(few), count(many); b > a+10 {
		t.Errorf("%v allocations for 100 rows, %v for 100,000", a, b)
	}
	one, ten := count(cuts(1000)), count(cuts(10_000))
	if ten > 11*one {
		t.Errorf("%v allocations for 1,000 operations, %v for 10,000", one, ten)
	}
}
