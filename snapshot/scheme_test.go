package snapshot_test

import (
	"bytes"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

func TestParseScheme(t *testing.T) {
	for _, s := range []snapshot.Scheme{snapshot.XXH64, snapshot.Rho} {
		got, err := snapshot.ParseScheme(string(s))
		require.NoError(t, err)
		require.Equal(t, s, got)
	}
	for _, s := range []string{"", "XXH64", "rho ", "md5", strings.Repeat("x", 1000)} {
		_, err := snapshot.ParseScheme(s)
		require.ErrorIs(t, err, hashline.BadArgument, s)
		require.Less(t, len(err.Error()), 200)
	}
}

// checkTag compares the tags of a text with those of what is left of it when it
// is stripped line by line.
func checkTag(t *testing.T, text []byte) {
	t.Helper()
	stripped := modelStrip(string(text))
	sum := xxhash.Sum64String(stripped)
	h := fnv.New32a()
	h.Write([]byte(stripped))
	if got := snapshot.Sum64(text); got != sum {
		t.Fatalf("Sum64 of %.200q: got %016X, want %016X", text, got, sum)
	}
	if got := snapshot.XXH64.Tag(text); got != hashline.Tag(sum) {
		t.Fatalf("xxh64 of %.200q: got %s, want %s", text, got, hashline.Tag(sum))
	}
	if got := snapshot.Rho.Tag(text); got != hashline.Tag(h.Sum32()) {
		t.Fatalf("rho of %.200q: got %s, want %s", text, got, hashline.Tag(h.Sum32()))
	}
}

// TestTagShort goes through every text of up to 5 of these characters. They
// include those that differ in one bit from a blank or a newline.
func TestTagShort(t *testing.T) {
	alphabet := []byte(" \t\r\n\v\fa)")
	var grow func(text []byte)
	grow = func(text []byte) {
		checkTag(t, text)
		if len(text) < 5 {
			for _, c := range alphabet {
				grow(append(text, c))
			}
		}
	}
	grow(nil)
}

// TestTagPairs puts every pair of bytes at every place of the words that are
// compared at once, and at the end.
func TestTagPairs(t *testing.T) {
	fill := []byte(strings.Repeat("x) ,\n\n", 8))
	for first := range 256 {
		for _, second := range []byte("\n \t\r\v\x8aj") {
			for at := range 40 {
				text := bytes.Clone(fill)
				text[at], text[at+1] = byte(first), second
				checkTag(t, text)
				checkTag(t, text[:at+2])
			}
		}
	}
}

func TestTagRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		checkTag(t, []byte(randomText(r, 1+r.IntN(200), 1+r.IntN(100))))
	}
	for range 300 {
		text := make([]byte, r.IntN(300))
		for i := range text {
			text[i] = byte(r.Uint32())
		}
		checkTag(t, text)
	}
}

// TestTagHostile gives texts on which a careless strip takes time that grows
// with the square of the length: minutes where this takes a fraction of a second.
func TestTagHostile(t *testing.T) {
	const size = 1 << 20
	start := time.Now()
	for _, unit := range []string{" ", "\n", " \n", "\n ", " a", "  \n", "\r\n", "\t\r ", ")\n", strings.Repeat(" ", 4095) + "a", strings.Repeat(" ", 4095) + "\n"} {
		text := bytes.Repeat([]byte(unit), size/len(unit))
		checkTag(t, text)
	}
	require.Less(t, time.Since(start), time.Minute)
}

func TestTagAllocatesNothing(t *testing.T) {
	for _, text := range [][]byte{nil, []byte("a\nb\n"), bytes.Repeat([]byte("a line \r\n"), 1000), bytes.Repeat([]byte("a line\n"), 1000)} {
		for _, s := range []snapshot.Scheme{snapshot.XXH64, snapshot.Rho} {
			if n := testing.AllocsPerRun(20, func() { s.Tag(text) }); n != 0 {
				t.Errorf("%s of %d bytes: %v allocations", s, len(text), n)
			}
		}
		if n := testing.AllocsPerRun(20, func() { snapshot.Sum64(text) }); n != 0 {
			t.Errorf("Sum64 of %d bytes: %v allocations", len(text), n)
		}
	}
}
