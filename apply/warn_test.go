package apply_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/apply/applytest"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// ops reads operations as a document of one section writes them, without its
// header.
func ops(t *testing.T, doc string) []hashline.Op {
	t.Helper()
	all := applytest.Ops("[f#0000]\n" + doc)
	require.NotEmpty(t, all)
	return all
}

func mustApply(t *testing.T, text, doc string) *apply.Edit {
	t.Helper()
	edit, err := apply.Apply(snapshot.New([]byte(text)), ops(t, doc))
	require.NoError(t, err)
	return edit
}

// warned gives the warnings' codes by the document's line.
func warned(e *apply.Edit) map[int]hashline.Code {
	found := map[int]hashline.Code{}
	for _, w := range e.Warnings {
		found[w.Pos.Line] = w.Code
	}
	return found
}

func TestEcho(t *testing.T) {
	for _, c := range []struct {
		name, text, doc string
		want            []int // lines of the document that are warned of
	}{
		{"both neighbours", "a\nb\nc\n", "PUT 2:\n+a\n+B\n+c\n", []int{3, 5}},
		{"line above", "a\nb\nc\n", "PUT 2:\n+a\n+B\n", []int{3}},
		{"line below", "a\nb\nc\n", "PUT 2:\n+B\n+c\n", []int{4}},
		{"with another line end", "a\r\nb\nc\r\n", "PUT 2:\n+a\n+c\n", []int{3, 4}},
		{"below without a line end", "a\nb\nc", "PUT 2:\n+B\n+c\n", []int{4}},
		{"one row that equals both", "a\nb\na\n", "PUT 2:\n+a\n", []int{3}},
		{"line above a byte-order mark's", "\uFEFFa\nb\n", "PUT 2:\n+a\n+x\n", []int{3}},
		{"letters of any language", "é\nb\n", "PUT 2:\n+é\n+x\n", []int{3}},
		{"no neighbours", "a\n", "PUT 1:\n+a\n+a\n", nil},
		{"a row between", "a\nb\nc\n", "PUT 2:\n+x\n+a\n+c\n+y\n", nil},
		{"only the end of the line above", "xa\nb\n", "PUT 2:\n+a\n+y\n", nil},
		{"only the start of the line below", "a\nb\ncx\n", "PUT 2:\n+y\n+c\n", nil},
		{"blanks and punctuation", "\t}\nb\n});\n", "PUT 2:\n+\t}\n+B\n+});\n", nil},
		{"empty rows", "\nb\n\n", "PUT 2:\n+\n+B\n+\n", nil},
		{"the line above is cut", "a\nb\nc\n", "CUT 1\nPUT 2:\n+a\n+x\n", nil},
		{"the line below is replaced", "a\nb\nc\n", "PUT 2:\n+x\n+c\nPUT 3:\n+y\n", nil},
		{"two lines change places", "a\nb\n", "PUT 1:\n+b\nPUT 2:\n+a\n", nil},
		{"the line above is replaced by itself", "a\nb\nc\n", "PUT 1:\n+a\nPUT 2:\n+a\n+x\n", []int{5}},
		{"the line below is replaced by itself", "a\nb\nc\n", "PUT 2:\n+x\n+c\nPUT 3:\n+c\n", []int{4}},
		{"it was repeated before", "a\na\nb\nb\n", "PUT 2.=3:\n+a\n+x\n+b\n", nil},
		{"nothing changes", "a\na\na\n", "PUT 2:\n+a\n", nil},
		{"an insert has no span", "a\nb\n", "PUT >1:\n+a\n+b\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := map[int]hashline.Code{}
			for _, line := range c.want {
				want[line] = hashline.Echo
			}
			require.Empty(t, cmp.Diff(want, warned(mustApply(t, c.text, c.doc))))
		})
	}
}

func TestWarningNamesRowAndLine(t *testing.T) {
	edit := mustApply(t, "a\nb\nc\n", "PUT 2:\n+B\n+c\n")
	require.Len(t, edit.Warnings, 1)
	w := edit.Warnings[0]
	require.Equal(t, "row 2 of PUT 2: repeats line 3, the line below the span, which stays", w.Msg)
	require.Equal(t, hashline.Position{Line: 4, Column: 2}, w.Pos)
}

// inserted gives the code of the warning that a row causes, "" for none.
func inserted(t *testing.T, row string) hashline.Code {
	t.Helper()
	edit, err := apply.Apply(snapshot.New([]byte("one\n")), []hashline.Op{
		{Kind: hashline.InsertAfter, Span: hashline.Span{First: 1, Last: 1}, Body: []string{row}},
	})
	require.NoError(t, err)
	if len(edit.Warnings) == 0 {
		return ""
	}
	require.Len(t, edit.Warnings, 1)
	return edit.Warnings[0].Code
}

