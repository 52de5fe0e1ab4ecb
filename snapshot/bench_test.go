package snapshot_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// goText gives Go source, file after file, of some size.
func goText(b *testing.B, size int) []byte {
	b.Helper()
	text := make([]byte, 0, size+(1<<20))
	for _, name := range goSource(b) {
		if strings.HasSuffix(name, ".go") && len(text) < size {
			data, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			text = append(text, data...)
		}
	}
	return text[:size]
}

var sink uint64

// BenchmarkTag compares the tags with a plain FNV-1a of 32 bits, a byte at a
// time, and with a copy of the same text.
func BenchmarkTag(b *testing.B) {
	source := goText(b, 8<<20)
	texts := []struct {
		name string
		data []byte
	}{
		{"go", source},
		{"go-20KB", source[:20<<10]},
		{"go-crlf", bytes.ReplaceAll(source, []byte("\n"), []byte("\r\n"))},
		{"one-line-of-blanks", bytes.Repeat([]byte(" "), 8<<20)},
		{"blank-newline", bytes.Repeat([]byte(" \n"), 4<<20)},
	}
	for _, text := range texts {
		dst := make([]byte, len(text.data))
		for _, f := range []struct {
			name string
			hash func(data []byte) uint64
		}{
			{"xxh64", func(data []byte) uint64 { return uint64(snapshot.XXH64.Tag(data)) }},
			{"rho", func(data []byte) uint64 { return uint64(snapshot.Rho.Tag(data)) }},
			{"plain-fnv", plainFNV},
			{"copy", func(data []byte) uint64 { return uint64(copy(dst, data)) }},
		} {
			b.Run(fmt.Sprintf("text=%s/hash=%s", text.name, f.name), func(b *testing.B) {
				b.SetBytes(int64(len(text.data)))
				b.ReportAllocs()
				for b.Loop() {
					sink += f.hash(text.data)
				}
			})
		}
	}
}

func plainFNV(data []byte) uint64 {
	h := uint32(2166136261)
	for _, c := range data {
		h = (h ^ uint32(c)) * 16777619
	}
	return uint64(h)
}

// BenchmarkText compares decoding and indexing with a copy of the same text. That
// of UTF-16 is told by the length of the text as UTF-8.
func BenchmarkText(b *testing.B) {
	source := goText(b, 8<<20)
	wide := fileOf(binary.LittleEndian, utf16.Encode([]rune(string(source))))
	text, err := snapshot.Decode(wide)
	if err != nil {
		b.Fatal(err)
	}
	dst := make([]byte, len(source))
	for _, f := range []struct {
		name string
		do   func()
	}{
		{"Decode", func() { _, _ = snapshot.Decode(source) }},
		{"Decode16", func() { _, _ = snapshot.Decode(wide) }},
		{"Raw16", func() { text.Raw() }},
		{"New", func() { snapshot.New(source) }},
		{"copy", func() { copy(dst, source) }},
	} {
		b.Run("do="+f.name, func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			b.ReportAllocs()
			for b.Loop() {
				f.do()
			}
		})
	}
}

func BenchmarkLine(b *testing.B) {
	for name, data := range map[string][]byte{"go": goText(b, 8<<20), "newlines": bytes.Repeat([]byte("\n"), 8<<20)} {
		text := snapshot.New(data)
		b.Run("text="+name, func(b *testing.B) {
			n := 1
			for b.Loop() {
				sink += uint64(text.Start(n))
				n = (n+7919)%text.Lines() + 1
			}
		})
	}
}

func BenchmarkView(b *testing.B) {
	s := take(string(goText(b, 8<<20)))
	focus := []hashline.Span{{First: 5000, Last: 5020}}
	for _, f := range []struct {
		name string
		do   func() snapshot.View
	}{
		{"Read/rows=all", func() snapshot.View { v, _ := s.Read(1, math.MaxInt, 0); return v }},
		{"Read/rows=2000", func() snapshot.View { v, _ := s.Read(5000, 2000, 0); return v }},
		{"Read/budget=48KiB", func() snapshot.View { v, _ := s.Read(5000, math.MaxInt, 48<<10); return v }},
		{"Preview/rows=27", func() snapshot.View { return s.Preview(focus, 48<<10) }},
		{"Live/rows=10", func() snapshot.View { return s.Live([]int{5000, 9000}, 48<<10) }},
		{"Chain/rows=36", func() snapshot.View { return s.Chain(48 << 10) }},
	} {
		b.Run("view="+f.name, func(b *testing.B) {
			b.SetBytes(int64(len(f.do().Text)))
			b.ReportAllocs()
			for b.Loop() {
				f.do()
			}
		})
	}
}
