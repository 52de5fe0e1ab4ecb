package grammar_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashline-go/hashline/grammar"
)

// bodies makes a document of n bodies with rows rows of size bytes each.
func bodies(n, rows, size int) string {
	var b strings.Builder
	b.WriteString("[src/main.go#A1B2]\n")
	for i := range n {
		fmt.Fprintf(&b, "PUT %d.=%d:\n", i*10+1, i*10+5)
		for range rows {
			b.WriteString("+" + strings.Repeat("x", size) + "\n")
		}
	}
	return b.String()
}

// cuts makes a document of n operations without a body.
func cuts(n int) string {
	var b strings.Builder
	b.WriteString("[src/main.go#A1B2]\n")
	for i := range n {
		fmt.Fprintf(&b, "CUT %d.=%d\n", i*3+1, i*3+2)
	}
	return b.String()
}

// BenchmarkParse measures documents beside a plain copy of the same bytes.
func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, doc string }{
		{"doc=typical/ops=5/rows=20", bodies(5, 4, 40)},
		{"doc=bodies/ops=10/rows=10000", bodies(10, 1000, 100)},
		{"doc=short/ops=1000/rows=1000", bodies(1000, 1, 40)},
		{"doc=cuts/ops=1000", cuts(1000)},
		{"doc=cuts/ops=10000", cuts(10_000)},
		{"doc=cuts/ops=100000", cuts(100_000)},
	} {
		b.Run(c.name+"/do=copy", func(b *testing.B) {
			b.SetBytes(int64(len(c.doc)))
			buf := make([]byte, len(c.doc))
			for b.Loop() {
				copy(buf, c.doc)
			}
		})
		b.Run(c.name+"/do=parse", func(b *testing.B) {
			b.SetBytes(int64(len(c.doc)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := grammar.Parse(c.doc); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRefuse measures documents with faults.
func BenchmarkRefuse(b *testing.B) {
	for _, c := range []struct{ name, doc string }{
		{"doc=typical/faults=1", bodies(5, 4, 40) + "CUT 3:\n"},
		{"doc=typical/faults=10", bodies(5, 4, 40) + strings.Repeat("CUT 0\nCUT 1\n", 10)},
		{"doc=bodies/faults=1", bodies(10, 1000, 100) + "CUT 3:\n"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.doc)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := grammar.Parse(c.doc); err == nil {
					b.Fatal("no error")
				}
			}
		})
	}
}

// BenchmarkPrefix measures the lenient reading of a document that is still on
// its way.
func BenchmarkPrefix(b *testing.B) {
	doc := "```\n" + bodies(5, 4, 40)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if got, _ := grammar.ParsePrefix(doc); len(got.Sections) != 1 {
			b.Fatal("no section")
		}
	}
}

// BenchmarkStream measures documents that arrive in pieces of 4 KiB beside their
// reading as a whole, and beside the reading of each beginning anew.
func BenchmarkStream(b *testing.B) {
	const piece = 4 << 10
	for _, c := range []struct{ name, doc string }{
		{"doc=typical/bytes=100k", bodies(500, 4, 40)},
		{"doc=one-body/bytes=10M", bodies(1, 100_000, 100)},
		{"doc=bodies/bytes=10M", bodies(20_000, 10, 50)},
		{"doc=cuts/ops=100000", cuts(100_000)},
	} {
		b.Run(c.name+"/do=whole", func(b *testing.B) {
			b.SetBytes(int64(len(c.doc)))
			for b.Loop() {
				grammar.ParsePrefix(c.doc)
			}
		})
		b.Run(c.name+"/do=stream", func(b *testing.B) {
			b.SetBytes(int64(len(c.doc)))
			b.ReportAllocs()
			for b.Loop() {
				var s grammar.Stream
				for at := 0; at < len(c.doc); at += piece {
					_, _ = s.Write([]byte(c.doc[at:min(at+piece, len(c.doc))]))
				}
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
		if len(c.doc) < 1<<20 {
			b.Run(c.name+"/do=again", func(b *testing.B) {
				b.SetBytes(int64(len(c.doc)))
				for b.Loop() {
					for at := 0; at < len(c.doc); at += piece {
						grammar.ParsePrefix(c.doc[:min(at+piece, len(c.doc))])
					}
				}
			})
		}
	}
}
