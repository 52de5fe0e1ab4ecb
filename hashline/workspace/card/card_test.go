package card_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/card"
	"github.com/hashline-go/hashline/snapshot"
)

// known looks files up among texts; every file has the tag 0000.
func known(files map[string]string) card.Lookup {
	return func(path string) (snapshot.Snapshot, error) {
		switch text, ok := files[path]; {
		case path == "secret":
			return snapshot.Snapshot{}, &hashline.Diagnostic{Code: hashline.Denied, Msg: "not for you"}
		case path == "broken":
			return snapshot.Snapshot{}, errors.New("no disk")
		case !ok:
			return snapshot.Snapshot{}, card.ErrUnknown
		default:
			return snapshot.Snapshot{Path: strings.TrimPrefix(path, "/root/"), Text: snapshot.New([]byte(text))}, nil
		}
	}
}

var files = map[string]string{"a": "one\ntwo\nthree\n", "b": "x\r\ny", "/root/a": "one\n", "empty": "", "u": "\x1b[31m\n"}

// TestText shows what is printed of whole documents and of such that are still
// arriving.
func TestText(t *testing.T) {
	for _, c := range []struct {
		name, doc string
		whole     bool
		want      string
		verified  bool
	}{
		{"replace", "[a#0000]\nPUT 2.=3:\n+2\n", true, "[a#0000]\nPUT 2.=3: (2 → 1 line(s))\n-2:two\n-3:three\n+2:2\nverified\n", true},
		{"cut, tag in lower case", "[a#000f]\nCUT 1\n", true, "[a#000F]\nnot verified: stale_tag: the tag is 000F but the file's is 0000: it is not the text that the line numbers were taken from; read the file again\nCUT 1 (1 line)\n", false},
		{"inserts", "[./a#0000]\nPUT <1:\n+0\nPUT >1:\n+1.5\n+\nPUT >$:\n+4\n", true,
			"[a#0000]\nPUT <1: (+1 line(s))\n+1:0\nPUT >1: (+2 line(s))\n+2:1.5\n+3:\nPUT >$: (+1 line(s))\n+4:4\nverified\n", true},
		{"no change", "[b#0000]\nPUT 2:\n+y\n", true, "[b#0000]\nPUT 2: (no change)\nverified\n", true},
		{"an empty file", "[empty#0000]\nPUT >$:\n+1\n", true, "[empty#0000]\nPUT >$: (+1 line(s))\n+1:1\nverified\n", true},
		{"an unknown file", "[c#0000]\nPUT 4:\n+1\nPUT >$:\n+2\n", true,
			"[c#0000]\nnot verified: the text of this file is not at hand\nPUT 4: (1 → 1 line(s))\n+4:1\nPUT >$: (+1 line(s))\n+2\n", false},
		{"a denied file", "[secret#0000]\nCUT 1\n", true, "[secret#0000]\nnot verified: denied: not for you\nCUT 1 (1 line)\n", false},
		{"a file that cannot be read", "[broken#0000]\nCUT 1\n", true, "[broken#0000]\nnot verified: io: no disk\nCUT 1 (1 line)\n", false},
		{"out of range", "[a#0000]\nCUT 3.=4\nPUT 9:\n+x\nCUT 1\n", true,
			"[a#0000]\nCUT 3.=4 (2 lines)\n-3:three\nPUT 9: (1 → 1 line(s))\n+9:x\nCUT 1 (1 line)\n-1:one\n" +
				"not verified: out_of_range: CUT 3.=4 names line 4, but the file has 3 lines; name lines from 1 to 3, or append with PUT >$:\n" +
				"not verified: out_of_range: PUT 9: names line 9, but the file has 3 lines; name lines from 1 to 3, or append with PUT >$:\n", false},
		{"overlap", "[a#0000]\nCUT 1.=2\nCUT 2\n[b#0000]\nCUT 1\n", true,
			"[a#0000]\nCUT 1.=2 (2 lines)\n-1:one\n-2:two\nCUT 2 (1 line)\n-2:two\n" +
				"not verified: overlap: CUT 2 overlaps CUT 1.=2 (line 2 of the document); all numbers name the original lines; join the two into one operation, or change one so that no line is named twice\n" +
				"\n[b#0000]\nCUT 1 (1 line)\n-1:x\nverified\n", false},
		{"one file by two names", "[a#0000]\nCUT 1\n[/root/a#0000]\nCUT 1\n", true,
			"[a#0000]\nCUT 1 (1 line)\n-1:one\nverified\n\n[a#0000]\n" +
				"not verified: duplicate_path: the document has two sections for this file, the first at line 1, column 1; write one section a file, with all its operations under one header; all numbers name the original lines\nCUT 1 (1 line)\n", false},
		{"an odd path", "[a\x00b#0000]\nCUT 1\n", true, "[a\x00b#0000]\nnot verified: bad_path: the path holds a NUL; write the path without it\nCUT 1 (1 line)\n", false},
		{"cut off in a section", "[a#0000]\nCUT 1\nPUT 2:\n", true,
			"[a#0000]\nCUT 1 (1 line)\n-1:one\nnot verified: the section is not complete\n\nnot verified: truncated: the document ends in the middle\n" +
				"not verified: line 3, column 1: missing_body: PUT 2: has no body; write the new rows under PUT 2:, each with + before it; + alone is a blank row; to delete lines write CUT 2\n", false},
		{"an open fence", "```\n[a#0000]\nCUT 1\n", true,
			"[a#0000]\nCUT 1 (1 line)\n-1:one\nnot verified: the section is not complete\n\n" +
				"not verified: line 1, column 1: truncated: the wrapper ``` is not closed: the document was cut off on its way; send the whole document again, with ``` on its last line, or without a wrapper\n", false},
		{"nothing", "", true, "not verified: line 1, column 1: empty_document: the document is empty; begin with the header of the file's view, [path#TAG], and write PUT and CUT operations under it\n", false},

		{"half a header", "[a#00", false, "… [a#00\n", false},
		{"a header", "[a#0000]\n", false, "[a#0000]\n", false},
		{"half an operation", "[a#0000]\nCUT 1\nCUT 2.", false, "[a#0000]\nCUT 1 (1 line)\n-1:one\n… CUT 2.\n", false},
		{"a PUT", "[a#0000]\nPUT 2:\n", false, "[a#0000]\nPUT 2: (1 → 0 line(s)) …\n-2:two\n", false},
		{"half a row", "[a#0000]\nPUT 2:\n+1\n+2", false, "[a#0000]\nPUT 2: (1 → 1 line(s)) …\n-2:two\n+2:1\n+3:2\n", false},
		{"a row that may not be the last", "[b#0000]\nPUT 2:\n+y\n", false, "[b#0000]\nPUT 2: (1 → 1 line(s)) …\n-2:y\n+2:y\n", false},
		{"a row that was the last", "[b#0000]\nPUT 2:\n+y\n\n", false, "[b#0000]\nPUT 2: (no change)\n", false},
		{"the next section", "[a#0000]\nCUT 1\n[b#0000]\n", false, "[a#0000]\nCUT 1 (1 line)\n-1:one\nverified\n\n[b#0000]\n", false},
		{"a fault", "[a#0000]\nCUT 1\nthen\n", false, "[a#0000]\nCUT 1 (1 line)\n-1:one\n\nnot verified: line 3, column 1: unknown_line: neither a header, an operation nor a row: \"then\"; write [path#TAG], PUT N:, CUT N, or rows with + before them\n", false},
	} {
		got := card.Of(c.doc, c.whole, known(files))
		text := got.Text(48 << 10)
		if i := strings.LastIndex(text, "unknown_line"); i >= 0 {
			text, c.want = text[:i], c.want[:strings.LastIndex(c.want, "unknown_line")] // the words are the parser's
		}
		if diff := cmp.Diff(c.want, text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		require.Equal(t, c.verified, got.Verified(), c.name)
	}
}

// TestSections shows the values behind the text, before the document has ended.
func TestSections(t *testing.T) {
	c := card.Of("[a#0000]\nPUT 7.=8:\n+x\n+", false, known(files))
	s := c.Sections()[0]
	require.Equal(t, card.Refused, s.Verdict)
	require.ErrorIs(t, s.Faults, hashline.OutOfRange)
	require.Equal(t, "a", s.Faults[0].Path)
	require.True(t, s.Open())
	require.True(t, s.Known())
	require.False(t, s.Complete)

	c = card.Of("[a#0000]\nPUT 2:\n+x\n[b#0000]\nCUT 1\n", false, known(files))
	require.Equal(t, card.Verified, c.Sections()[0].Verdict)
	require.True(t, c.Sections()[0].Complete)
	require.Equal(t, card.Arriving, c.Sections()[1].Verdict)
	require.NoError(t, c.Close())
	require.Equal(t, card.Verified, c.Sections()[1].Verdict)
	require.True(t, c.Verified())

	c = card.Of("[a#0000]\nPUT 2:\n+x\n", true, nil)
	require.Equal(t, card.Unknown, c.Sections()[0].Verdict)
	require.False(t, c.Sections()[0].Known())
	require.Equal(t, 2, c.Sections()[0].FirstAdded(0))
	require.False(t, c.Verified())
	for _, v := range []card.Verdict{card.Unknown, card.Arriving, card.Verified, card.Refused} {
		require.NotEmpty(t, v.String())
	}
}

// TestRows: rows are shared between the two kinds and clipped.
func TestRows(t *testing.T) {
	long := strings.Repeat("é", 2001)
	text := strings.Repeat("old\n", 100) + long + "\n"
	lookup := known(map[string]string{"a": text})
	for _, c := range []struct{ removed, added, wantRemoved, wantAdded int }{
		{100, 100, 20, 20}, {100, 5, 35, 5}, {5, 100, 5, 35}, {20, 20, 20, 20}, {100, 0, 40, 0}, {0, 100, 0, 40}, {1, 1, 1, 1}, {39, 2, 38, 2}, {2, 39, 2, 38},
	} {
		op := hashline.Op{Kind: hashline.Replace, Span: hashline.Span{First: 1, Last: c.removed}, Body: make([]string, c.added)}
		if c.removed == 0 {
			op.Kind, op.Span = hashline.Append, hashline.Span{}
		} else if c.added == 0 {
			op.Kind, op.Body = hashline.Delete, nil
		}
		doc := hashline.Document{Sections: []hashline.Section{{Path: "a", Ops: []hashline.Op{op}}}}
		rows := card.Of(doc.String(), true, lookup).Sections()[0].Rows(0, 40)
		require.Len(t, rows.Removed, c.wantRemoved, "%+v", c)
		require.Len(t, rows.Added, c.wantAdded, "%+v", c)
		require.Equal(t, c.removed-c.wantRemoved, rows.MoreRemoved, "%+v", c)
		require.Equal(t, c.added-c.wantAdded, rows.MoreAdded, "%+v", c)
	}
	rows := card.Of("[a#0000]\nPUT 101:\n+x"+long+"\n", true, lookup).Sections()[0].Rows(0, 40)
	require.Equal(t, []string{strings.Repeat("é", 2000) + "…[+1 chars]"}, rows.Removed)
	require.Equal(t, []string{"x" + strings.Repeat("é", 1999) + "…[+2 chars]"}, rows.Added)
}
