package fuzz

import (
	"errors"
	"fmt"
	"regexp"
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
	})
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
	for _, v := range hashlinetest.Vectors(f, "parse", "apply", "multi") {
		f.Add(hashlinetest.FillTags(string(v.Doc), 0xA1B2))
	}
	for _, s := range []string{
		"```hashline\n[a#0000]\nCUT 1\n```\n", "~~~~\n*** Begin Patch\n[a#0000]\nPUT >$:\n+```\n*** End Patch\n~~~~~ \n\n",
		"*** Begin Patch\n```\n[a#0000]\nCUT 1\n```\n*** End Patch", "```\n[a#0000]\nCUT 1\n```\ntext\n```\n", "```\n[a#0000]\nCUT 1\n~~~\n",
		"\uFEFF```\n\uFEFF\uFEFF[ a ] b#c # a1b2 ]\t\r\n \uFEFF pUt<\t001 : \r\n+\r\r\n+\r", "[a#0000]\nCUT 00000000001.=9999999999\n \r \n",
		"[a#0000]\nCUT 3.=2\nCUT 0\nPUT 1*:\n-x\n+y\n\n+z\n12:q\nREM\nCUT 1:\nPUT 2\nINS 1:\n", "[a.txt]\nCUT 1\n[b#12]\nCUT x\n[c#1111]\n[d#1111]\n",
	} {
		f.Add(s)
	}
}

var (
	naiveBlank  = regexp.MustCompile(`^[ \t\r]*$`)
	naiveHeader = regexp.MustCompile(`(?s)^[ \t\x{FEFF}]*\[(.*)#[ \t]*([0-9A-Fa-f]{4})[ \t]*\][ \t]*$`)
	naiveOp     = regexp.MustCompile(`^[ \t\x{FEFF}]*(?:` +
		`((?i:put))[ \t]*<[ \t]*([0-9]+)[ \t]*:` +
		`|((?i:put))[ \t]*>[ \t]*([0-9]+)[ \t]*:` +
		`|((?i:put))[ \t]*>[ \t]*\$[ \t]*:` +
		`|((?i:put))[ \t]+([0-9]+)[ \t]*(?:(?:\.=|\.\.|-)[ \t]*([0-9]+)[ \t]*)?:` +
		`|((?i:cut))[ \t]+([0-9]+)[ \t]*(?:(?:\.=|\.\.|-)[ \t]*([0-9]+))?` +
		`)[ \t]*$`)
	naiveFence = regexp.MustCompile("^[ \t]*(`{3,}|~{3,})(.*)$")
	naivePatch = regexp.MustCompile(`^[ \t]*\*\*\* (Begin|End) Patch[ \t]*$`)
)

// naiveParse reads the valid language line by line. It shares no code with the
// grammar, and takes no care of speed.
func naiveParse(text string) ([]hashlinetest.VectorSection, bool) {
	lines := strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	lines, ok := naiveUnwrap(lines)
	if !ok {
		return nil, false
	}
	var all []hashlinetest.VectorSection
	for i := 0; i < len(lines); i++ {
		s := lines[i]
		if naiveBlank.MatchString(s) {
			continue
		}
		if m := naiveHeader.FindStringSubmatch(s); m != nil {
			path := strings.Trim(m[1], " \t")
			if path == "" || len(all) > 0 && len(all[len(all)-1].Ops) == 0 {
				return nil, false
			}
			all = append(all, hashlinetest.VectorSection{Path: path, Tag: strings.ToUpper(m[2])})
			continue
		}
		m := naiveOp.FindStringSubmatch(s)
		if m == nil || len(all) == 0 {
			return nil, false
		}
		o, put := hashlinetest.VectorOp{}, true
		first := 0
		switch {
		case m[1] != "":
			o.Op, first = "insert_before", naiveNumber(m[2])
			o.Line = &first
		case m[3] != "":
			o.Op, first = "insert_after", naiveNumber(m[4])
			o.Line = &first
		case m[5] != "":
			o.Op, first = "insert_after", 1
		case m[6] != "":
			o.Op, first = "replace", naiveNumber(m[7])
		default:
			o.Op, put, first = "delete", false, naiveNumber(m[10])
		}
		last := first
		if m[8]+m[11] != "" {
			last = naiveNumber(m[8] + m[11])
		}
		if first == 0 || last < first {
			return nil, false
		}
		if o.Op == "replace" || o.Op == "delete" {
			o.Start, o.End = first, last
		}
		for put && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+") {
			i++
			o.Body = append(o.Body, lines[i][1:])
		}
		if put && len(o.Body) == 0 {
			return nil, false
		}
		all[len(all)-1].Ops = append(all[len(all)-1].Ops, o)
	}
	return all, len(all) > 0 && len(all[len(all)-1].Ops) > 0
}

// naiveUnwrap takes off at most one fence and one pair of patch lines.
func naiveUnwrap(lines []string) ([]string, bool) {
	fenced, patched := false, false
	for {
		for len(lines) > 0 && naiveBlank.MatchString(lines[0]) {
			lines = lines[1:]
		}
		for len(lines) > 0 && naiveBlank.MatchString(lines[len(lines)-1]) {
			lines = lines[:len(lines)-1]
		}
		if len(lines) == 0 {
			return lines, true
		}
		first, last := lines[0], lines[len(lines)-1]
		if m := naiveFence.FindStringSubmatch(first); m != nil && !fenced {
			fenced = true
			n := naiveFence.FindStringSubmatch(last)
			if len(lines) < 2 || n == nil || !strings.HasPrefix(n[1], m[1]) || strings.Trim(n[2], " \t") != "" {
				return nil, false
			}
		} else if m := naivePatch.FindStringSubmatch(first); m != nil && m[1] == "Begin" && !patched {
			patched = true
			n := naivePatch.FindStringSubmatch(last)
			if len(lines) < 2 || n == nil || n[1] != "End" {
				return nil, false
			}
		} else {
			return lines, true
		}
		lines = lines[1 : len(lines)-1]
	}
}

func naiveNumber(digits string) int {
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > 9 {
		return 999_999_999
	}
	n := 0
	if digits != "" {
		fmt.Sscan(digits, &n)
	}
	return n
}
