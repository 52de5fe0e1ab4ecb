package snapshot_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/snapshot"
)

// textFacts is all that a Text says of its lines.
type textFacts struct {
	Lines      []modelLine
	Starts     []int
	Ends       []int
	Mark       int
	Terminated bool
	Common     string
}

func factsOf(t *snapshot.Text) textFacts {
	f := textFacts{Mark: t.Mark(), Terminated: t.Terminated(), Common: t.CommonTerminator()}
	for n := 1; n <= t.Lines(); n++ {
		f.Lines = append(f.Lines, modelLine{string(t.Line(n)), t.Terminator(n)})
		f.Starts = append(f.Starts, t.Start(n))
		f.Ends = append(f.Ends, t.End(n))
	}
	f.Starts = append(f.Starts, t.Start(t.Lines()+1))
	return f
}

func modelFacts(text string) textFacts {
	f := textFacts{Lines: modelLines(text), Common: "\n"}
	if strings.HasPrefix(text, "\uFEFF") {
		f.Mark = 3
	}
	at, crlf, lf := f.Mark, 0, 0
	for _, l := range f.Lines {
		f.Starts = append(f.Starts, at)
		at += len(l.text) + len(l.end)
		f.Ends = append(f.Ends, at)
		switch l.end {
		case "\n":
			lf++
		case "\r\n":
			crlf++
		}
		f.Terminated = l.end != ""
	}
	f.Starts = append(f.Starts, len(text))
	if crlf > lf {
		f.Common = "\r\n"
	}
	return f
}

var equateLines = cmp.AllowUnexported(modelLine{})

func checkText(t *testing.T, text string) {
	t.Helper()
	got := snapshot.New([]byte(text))
	if diff := cmp.Diff(modelFacts(text), factsOf(got), equateLines); diff != "" {
		t.Fatalf("text of %d bytes, model against New:\n%s", len(text), diff)
	}
	lines := modelLines(text)
	for _, w := range [][2]int{{1, len(lines)}, {-5, len(lines) + 5}, {2, 3}, {len(lines), len(lines)}, {3, 2}, {len(lines) + 1, len(lines) + 2}} {
		var want, rows []string
		for n := max(1, w[0]); n <= min(w[1], len(lines)); n++ {
			want = append(want, fmt.Sprint(n, ":", lines[n-1].text))
		}
		for n, line := range got.Rows(w[0], w[1]) {
			rows = append(rows, fmt.Sprint(n, ":", string(line)))
		}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Fatalf("rows %v, model against Rows:\n%s", w, diff)
		}
	}
}

func TestText(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		lines []modelLine
	}{
		"empty":             {"", nil},
		"mark only":         {"\uFEFF", nil},
		"mark, line":        {"\uFEFFa\n", []modelLine{{"a", "\n"}}},
		"mark, empty line":  {"\uFEFF\n", []modelLine{{"", "\n"}}},
		"two marks":         {"\uFEFF\uFEFFa", []modelLine{{"\uFEFFa", ""}}},
		"newline":           {"\n", []modelLine{{"", "\n"}}},
		"two newlines":      {"\n\n", []modelLine{{"", "\n"}, {"", "\n"}}},
		"no final newline":  {"a\nb", []modelLine{{"a", "\n"}, {"b", ""}}},
		"crlf":              {"a\r\nb\r\n", []modelLine{{"a", "\r\n"}, {"b", "\r\n"}}},
		"lone crlf":         {"\r\n", []modelLine{{"", "\r\n"}}},
		"mixed":             {"a\r\nb\nc\r\nd", []modelLine{{"a", "\r\n"}, {"b", "\n"}, {"c", "\r\n"}, {"d", ""}}},
		"cr":                {"\r", []modelLine{{"\r", ""}}},
		"lone cr":           {"a\rb\rc\r", []modelLine{{"a\rb\rc\r", ""}}},
		"cr cr lf":          {"a\r\r\nb", []modelLine{{"a\r", "\r\n"}, {"b", ""}}},
		"lf cr":             {"a\n\rb", []modelLine{{"a", "\n"}, {"\rb", ""}}},
		"other line breaks": {"a\fb\vc\u0085d\u2028e\u2029f\n", []modelLine{{"a\fb\vc\u0085d\u2028e\u2029f", "\n"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.lines, factsOf(snapshot.New([]byte(c.text))).Lines, equateLines); diff != "" {
				t.Fatal(diff)
			}
			checkText(t, c.text)
		})
	}
}

func TestCommonTerminator(t *testing.T) {
	for text, want := range map[string]string{
		"": "\n", "a": "\n", "a\r\n": "\r\n", "a\r\nb\n": "\n", "a\r\nb\nc\r\n": "\r\n",
		"a\r\nb": "\r\n", "a\r\nb\nc": "\n", "\r": "\n",
	} {
		if got := snapshot.New([]byte(text)).CommonTerminator(); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestTextBlocks puts line ends at and around the borders of the index's blocks.
func TestTextBlocks(t *testing.T) {
	for _, at := range []int{4094, 4095, 4096, 4097, 8190, 8191, 8192} {
		for _, end := range []string{"\n", "\r\n", "\n\n", "\r\n\r\n", "\r", "\uFEFF\n"} {
			for _, tail := range []string{"", "b", "b\n", strings.Repeat("c", 5000), strings.Repeat("\n", 100)} {
				checkText(t, strings.Repeat("a", at)+end+tail)
			}
		}
	}
}

func TestTextOfNewlines(t *testing.T) {
	for _, n := range []int{4095, 4096, 4097, 10000} {
		checkText(t, strings.Repeat("\n", n)+"a")
	}
}

func TestTextRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		checkText(t, randomText(r, 1+r.IntN(300), 1+r.IntN(400)))
	}
}

// randomText makes lines of up to so many bytes with line ends of every kind.
func randomText(r *rand.Rand, lines, width int) string {
	ends := []string{"\n", "\r\n", " \n", "\t\r\n", "\r\r\n", "\n\n"}
	words := []string{"a", " ", "\t", "\r", "row", "é", "😀", "中", "\uFEFF", "\u2028", "#", ":"}
	var b strings.Builder
	if r.IntN(4) == 0 {
		b.WriteString("\uFEFF")
	}
	crlf := r.IntN(len(ends)) + 1
	for range lines {
		for n := r.IntN(width); n > 0; n -= 2 {
			b.WriteString(words[r.IntN(len(words))])
		}
		b.WriteString(ends[r.IntN(crlf)])
	}
	if r.IntN(2) == 0 {
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}

func TestStartPanicsOutOfRange(t *testing.T) {
	text := snapshot.New([]byte("a\nb\n"))
	for _, n := range []int{-1, 0, 4} {
		require.Panics(t, func() { text.Start(n) }, "line %d", n)
	}
}
