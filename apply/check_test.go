package apply_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

func check(t *testing.T, text, doc string) hashline.Diagnostics {
	t.Helper()
	return apply.Check(snapshot.New([]byte(text)), ops(t, doc))
}

func TestFaults(t *testing.T) {
	long := strings.Repeat("é", 2000)
	clipped := long + "…[+3 chars]"
	longFile := "a\n" + long + "xyz\nb\n"
	const feff = "\uFEFF"
	for _, c := range []struct {
		name, text, doc string
		code            hashline.Code // "" where there is no fault
		line            int           // of the document
	}{
		{"PUT below the last line", "a\nb\n", "PUT 3:\n+x\n", hashline.OutOfRange, 2},
		{"a span that ends below it", "a\nb\n", "CUT 2.=3\n", hashline.OutOfRange, 2},
		{"PUT < the line below the last", "a\nb\n", "PUT <3:\n+x\n", hashline.OutOfRange, 2},
		{"PUT > the line below the last", "a\nb\n", "PUT >3:\n+x\n", hashline.OutOfRange, 2},
		{"PUT < and > the last line", "a\nb", "PUT <2:\n+x\nPUT >2:\n+x\n", "", 0},
		{"PUT <1 and >$ in an empty file", "", "PUT <1:\n+x\nPUT >$:\n+y\n", "", 0},
		{"the same behind a byte-order mark", feff, "PUT <1:\n+x\nPUT >$:\n+y\n", "", 0},
		{"PUT 1 in an empty file", "", "PUT 1:\n+x\n", hashline.OutOfRange, 2},
		{"PUT >1 in an empty file", "", "PUT >1:\n+x\n", hashline.OutOfRange, 2},
		{"PUT <2 in an empty file", "", "PUT <2:\n+x\n", hashline.OutOfRange, 2},
		{"CUT 1 in an empty file", "", "CUT 1\n", hashline.OutOfRange, 2},
		{"range comes before overlap", "a\n", "CUT 1\nCUT 1\nCUT 2\n", hashline.OutOfRange, 4},
		{"overlap comes before an anchor inside", "a\nb\nc\n", "PUT >1:\n+x\nCUT 1.=2\nCUT 2\n", hashline.Overlap, 5},
		{"an anchor inside comes before bodies", "a\nb\n", "PUT 1.=2:\n+1:a\nPUT <2:\n+x\n", hashline.AnchorInside, 4},

		{"a row pasted with its number", "a\nb\n", "PUT 2:\n+x\n+2:b\n", hashline.PastedRow, 4},
		{"another line of the span", "a\nb\nc\n", "PUT 1.=3:\n+3:c\n", hashline.PastedRow, 3},
		{"with CRLF", "a\r\nb\r\n", "PUT 2:\n+2:b\n", hashline.PastedRow, 3},
		{"of the last line without an end", "a\nb", "PUT 2:\n+2:b\n", hashline.PastedRow, 3},
		{"of an empty line", "\n", "PUT 1:\n+1:\n", hashline.PastedRow, 3},
		{"of line 1 behind a byte-order mark", feff + "a\n", "PUT 1:\n+1:a\n", hashline.PastedRow, 3},
		{"a line outside the span", "a\nb\n", "PUT 2:\n+1:a\n", "", 0},
		{"another text", "a\nb\n", "PUT 2:\n+2:bb\n", "", 0},
		{"the start of the text", "a\nbb\n", "PUT 2:\n+2:b\n", "", 0},
		{"trailing blanks count", "a\nb \n", "PUT 2:\n+2:b\n", "", 0},
		{"an insert replaces nothing", "a\nb\n", "PUT >2:\n+2:b\n", "", 0},
		{"a number with leading zeros", "a\nb\n", "PUT 2:\n+02:b\n", "", 0},
		{"a number too large for anything", "a\n", "PUT 1:\n+" + strings.Repeat("9", 40) + ":a\n", "", 0},

		{"a shortened line", longFile, "PUT 2:\n+" + clipped + "\n", hashline.ClippedRow, 3},
		{"a shortened line with its number", longFile, "PUT 2:\n+2:" + clipped + "\n", hashline.ClippedRow, 3},
		{"a shortened line anywhere", longFile, "PUT >$:\n+x\n+" + clipped + "\n", hashline.ClippedRow, 4},
		{"a shortened line that begins with a number", "7:" + longFile[2:], "PUT 1:\n+7:" + long[:3996] + "…[+5 chars]\n", hashline.ClippedRow, 3},
		{"with another count", longFile, "PUT 2:\n+" + long + "…[+4 chars]\n", "", 0},
		{"with a count of leading zeros", longFile, "PUT 2:\n+" + long + "…[+03 chars]\n", "", 0},
		{"of no line of this file", "a\n" + long + "\n", "PUT 2:\n+" + clipped + "\n", "", 0},
		{"a line of 2,000 code points", long + "\n", "PUT 1:\n+" + long + "…[+0 chars]\n", "", 0},
		{"the line in full", longFile, "PUT 2:\n+" + long + "xyz\n", "", 0},

		{"NUL", "a\n", "PUT 1:\n+x\x00y\n", hashline.BadBody, 3},
		{"carriage return at the end", "a\n", "PUT 1:\n+x\r\r\n", hashline.BadBody, 3},
		{"carriage return in the middle", "a\n", "PUT 1:\n+x\ry\n", "", 0},
		{"invalid UTF-8", "a\n", "PUT 1:\n+x\xffy\n", hashline.BadBody, 3},

		{"U+FEFF in a new first row", "a\n", "PUT <1:\n+" + feff + "x\n", hashline.BadBody, 3},
		{"U+FEFF in place of line 1", "a\n", "PUT 1:\n+" + feff + "\n", hashline.BadBody, 3},
		{"U+FEFF behind the mark there is", feff + "a\n", "PUT 1:\n+" + feff + "a\n", hashline.BadBody, 3},
		{"U+FEFF in an empty file", "", "PUT >$:\n+" + feff + "x\n", hashline.BadBody, 3},
		{"U+FEFF in a second row", "a\n", "PUT 1:\n+x\n+" + feff + "\n", "", 0},
		{"U+FEFF in a row below one that stays", "a\n", "PUT >1:\n+" + feff + "\n", "", 0},
		{"U+FEFF further on in the first row", "a\n", "PUT 1:\n+x" + feff + "\n", "", 0},
		{"CUT brings U+FEFF to the top", "a\n" + feff + "b\n", "CUT 1\n", hashline.BadBody, 2},
		{"two CUTs bring it there", "a\na\n" + feff + "b\n", "CUT 2\nCUT 1\n", hashline.BadBody, 2},
		{"CUT brings it behind the mark", feff + "a\n" + feff + "b\n", "CUT 1\n", hashline.BadBody, 2},
		{"a row stands above it", "a\n" + feff + "b\n", "CUT 1\nPUT >1:\n+x\n", "", 0},
		{"it is cut too", "a\n" + feff + "b\nc\n", "CUT 1.=2\n", "", 0},
		{"all is cut and U+FEFF appended", "a\n", "CUT 1\nPUT >$:\n+" + feff + "\n", hashline.BadBody, 4},
		{"U+FEFF after a cut first line", "a\nb\n", "PUT >1:\n+" + feff + "\nCUT 1\n", hashline.BadBody, 3},
		{"a first line that begins so already", feff + feff + "a\nb\n", "PUT 1:\n+" + feff + "x\n", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := check(t, c.text, c.doc)
			if c.code == "" {
				require.Empty(t, ds)
				return
			}
			require.Len(t, ds, 1)
			require.Equal(t, c.code, ds[0].Code)
			require.Equal(t, c.line, ds[0].Pos.Line)
			require.NotEmpty(t, ds[0].Hint)
			require.Empty(t, ds[0].Path)
		})
	}
}

