package commit

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// streamed is edit as a change that holds neither version.
func streamed(path, old, new string, page int) Change {
	head := 0
	for head < min(len(old), len(new)) && old[head] == new[head] {
		head++
	}
	tail := 0
	for tail < min(len(old), len(new))-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	base := &Base{Size: len(old), Page: page, Sum: &Sum{}, Holds: func(at int, data []byte) bool {
		return at%page == 0 && at+len(data) <= len(old) && (len(data)%page == 0 || at+len(data) == len(old)) && old[at:at+len(data)] == string(data)
	}}
	_, _ = base.Sum.Write([]byte(old))
	return Change{Path: path, Base: base, Parts: []Part{
		{To: head}, {Data: []byte(new[head : len(new)-tail])}, {From: len(old) - tail, To: len(old)},
	}}
}

// A change that is streamed leaves what the same change in memory does: bytes,
// record and pre-image. Its new bytes are given to whoever wants them.
func TestStream(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 60 {
		old := strings.Repeat("some text\n", r.IntN(2000))
		a := r.IntN(len(old) + 1)
		b := a + r.IntN(len(old)-a+1)
		new := old[:a] + strings.Repeat("x", 1+r.IntN(100)) + old[b:]
		s, root := newStore(t), newRoot(t, map[string]string{"f": old})
		c := streamed("f", old, new, 1+r.IntN(9000))
		var rest bytes.Buffer
		c.RestFrom = r.IntN(Same(c.Parts) + 1)
		c.Rest, c.Tagged = &rest, func() string { return "ABCD" }
		require.NoError(t, commit(s, root, c))
		got, err := os.ReadFile(filepath.Join(root.Name(), "f"))
		require.NoError(t, err)
		require.Equal(t, new, string(got))
		require.Equal(t, new[c.RestFrom:], rest.String())
		n := 0
		_, err = s.Records(root, func(rec Record) bool {
			n++
			want, got := history.Sum([]byte(new)), *rec.Files[0].New
			require.Equal(t, want, got)
			require.Equal(t, "ABCD", rec.Files[0].NewTag)
			data, err := s.Image(*rec.Files[0].Old)
			require.NoError(t, err)
			require.Equal(t, old, string(data))
			return true
		})
		require.NoError(t, err)
		require.Equal(t, 1, n)
	}
}

// The states that a Sum remembers lead to the digest of every text that begins
// as its own.
func TestSum(t *testing.T) {
	data := make([]byte, 2*sumStretch+100)
	r := rand.New(rand.NewPCG(33, 34))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	var s Sum
	for rest := data; len(rest) > 0; {
		n := min(len(rest), 1+r.IntN(5<<20))
		_, _ = s.Write(rest[:n])
		rest = rest[n:]
	}
	require.Equal(t, history.Sum(data), s.Digest())
	for _, at := range []int{0, 5, sumStretch - 1, sumStretch, sumStretch + 1, 2 * sumStretch, len(data)} {
		h, from := s.upTo(at)
		require.LessOrEqual(t, from, at)
		require.Less(t, at-from, sumStretch+100)
		h.Write(data[from:])
		require.Equal(t, history.Sum(data), history.Digest(h.Sum(nil)))
	}
	require.Equal(t, history.Sum(nil), new(Sum).Digest())
}

// Whatever byte of the file is another one by the time it is copied, also one
// that goes, the edit is refused and nothing is written.
func TestStreamComparesEveryByte(t *testing.T) {
	old := strings.Repeat("0123456789", 10)
	for at := range len(old) + 1 {
		now := []byte(old)
		if at < len(old) {
			now[at] = 'X'
		} else {
			now = append(now, 'X')
		}
		s, root := newStore(t), newRoot(t, map[string]string{"f": string(now)})
		c := streamed("f", old, old[:30]+"new"+old[70:], 7)
		before := stamped(t, root.Name())
		same(t, []hashline.Code{hashline.ChangedDuringEdit}, codes(commit(s, root, c)))
		same(t, before, stamped(t, root.Name()))
	}
}

// Where the history is on another file system it gets a compressed copy, made
// piece by piece.
func TestStreamedPreImageIsCopied(t *testing.T) {
	other, err := os.MkdirTemp("/dev/shm", "")
	if err != nil {
		t.Skip("no second file system: ", err)
	}
	defer os.RemoveAll(other)
	for _, size := range []int{0, 1, 100, 3 << 20} {
		s, err := Open(filepath.Join(other, "state"))
		require.NoError(t, err)
		s.NoSync = true
		old := strings.Repeat("x", size)
		root := newRoot(t, map[string]string{"f": old})
		require.NoError(t, commit(s, root, streamed("f", old, old+"y", 64<<10)))
		data, err := s.Image(history.Sum([]byte(old)))
		require.NoError(t, err)
		require.True(t, old == string(data))
		same(t, []hashline.Code{hashline.ChangedDuringEdit}, codes(commit(s, root, streamed("f", strings.Repeat("z", size+1), "y", 64<<10))))
	}
}

// A streamed change of a file that can only be written in place is refused.
func TestStreamInPlace(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"f": "text"})
	require.NoError(t, root.Link("f", "g"))
	c := streamed("f", "text", "next", 2)
	c.InPlace = true
	same(t, []hashline.Code{hashline.TooLarge}, codes(commit(s, root, c)))
	same(t, map[string]string{"f": "text", "g": "text"}, contents(t, root.Name()))
}
