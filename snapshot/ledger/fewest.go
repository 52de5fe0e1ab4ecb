package ledger

import "slices"

// maxApart is the largest number of lines added and removed for which the
// fewest changes between two stretches are sought.
const maxApart = 400

// fewest matches as many lines of a[i:k] and b[j:l] as there can be, in order.
// It reports false, and matches none, where that would take too long.
//
// It walks, for each number of changes, to the furthest place on each diagonal
// that so many changes reach, and then the way back (Myers, An O(ND) difference
// algorithm, 1986).
func (d *differ) fewest(i, k, j, l int) bool {
	a, b := d.a[i:k], d.b[j:l]
	if apart := len(a) - len(b); apart > maxApart || -apart > maxApart {
		return false
	}
	most := min(len(a)+len(b), maxApart)
	// reach[most+x] is how far a is walked on diagonal x, where x is how much
	// further a is than b.
	reach := make([]int, 2*most+2)
	var ways [][]int // for each number of changes, reach[-n..n] before it
	for n := 0; n <= most; n++ {
		ways = append(ways, slices.Clone(reach[most-n:most+n+1]))
		for x := -n; x <= n; x += 2 {
			at := step(reach, most, n, x)
			for at < len(a) && at-x < len(b) && a[at] == b[at-x] {
				at++
				d.steps--
			}
			if d.steps--; d.steps < 0 {
				return false
			}
			reach[most+x] = at
			if at >= len(a) && at-x >= len(b) {
				d.walk(ways, i, j, len(a), len(b))
				return true
			}
		}
	}
	return false
}

// step gives where diagonal x begins with n changes, from the reach of n-1.
func step(reach []int, mid, n, x int) int {
	switch {
	case n == 0:
		return 0
	case x == -n || x != n && reach[mid+x-1] < reach[mid+x+1]:
		return reach[mid+x+1]
	}
	return reach[mid+x-1] + 1
}

// walk goes the way back from the end of both stretches and matches what lies on
// it.
func (d *differ) walk(ways [][]int, i, j, m, k int) {
	var found [][3]int
	for n := len(ways) - 1; n >= 0; n-- {
		x := m - k
		// The reach before n changes, with a place on each side.
		around := make([]int, 2*n+3)
		copy(around[1:], ways[n])
		from := step(around, n+1, n, x)
		if m > from {
			found = append(found, [3]int{from, from - x, m - from})
		}
		m, k = from, from-x
		if n > 0 {
			if x == -n || x != n && around[n+1+x-1] < around[n+1+x+1] {
				k--
			} else {
				m--
			}
		}
	}
	slices.Reverse(found)
	for _, f := range found {
		d.match(i+f[0], j+f[1], f[2])
	}
}