func TestFaultTexts(t *testing.T) {
	for _, c := range []struct{ text, doc, want string }{
		{"", "PUT 1:\n+x\n", "out_of_range: PUT 1: names line 1, but the file is empty (0 lines); in an empty file only PUT <1: and PUT >$: are possible"},
		{"a\n", "CUT 2\n", "out_of_range: CUT 2 names line 2, but the file has 1 line; name line 1, or append with PUT >$:"},
		{"a\nb\n", "PUT 2.=9:\n+x\n", "out_of_range: PUT 2.=9: names line 9, but the file has 2 lines; name lines from 1 to 2, or append with PUT >$:"},
		{"a\nb\n", "PUT 1.=2:\n+1:a\n", "pasted_row: row 1 of PUT 1.=2: is line 1 as the view shows it, with its number; write the line's text without the number and the colon; if it is really meant, use write with expect"},
		{"a\n\uFEFFb\n", "CUT 1\n", "bad_body: CUT 1 brings line 2 to the top of the file, and its first character, U+FEFF, would become a byte-order mark there; replace line 2 by a row without that character; if it is really meant, use write with expect"},
	} {
		faults := check(t, c.text, c.doc)
		for _, d := range faults {
			d.Path = "a"
		}
		require.Equal(t, "a: "+c.want, faults.Error())
	}
}

