package fuzz

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

// FuzzParse: the parser accepts exactly the documents that a naive reading of
// the contract accepts, with the same sections; it never panics; printing what
// was read and reading that gives the same; and of a refused document every
// fault, at most ten, has a code, a place inside the text, a message of one line
// and a form to write.
func FuzzParse(f *testing.F) {
	seedDocuments(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			t.Skip("longer than a useful case")
		}
		checkParse(t, text)
	})
}

// TestRandomDocuments tries the property of FuzzParse on documents that are put
// together from pieces, most of them valid, so that long ones are too.
func TestRandomDocuments(t *testing.T) {
	pieces := []string{
		"[a.txt#A1B2]\n", " [ b c # 00ff ] \r\n", "[x#y#0000]\n", "[a#12]\n", "CUT 3\n", "cut 3 .= 5\r\n", "CUT 5-3\n", "CUT 1:\n", "\uFEFFPUT 7:\n+x\n",
		"PUT 1..2:\n+a\n+b\r\n", "PUT <1:\n+\n", "PUT > 0009:\n+ y \n", "PUT >$:\n+z\n", "PUT 4:\n", "+row\n", "\n", " \t\r\n", "-row\n", "row\n", "```\n", "~~~~\n",
		"*** Begin Patch\n", "*** End Patch\n", "12:row\n", "PUT 0:\n+x\n", "REM\n", "\uFEFF",
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 5_000 {
		var b strings.Builder
		valid := rnd.IntN(2) == 0 // only pieces that are valid anywhere in a section
		if b.WriteString(pieces[0]); rnd.IntN(4) == 0 {
			b.Reset()
		}
		for range rnd.IntN(12) {
			i := rnd.IntN(len(pieces))
			if valid {
				i = 4 + rnd.IntN(13)%11
			}
			if valid && (i == 6 || i == 7 || i == 13 || i == 14) {
				continue
			}
			b.WriteString(pieces[i])
		}
		text := b.String()
		if rnd.IntN(8) == 0 {
			text = text[:rnd.IntN(len(text)+1)]
		}
		checkParse(t, text)
		if _, err := grammar.Parse(text); err == nil {
			accepted++
		}
	}
	if accepted < 1_000 {
		t.Errorf("only %d documents were valid: the pieces test too little", accepted)
	}
}

// TestLongSections tries the property of FuzzParse where the parser goes from one
// part of a long section to the next.
func TestLongSections(t *testing.T) {
	tails := []string{
		"", "CUT 2\n", "PUT 3:\n", "PUT 3:\n+x\n", "PUT 3:\nCUT 1\n+x\n", "PUT 3:\n\n+x\n", "PUT 3:\nx\nCUT 1\n", "CUT 0\nCUT 1\n", "+x\nCUT 1\n", "[b#0000]\n",
		"[b#0000]\nCUT 1\n", "[b#0000]\nPUT 1:\n[c#0000]\nCUT 1\n", "[b]\nCUT 1\n", "x\nCUT 1\n",
	}
	for _, n := range []int{255, 256, 257, 513} {
		for _, tail := range tails {
			checkParse(t, "[a#0000]\n"+strings.Repeat("CUT 1\n", n)+tail)
			checkParse(t, "[a#0000]\n"+strings.Repeat("PUT 1:\n+x\n\n", n)+tail)
			checkParse(t, strings.Repeat("[a#0000]\nCUT 1\n", n)+tail)
		}
	}
}

// checkParse fails unless the property of FuzzParse holds for a text.
func checkParse(t *testing.T, text string) {
	t.Helper()
	doc, err := grammar.Parse(text)
	want, ok := naiveParse(text)
	if ok != (err == nil) {
		t.Fatalf("%q: the naive parser accepts: %v, the parser: %v", text, ok, err)
	}
	for _, s := range doc.Sections {
		checkPlace(t, text, s.Pos, "[")
		for _, o := range s.Ops {
			checkPlace(t, text, o.Pos, o.String()[:3])
		}
	}
	if err != nil {
		checkFaults(t, text, err)
		return
	}
	if diff := cmp.Diff(want, hashlinetest.Sections(doc), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%q: sections (-naive +parser):\n%s", text, diff)
	}
	again, err := grammar.Parse(doc.String())
	if err != nil {
		t.Fatalf("%q: its canonical form %q is refused: %v", text, doc.String(), err)
	}
	ignore := cmpopts.IgnoreTypes(hashline.Position{})
	if diff := cmp.Diff(doc, again, ignore); diff != "" {
		t.Fatalf("%q: printed and read again (-want +got):\n%s", text, diff)
	}
	if again.String() != doc.String() {
		t.Fatalf("%q: the canonical form of the canonical form differs: %q", text, again.String())
	}
}

// checkPlace fails unless the position's parts agree and a word stands there.
func checkPlace(t *testing.T, text string, p hashline.Position, word string) {
	t.Helper()
	if p.Offset < 0 || p.Offset > len(text) {
		t.Fatalf("%q: %s: offset %d is outside", text, p, p.Offset)
	}
	before := text[:p.Offset]
	line, column := 1+strings.Count(before, "\n"), p.Offset-strings.LastIndex(before, "\n")
	if p.Line != line || p.Column != column {
		t.Fatalf("%q: offset %d is line %d, column %d, not %s", text, p.Offset, line, column, p)
	}
	if end := min(p.Offset+len(word), len(text)); !strings.EqualFold(text[p.Offset:end], word) {
		t.Fatalf("%q: %q does not stand at %s", text, word, p)
	}
}

func checkFaults(t *testing.T, text string, err error) {
	t.Helper()
	var faults hashline.Diagnostics
	if !errors.As(err, &faults) || len(faults) == 0 || len(faults) > 10 {
		t.Fatalf("%q: not 1 to 10 diagnostics: %v", text, err)
	}
	offset := 0
	for _, d := range faults {
		if d.Code.Meaning() == "" || d.Msg == "" || d.Hint == "" {
			t.Fatalf("%q: a fault without code, message or hint: %#v", text, d)
		}
		if strings.ContainsAny(d.Msg+d.Hint, "\n\r\x00\x1b") {
			t.Fatalf("%q: a message of several lines: %q, %q", text, d.Msg, d.Hint)
		}
		checkPlace(t, text, d.Pos, "")
		if d.Pos.Offset < offset {
			t.Fatalf("%q: faults out of order:\n%v", text, err)
		}
		offset = d.Pos.Offset
	}
}

// seedDocuments seeds a target with the documents of the recorded cases and with
// some that are easily misread.
func seedDocuments(f *testing.F) {
	eachDocument(f, func(text string) { f.Add(text) })
}

func eachDocument(f *testing.F, add func(string)) {
	for _, v := range hashlinetest.Vectors(f, "parse", "apply", "multi") {
		add(hashlinetest.FillTags(string(v.Doc), 0xA1B2))
	}
	for _, s := range []string{
		"```hashline\n[a#0000]\nCUT 1\n```\n", "~~~~\n*** Begin Patch\n[a#0000]\nPUT >$:\n+```\n*** End Patch\n~~~~~ \n\n",
		"*** Begin Patch\n```\n[a#0000]\nCUT 1\n```\n*** End Patch", "```\n[a#0000]\nCUT 1\n```\ntext\n```\n", "```\n[a#0000]\nCUT 1\n~~~\n",
		"\uFEFF```\n\uFEFF\uFEFF[ a ] b#c # a1b2 ]\t\r\n \uFEFF pUt<\t001 : \r\n+\r\r\n+\r", "[a#0000]\nCUT 00000000001.=9999999999\n \r \n",
		"[a#0000]\nCUT 3.=2\nCUT 0\nPUT 1*:\n-x\n+y\n\n+z\n12:q\nREM\nCUT 1:\nPUT 2\nINS 1:\n", "[a.txt]\nCUT 1\n[b#12]\nCUT x\n[c#1111]\n[d#1111]\n",
	} {
		add(s)
	}
}
