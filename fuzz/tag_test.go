package fuzz

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"testing"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/snapshot"
)

// FuzzTag: the tag of any bytes, text or not, equals a computation that strips
// line by line and hashes as the algorithms are published, under both schemes;
// blanks added at the ends of lines and of the text do not change it. The second
// argument says which blanks are added.
func FuzzTag(f *testing.F) {
	for _, v := range hashlinetest.Vectors(f, "tag", "view", "apply") {
		f.Add(v.Text, []byte("\x00\x01\x02\x03\x1b"))
	}
	f.Fuzz(func(t *testing.T, text, blanks []byte) {
		stripped := stripLines(string(text))
		sum := naiveXXH64([]byte(stripped))
		if got := snapshot.Sum64(text); got != sum {
			t.Fatalf("Sum64: got %016X, want %016X", got, sum)
		}
		want := map[snapshot.Scheme]hashline.Tag{
			snapshot.XXH64: hashline.Tag(sum),
			snapshot.Rho:   hashline.Tag(naiveFNV(stripped)),
		}
		drifted := addBlanks(string(text), blanks)
		for scheme, tag := range want {
			if got := scheme.Tag(text); got != tag {
				t.Errorf("%s: got %s, want %s", scheme, got, tag)
			}
			if got := scheme.Tag([]byte(drifted)); got != tag {
				t.Errorf("%s: %s became %s when blanks were added: %q", scheme, tag, got, drifted)
			}
		}
	})
}

func stripLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	return strings.Join(lines, "\n")
}

// addBlanks puts blanks at the ends of lines, two bits of each byte a blank.
func addBlanks(text string, blanks []byte) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		if len(blanks) == 0 {
			break
		}
		for b := blanks[i%len(blanks)]; b != 0; b >>= 2 {
			lines[i] += []string{"", " ", "\t", "\r"}[b&3]
		}
	}
	return strings.Join(lines, "\n")
}

func naiveFNV(s string) uint32 {
	h := uint64(0x811C9DC5)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x01000193 % (1 << 32)
	}
	return uint32(h)
}

// naiveXXH64 is XXH64 with seed 0, step by step as its specification has it.
func naiveXXH64(data []byte) uint64 {
	const (
		p1 uint64 = 0x9E3779B185EBCA87
		p2 uint64 = 0xC2B2AE3D27D4EB4F
		p3 uint64 = 0x165667B19E3779F9
		p4 uint64 = 0x85EBCA77C2B2AE63
		p5 uint64 = 0x27D4EB2F165667C5
	)
	round := func(acc, lane uint64) uint64 { return bits.RotateLeft64(acc+lane*p2, 31) * p1 }
	rest := data
	acc := p5
	if len(data) >= 32 {
		a := [4]uint64{0, p2, 0, 0}
		a[0] = p1
		a[0] += p2
		a[3] -= p1
		for ; len(rest) >= 32; rest = rest[32:] {
			for i := range a {
				a[i] = round(a[i], binary.LittleEndian.Uint64(rest[8*i:]))
			}
		}
		acc = bits.RotateLeft64(a[0], 1) + bits.RotateLeft64(a[1], 7) + bits.RotateLeft64(a[2], 12) + bits.RotateLeft64(a[3], 18)
		for _, lane := range a {
			acc = (acc^round(0, lane))*p1 + p4
		}
	}
	acc += uint64(len(data))
	for ; len(rest) >= 8; rest = rest[8:] {
		acc = bits.RotateLeft64(acc^round(0, binary.LittleEndian.Uint64(rest)), 27)*p1 + p4
	}
	if len(rest) >= 4 {
		acc = bits.RotateLeft64(acc^uint64(binary.LittleEndian.Uint32(rest))*p1, 23)*p2 + p3
		rest = rest[4:]
	}
	for _, b := range rest {
		acc = bits.RotateLeft64(acc^uint64(b)*p5, 11) * p1
	}
	acc = (acc ^ acc>>33) * p2
	acc = (acc ^ acc>>29) * p3
	return acc ^ acc>>32
}