func TestLooksLikeOp(t *testing.T) {
	for _, row := range []string{
		"PUT 3:", "PUT 3.=5:", "PUT 3..5:", "PUT 3-5:", "PUT <3:", "PUT >3:", "PUT >$:", "CUT 3", "CUT 4.=5",
		"put 3 :", "Cut 4 - 5", "\tPUT <\t3 :  ", "PUT>3:", "[a.go#1A2B]", "[src/a b.go#1a2b]", " [ x#y # 0000 ] ",
	} {
		require.Equal(t, hashline.LooksLikeOp, inserted(t, row), "%q", row)
	}
	for _, row := range []string{
		"PUT", "PUT:", "PUT 3", "PUT /users/3:", "PUT <b>:", "PUT x:", "PUT 3: x", "puts 3:", "PUT3:", "CUT", "CUT 3:",
		"CUT3", "CUT -1", "CUT 3,5", "cut -d: -f1", "cut 3 eggs", "Put the rows here:", "+PUT 3:", "// PUT 3:", "PUT 3.=:",
		"[a.go]", "[a.go#1A2B", "[#1A2B]", "[a.go#12345]", "[a.go#XYZW]", "x[a.go#1A2B]", "[link](#abcd)", "[a.go#1A2B]:", "[]", "[1, 2]",
	} {
		require.Empty(t, inserted(t, row), "%q", row)
	}
}

func TestPlaceholder(t *testing.T) {
	for _, row := range []string{
		"// ... existing code ...", "    // ... existing code ...", "# ... rest of file unchanged", "<!-- ... -->",
		"/* unchanged */", "// ...", "# ...", "/* ... */", "{/* ... existing code ... */}", "-- ... existing code ...",
		"// ... rest of the code remains the same ...", "// Rest of the code remains the same.", "# rest of the file unchanged",
		"// (unchanged)", "// … existing code …", "…", "... existing code ...", "[... rest of file unchanged ...]",
		"// ... keep existing imports ...", "// ...rest of the function", "/* ... other methods ... */", "// omitted for brevity",
		"<!-- rest of the file stays the same -->", "; ... rest of file", "// existing code here", "# ... (same as above) ...",
		"//... existing code", "/* Existing code */", "// ... the other tests are unchanged ...",
	} {
		require.Equal(t, hashline.Placeholder, inserted(t, row), "%q", row)
	}
	for _, row := range []string{
		"...", "    ...", "", "//", "#", "/**/", "/* */", "//...", "#...", "./...", "go test ./...", "func f(args ...string) {",
		"...rest", "...rest,", "    ...more", "...props", "{...props}", "f(...args)", "const {a, ...rest} = b", "[...]", "(...)", "x = ...",
		"// The rest of the arguments are file names.", "// existing", "// remaining", "# Original", "// same", "// more",
		"// unmodified.", "// omitted.", "// are elided.", "// omitted).", "// the same as above.", "/* Same as above.  */",
		"//\t...", "//   ...", "# ....", "// ......", "<!-- ........ -->", "## ==================", "// unchanged = true",
		"// ... and so it goes ...", "// existing code must call Close", "# keep", "return unchanged", "unchanged", "rest of file",
		"# Configuration", "// Tests", "-- the end", "// code", "%s...", "Loading...", "Please wait ...", "- ...", "* ...", "> ...",
		"// implementation of the rest of foo", "#include <rest>", "// 3 lines omitted", "/* ...", "... */", "… and more", "a…", "// ...rest", "...rest, more",
	} {
		require.Empty(t, inserted(t, row), "%q", row)
	}
}

// A row that stood in the replaced lines is no accident of the edit.
func TestRowsThatWereThereAreNotDoubted(t *testing.T) {
	text := "x\n// ...\nPUT 3:\ny\n"
	require.Empty(t, mustApply(t, text, "PUT 1.=4:\n+X\n+// ...\n+PUT 3:\n+Y\n").Warnings)
	require.Equal(t, map[int]hashline.Code{3: hashline.Placeholder, 4: hashline.LooksLikeOp},
		warned(mustApply(t, text, "PUT 1:\n+// ...\n+PUT 3:\n")))
}

func TestWarningsAreBounded(t *testing.T) {
	o := hashline.Op{Kind: hashline.Append}
	for range 1000 {
		o.Body = append(o.Body, "// ...")
	}
	edit, err := apply.Apply(snapshot.New(nil), []hashline.Op{o})
	require.NoError(t, err)
	require.Len(t, edit.Warnings, apply.MaxFaults)
}
