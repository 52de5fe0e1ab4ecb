package fuzz

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/apply/applytest"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/snapshot"
)

// FuzzEncode: any bytes are a text, the one that the standard library reads, and
// give themselves back; or they are refused. The same text as UTF-8 with a mark
// and as UTF-16 of both orders has one tag; an edit and a rewriting of the UTF-16
// give, in code units, what they give of the UTF-8, or the same refusal.
func FuzzEncode(f *testing.F) {
	for _, v := range hashlinetest.Vectors(f, "apply") {
		if len(v.Text)+len(v.Doc) < 2000 {
			f.Add(v.Text, string(v.Doc))
			if utf8.Valid(v.Text) {
				f.Add([]byte(as16(string(v.Text), binary.LittleEndian)), string(v.Doc))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, doc string) {
		if len(data) > 1<<16 {
			t.Skip("longer than a useful case")
		}
		file := string(data)
		text, err := snapshot.Decode(data)
		want, isText := textOf(file)
		if isText != (err == nil) {
			t.Fatalf("text is %v, got %v", isText, err)
		}
		if err != nil {
			return
		}
		if got := string(text.Bytes()); got != want {
			t.Fatalf("the text is %q, want %q", got, want)
		}
		if raw := text.Raw(); string(raw) != file || text.RawSize() != len(raw) {
			t.Fatalf("it came back as %q of %d bytes", raw, text.RawSize())
		}
		ops := applytest.Ops(doc)
		content := strings.ToValidUTF8(strings.ReplaceAll(doc, "\x00", ""), "")
		marked := "\uFEFF" + strings.TrimPrefix(want, "\uFEFF")
		narrow, err := snapshot.Decode([]byte(marked))
		if err != nil {
			t.Fatal(err)
		}
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			wide, err := snapshot.Decode([]byte(as16(marked, order)))
			if err != nil {
				t.Fatal(err)
			}
			if a, b := snapshot.XXH64.Tag(narrow.Bytes()), snapshot.XXH64.Tag(wide.Bytes()); a != b {
				t.Fatalf("tags %s and %s", a, b)
			}
			if got, want := string(wide.With([]byte(content)).Raw()), as16(string(narrow.With([]byte(content)).Raw()), order); got != want {
				t.Fatalf("rewritten as %q, want %q", got, want)
			}
			checkEdits(t, narrow, wide, ops, order)
		}
	})
}

func checkEdits(t *testing.T, narrow, wide *snapshot.Text, ops []hashline.Op, order binary.AppendByteOrder) {
	if len(ops) == 0 || len(ops) > 200 {
		return
	}
	before := string(wide.Raw())
	a, err := apply.Apply(narrow, ops)
	b, err16 := apply.Apply(wide, ops)
	if diff := cmp.Diff(err, err16); diff != "" {
		t.Fatalf("refusals (-UTF-8 +UTF-16):\n%s", diff)
	}
	if err != nil {
		return
	}
	after := wide.With(b.Bytes)
	if got, want := string(after.Raw()), as16(string(a.Bytes), order); got != want {
		t.Fatalf("edited to %q, want %q", got, want)
	}
	if string(wide.Raw()) != before {
		t.Fatal("the original was written to")
	}
	if _, err := snapshot.Decode(after.Raw()); err != nil {
		t.Fatalf("the result is no text: %v", err)
	}
}

// as16 writes a text as UTF-16.
func as16(text string, order binary.AppendByteOrder) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

// textOf reads a file as the contract says, with the standard library: its text
// as UTF-8, byte-order mark included, or ok false.
func textOf(file string) (text string, ok bool) {
	var order binary.ByteOrder
	switch {
	case strings.HasPrefix(file, "\xFF\xFE"):
		order = binary.LittleEndian
	case strings.HasPrefix(file, "\xFE\xFF"):
		order = binary.BigEndian
	default:
		return file, utf8.ValidString(file) && !strings.Contains(file, "\x00")
	}
	if len(file)%2 != 0 {
		return "", false
	}
	units := make([]uint16, len(file)/2)
	for i := range units {
		units[i] = order.Uint16([]byte(file[2*i:]))
	}
	runes := utf16.Decode(units)
	for i, unit := range utf16.Encode(runes) {
		if units[i] == 0 || units[i] != unit {
			return "", false
		}
	}
	return string(runes), true
}
