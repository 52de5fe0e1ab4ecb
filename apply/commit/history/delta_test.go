package history

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDelta(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	text := func(n int) []byte {
		b := make([]byte, r.IntN(n))
		for i := range b {
			b[i] = byte('a' + r.IntN(2))
		}
		return b
	}
	for range 2000 {
		old := text(20_000)
		at := r.IntN(len(old) + 1)
		cut := r.IntN(min(len(old)-at, 300) + 1)
		now := bytes.Join([][]byte{old[:at], text(300), old[at+cut:]}, nil)
		d := DeltaOf(old, now)
		require.NotNil(t, d)
		require.LessOrEqual(t, len(d.Text), 300)
		got, ok := d.Apply(old)
		require.True(t, ok)
		require.Equal(t, now, got)
	}
	require.Nil(t, DeltaOf(nil, make([]byte, MaxDelta+1)))
	require.NotNil(t, DeltaOf(nil, make([]byte, MaxDelta)))
	for _, d := range []Delta{{At: 3}, {At: 1, Cut: 2}, {At: -1}, {Cut: -1}, {At: 1, Cut: math.MaxInt}} {
		_, ok := d.Apply([]byte("ab"))
		require.False(t, ok, "%+v", d)
	}
}
