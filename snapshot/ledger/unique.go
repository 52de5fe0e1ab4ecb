package ledger

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"
)

// slot counts one line in two stretches: 0 is none, -1 several, and anything else
// where it is, counted from 1.
type slot struct {
	line uint64
	a, b int32
}

// table finds lines by their hashes. It is several times quicker than a map, and
// a text of a million lines is to be compared while others wait.
type table struct {
	slots []slot
	// A factor that nobody knows keeps anybody from making lines that all fall
	// into one place.
	factor uint64
	shift  int
}

func newTable(lines int) *table {
	size := bits.Len(uint(2 * lines))
	return &table{make([]slot, 1<<size), rand.Uint64() | 1, 64 - size}
}

// find gives the slot of a line, or the empty one where it would be.
func (t *table) find(line uint64) *slot {
	for i := int(line * t.factor >> t.shift); ; i++ {
		s := &t.slots[i&(len(t.slots)-1)]
		if s.a == 0 || s.line == line {
			return s
		}
	}
}

// unique gives the places of lines that occur once in each of a[i:k] and b[j:l]:
// the most that ascend in both.
func (d *differ) unique(i, k, j, l int) [][2]int {
	t := newTable(k - i)
	for n := i; n < k; n++ {
		s := t.find(d.a[n])
		if s.a == 0 {
			s.line, s.a = d.a[n], int32(n-i+1)
		} else {
			s.a = -1
		}
	}
	for n := j; n < l; n++ {
		switch s := t.find(d.b[n]); {
		case s.a <= 0:
		case s.b == 0:
			s.b = int32(n - j + 1)
		default:
			s.b = -1
		}
	}
	var pairs [][2]int
	for n := i; n < k; n++ {
		if s := t.find(d.a[n]); s.a > 0 && s.b > 0 {
			pairs = append(pairs, [2]int{n, j + int(s.b) - 1})
		}
	}
	return ascending(pairs)
}

// ascending gives a longest part of the pairs, which ascend in their first, that
// ascends in the second too.
func ascending(pairs [][2]int) [][2]int {
	var ends []int // ends[n] is the pair with the lowest second that ends n+1 pairs
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(ends), func(n int) bool { return pairs[ends[n]][1] >= p[1] })
		if before[i] = -1; n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var out [][2]int
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		out = append(out, pairs[i])
	}
	slices.Reverse(out)
	return out
}
