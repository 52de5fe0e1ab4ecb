package snapshot_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// scan scans data in pieces of random lengths.
func scan(r *rand.Rand, scheme snapshot.Scheme, data []byte) (*snapshot.Scan, *snapshot.Text, error) {
	s := snapshot.NewScan(scheme, 1<<r.IntN(9))
	for rest := data; len(rest) > 0; {
		n := 1 + r.IntN(len(rest))
		if _, err := s.Write(rest[:n]); err != nil {
			break
		}
		rest = rest[n:]
	}
	t, err := s.Text(bytes.NewReader(data))
	if err != nil {
		err = s.NotText(bytes.NewReader(data), len(data))
	}
	return s, t, err
}

// hardText is short on text and long on what ends lines and characters.
func hardText(r *rand.Rand) []byte {
	pieces := []string{"\n", "\r\n", "\r", " ", "\t", "a", "bc", "ä", "…", "\U0001F600", "\uFEFF", strings.Repeat(" ", 300), strings.Repeat("xy…", 1500), "line\n", "  \n"}
	bad := []string{"\x00", "\xFF", "\xE2\x82", "\xF0\x9F", "\xC0\x80", "\xED\xA0\x80"}
	var b []byte
	for range r.IntN(40) {
		b = append(b, pieces[r.IntN(len(pieces))]...)
	}
	if r.IntN(4) == 0 {
		i := r.IntN(len(b) + 1)
		b = bytes.Join([][]byte{b[:i], b[i:]}, []byte(bad[r.IntN(len(bad))]))
	}
	if r.IntN(4) == 0 {
		b = append([]byte("\uFEFF"), b...)
	}
	return b
}

// A text that is scanned is what one in memory is, in every respect.
func TestScanAgreesWithDecode(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	refused := 0
	for range 600 {
		data := hardText(r)
		scheme := [...]snapshot.Scheme{snapshot.XXH64, snapshot.Rho}[r.IntN(2)]
		near, err := snapshot.Decode(data)
		s, far, farErr := scan(r, scheme, data)
		require.Equal(t, err, farErr, "%q", data)
		if err != nil {
			refused++
			continue
		}
		compareTexts(t, r, near, far)
		all := s.Tagger()
		require.Equal(t, scheme.Tag(data), all.Tag(), "%q", data)
		require.Equal(t, snapshot.Sum64(data), all.Sum64(), "%q", data)
		for range 3 {
			at := r.IntN(len(data) + 1)
			tag, from := s.TagUpTo(at)
			require.LessOrEqual(t, from, at)
			_, _ = tag.Write(data[from:])
			require.Equal(t, all.Tag(), tag.Tag())
			require.Equal(t, all.Sum64(), tag.Sum64())
		}
	}
	require.Greater(t, refused, 150)
}

func compareTexts(t *testing.T, r *rand.Rand, near, far *snapshot.Text) {
	t.Helper()
	data := near.Bytes()
	require.Equal(t, near.Lines(), far.Lines(), "%q", data)
	require.Equal(t, near.Mark(), far.Mark(), "%q", data)
	require.Equal(t, near.Terminated(), far.Terminated())
	require.Equal(t, near.CommonTerminator(), far.CommonTerminator(), "%q", data)
	require.Equal(t, near.RawSize(), far.RawSize())
	for n := 1; n <= near.Lines(); n++ {
		require.Equal(t, near.Start(n), far.Start(n), "%d %q", n, data)
		require.Equal(t, near.End(n), far.End(n))
		require.Equal(t, string(near.Line(n)), string(far.Line(n)))
		require.Equal(t, near.Terminator(n), far.Terminator(n))
	}
	a := snapshot.Take("f", snapshot.XXH64, near)
	b := snapshot.Snapshot{Path: "f", Tag: a.Tag, Text: far}
	n := near.Lines() + 2
	offset, limit, budget := r.IntN(n), 1+r.IntN(n), r.IntN(500)
	v, err := a.Read(offset, limit, budget)
	w, werr := b.Read(offset, limit, budget)
	require.Equal(t, err, werr)
	require.Empty(t, cmp.Diff(v, w))
	v, _ = a.Read(1, math.MaxInt, 0)
	w, _ = b.Read(1, math.MaxInt, 0)
	require.Empty(t, cmp.Diff(v, w))
	spans := []hashline.Span{{First: r.IntN(n), Last: r.IntN(n)}, {First: r.IntN(n), Last: r.IntN(n)}}
	require.Empty(t, cmp.Diff(a.Preview(spans, budget), b.Preview(spans, budget)))
	require.Empty(t, cmp.Diff(a.Live([]int{offset, limit}, budget), b.Live([]int{offset, limit}, budget)))
	require.Empty(t, cmp.Diff(a.Chain(budget), b.Chain(budget)))
	require.NoError(t, far.Err())
}

// A file that changes under a text is found out, and nothing of the new bytes is
// believed.
func TestScannedFileChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	found := 0
	for range 2000 {
		data := bytes.Repeat([]byte("a line of text\n"), 1+r.IntN(50))
		_, text, err := scan(r, snapshot.XXH64, data)
		require.NoError(t, err)
		data[r.IntN(len(data))] = 'X'
		n := 1 + r.IntN(text.Lines())
		if line := text.Line(n); bytes.Contains(line, []byte("X")) {
			t.Fatalf("%q", line)
		}
		if text.Err() != nil {
			require.ErrorIs(t, text.Err(), snapshot.ErrChanged)
			found++
		}
		// Whatever is asked, nothing panics or runs for ever.
		_, _ = (snapshot.Snapshot{Text: text}).Read(1, math.MaxInt, 0)
		require.ErrorIs(t, text.Err(), snapshot.ErrChanged)
	}
	require.Greater(t, found, 200)
}
