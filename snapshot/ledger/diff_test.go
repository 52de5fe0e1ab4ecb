package ledger

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// common gives how many lines of two texts can be matched in order, at most.
func common(a, b []uint64) int {
	row := make([]int, len(b)+1)
	for i := range a {
		corner := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = corner + 1
			} else {
				row[j+1] = max(row[j], above)
			}
			corner = above
		}
	}
	return row[len(b)]
}

func randomLines(r *rand.Rand, n, texts int) []uint64 {
	h := make([]uint64, r.IntN(n+1))
	for i := range h {
		h[i] = uint64(r.IntN(texts))
	}
	return h
}

// checkTrack checks that a track leads from one text to the other, and gives how
// many lines it keeps.
func checkTrack(t *testing.T, a, b []uint64, track runs) (kept int) {
	t.Helper()
	row, place := 0, 0
	for _, r := range track {
		if r.first <= row || r.to <= place || (r.first != r.to) != (r.mark&moved != 0) {
			t.Fatalf("%+v after line %d, which is %d", r, row, place)
		}
		for n := r.first; n <= r.last; n++ {
			if r.mark&changed != 0 {
				continue
			}
			if a[n-1] != b[r.to+n-r.first-1] {
				t.Fatalf("line %d is not what it was", n)
			}
			kept++
		}
		row, place = r.last, r.to+r.last-r.first
	}
	require.LessOrEqual(t, row, len(a))
	require.LessOrEqual(t, place, len(b))
	return kept
}

func TestDiff(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 2))
	for k := range 8000 {
		a, b := randomLines(r, 12, 4), randomLines(r, 12, 4)
		why := fmt.Sprintf("seed %d, case %d: %v %v", seed, k, a, b)
		d := &differ{a: a, b: b, old: 1, now: 1, steps: maxSteps}
		require.True(t, d.fewest(0, len(a), 0, len(b)), why)
		require.Equal(t, common(a, b), checkTrack(t, a, b, d.track), why)
		checkTrack(t, a, b, diff(a, b))
	}
}

// TestDiffBounded compares long texts that have nothing, little or
// nearly everything in common. The time is generous: it tells what grows with
// the square of the lines from what does not.
func TestDiffBounded(t *testing.T) {
	const lines = 1 << 18
	alike, other, few := make([]uint64, lines), make([]uint64, lines), make([]uint64, lines)
	r := rand.New(rand.NewPCG(3, 3))
	for i := range alike {
		alike[i], other[i], few[i] = uint64(r.IntN(3)), uint64(r.IntN(3)), uint64(i)
	}
	shuffled := append([]uint64(nil), few...)
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for _, c := range []struct {
		name string
		a, b []uint64
	}{
		{"alike", alike, other}, {"shorter", alike, other[:lines/2]}, {"shuffled", few, shuffled}, {"all unlike", few, alike},
	} {
		start := time.Now()
		track := diff(c.a, c.b)
		took := time.Since(start)
		t.Log(c.name, took, len(track))
		checkTrack(t, c.a, c.b, track)
		require.Less(t, took, 20*time.Second)
	}
	// Where the fewest changes are too many to be found, lines that stand at the
	// same place still count as kept.
	same := 0
	for i := range alike {
		if alike[i] == other[i] {
			same++
		}
	}
	require.GreaterOrEqual(t, checkTrack(t, alike, other, diff(alike, other)), same/2)
}
