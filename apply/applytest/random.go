package applytest

import (
	"math/rand/v2"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

var words = []string{
	"", "", "a", "b", "a b", " ", "\t x ", "}", "é", "\u2028", "a\rb", "\rz", "\uFEFF", "\uFEFFq", "1:a", "2:", "x\x0b",
}

// Text makes a short text of lines that often repeat, with all sorts of line
// ends.
func Text(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(4) == 0 {
		b.WriteString("\uFEFF")
	}
	ends := [][]string{{"\n"}, {"\r\n"}, {"\n", "\r\n"}, {"\n", "\n", "\r\n", "\r\r\n"}}[r.IntN(4)]
	size := r.IntN(12)
	if r.IntN(10) == 0 {
		size = 30 + r.IntN(60)
	}
	for i := range size {
		b.WriteString(words[r.IntN(len(words))])
		if i < size-1 || r.IntN(2) == 0 {
			b.WriteString(ends[r.IntN(len(ends))])
		}
	}
	return b.String()
}

func body(r *rand.Rand) []string {
	rows := make([]string, 1+r.IntN(4))
	for i := range rows {
		rows[i] = words[r.IntN(len(words))]
	}
	return rows
}

// Valid makes operations that do not overlap, in any order; their bodies may
// be faulty. Each has a position of its own.
func Valid(r *rand.Rand, text string) []hashline.Op {
	_, lines := Lines(text)
	var ops []hashline.Op
	add := func(k hashline.Kind, first, last int) {
		o := hashline.Op{Kind: k, Span: hashline.Span{First: first, Last: last}}
		switch {
		case k == hashline.Replace && r.IntN(4) == 0:
			for _, l := range lines[first-1 : last] {
				o.Body = append(o.Body, l.Text)
			}
		case k != hashline.Delete:
			o.Body = body(r)
		}
		ops = append(ops, o)
	}
	often := 2 + r.IntN(8)
	chance := func() bool { return r.IntN(often) == 0 }
	for n := 1; n <= len(lines); {
		m := n
		if r.IntN(3) == 0 {
			m = min(len(lines), n+r.IntN(50))
		}
		for chance() {
			add(hashline.InsertBefore, n, n)
		}
		switch {
		case chance():
			add(hashline.Replace, n, m)
		case chance():
			add(hashline.Delete, n, m)
		default:
			m = n
		}
		for m == n && chance() {
			add(hashline.InsertAfter, n, n)
		}
		n = m + 1
	}
	for len(lines) == 0 && r.IntN(2) == 0 {
		add(hashline.InsertBefore, 1, 1)
	}
	for r.IntN(3) == 0 || len(ops) == 0 {
		add(hashline.Append, 0, 0)
	}
	r.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
	Place(ops)
	return ops
}

// Any makes operations that are often invalid.
func Any(r *rand.Rand, text string) []hashline.Op {
	_, lines := Lines(text)
	ops := Valid(r, text)
	for range 1 + r.IntN(2) {
		o := hashline.Op{Kind: hashline.Kind(1 + r.IntN(5)), Body: body(r)}
		if o.Kind != hashline.Append {
			n := 1 + r.IntN(len(lines)+1)
			o.Span = hashline.Span{First: n, Last: n}
		}
		if spans(o) {
			o.Span.Last += r.IntN(3)
		}
		if o.Kind == hashline.Delete {
			o.Body = nil
		}
		if o.Kind == hashline.Replace && o.Span.Last <= len(lines) && r.IntN(3) == 0 {
			o.Body = []string{spanText(o.Span.Last, o.Span.Last) + ":" + lines[o.Span.Last-1].Text}
		}
		ops = append(ops, o)
	}
	r.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
	Place(ops)
	return ops
}

// Place gives the operations the positions they have in a document of one
// section.
func Place(ops []hashline.Op) {
	line := 2
	for i := range ops {
		ops[i].Pos = hashline.Position{Line: line, Column: 1}
		line += 1 + len(ops[i].Body)
	}
}