func TestAllFaultsOfAStep(t *testing.T) {
	ds := check(t, "a\nb\nc\n", "PUT 2:\n+2:b\n+x\x00\n+ok\nPUT <1:\n+\uFEFFz\nPUT 3:\n+3:c\n")
	got := map[int]hashline.Code{}
	for _, d := range ds {
		require.Equal(t, 2, d.Pos.Column)
		got[d.Pos.Line] = d.Code
	}
	require.Empty(t, cmp.Diff(map[int]hashline.Code{
		3: hashline.PastedRow, 4: hashline.BadBody, 7: hashline.BadBody, 9: hashline.PastedRow,
	}, got))
}

// Operations that no document can hold reach the package from Go only.
func TestMalformedOperations(t *testing.T) {
	body := []string{"x"}
	for _, c := range []struct {
		op   hashline.Op
		code hashline.Code
	}{
		{hashline.Op{}, hashline.UnknownLine},
		{hashline.Op{Kind: 99, Span: hashline.Span{First: 1, Last: 1}}, hashline.UnknownLine},
		{hashline.Op{Kind: hashline.Replace, Body: body}, hashline.ZeroLine},
		{hashline.Op{Kind: hashline.InsertBefore, Body: body, Span: hashline.Span{First: -1}}, hashline.ZeroLine},
		{hashline.Op{Kind: hashline.Delete, Span: hashline.Span{First: 2, Last: 1}}, hashline.ReversedSpan},
		{hashline.Op{Kind: hashline.Delete, Span: hashline.Span{First: 1, Last: 1}, Body: body}, hashline.RowWithoutPut},
		{hashline.Op{Kind: hashline.Replace, Span: hashline.Span{First: 1, Last: 1}}, hashline.MissingBody},
		{hashline.Op{Kind: hashline.Append}, hashline.MissingBody},
		{hashline.Op{Kind: hashline.Append, Body: []string{"a\nb"}}, hashline.BadBody},
	} {
		edit, err := apply.Apply(snapshot.New([]byte("a\nb\n")), []hashline.Op{c.op})
		require.ErrorIs(t, err, c.code, "%+v", c.op)
		require.Nil(t, edit)
	}
	edit, err := apply.Apply(snapshot.New([]byte("a\n")), nil)
	require.NoError(t, err)
	require.False(t, edit.Changed)
}

func TestFaultsAreBounded(t *testing.T) {
	text := snapshot.New([]byte("a\n"))
	var far, same, rows []hashline.Op
	for range 1000 {
		far = append(far, hashline.Op{Kind: hashline.Delete, Span: hashline.Span{First: 7, Last: 7}})
		same = append(same, hashline.Op{Kind: hashline.Delete, Span: hashline.Span{First: 1, Last: 1}})
		rows = append(rows, hashline.Op{Kind: hashline.Append, Body: []string{"\x00", "\x00"}})
	}
	for _, ops := range [][]hashline.Op{far, same, rows, make([]hashline.Op, 1000)} {
		require.Len(t, apply.Check(text, ops), apply.MaxFaults)
	}
}

// What an enemy may send: very many operations at or behind one very long line,
// and very many rows that could be a shortened or a numbered line. Looking at
// that line once for each would take minutes.
func TestHostileInputCostsLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short mode: builds a large file")
	}
	line := strings.Repeat("x", 20_000_000)
	text := snapshot.New([]byte(line + "\nb\n" + strings.Repeat(line[:2001]+"\n", 10_000)))
	var ops []hashline.Op
	head := line[:2000]
	for i := range 20_000 {
		ops = append(ops,
			hashline.Op{Kind: hashline.InsertBefore, Span: hashline.Span{First: 1, Last: 1}, Body: []string{head + fmt.Sprintf("…[+%d chars]", i+2)}},
			hashline.Op{Kind: hashline.InsertAfter, Span: hashline.Span{First: 1, Last: 1}, Body: []string{"1:" + head}},
		)
	}
	for range 2 {
		ops = append(ops, hashline.Op{Kind: hashline.Append, Body: []string{"x"}})
	}
	start := time.Now()
	edit, err := apply.Apply(text, ops)
	require.NoError(t, err)
	require.True(t, edit.Changed)
	require.Less(t, time.Since(start), time.Minute)

	ops = nil
	rows := []string{}
	for range 20_000 {
		rows = append(rows, "1:"+head)
	}
	ops = append(ops, hashline.Op{Kind: hashline.Replace, Span: hashline.Span{First: 1, Last: 1}, Body: rows})
	start = time.Now()
	_, err = apply.Apply(text, ops)
	require.NoError(t, err)
	require.Less(t, time.Since(start), time.Minute)
}
