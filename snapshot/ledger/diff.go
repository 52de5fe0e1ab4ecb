package ledger

// maxSteps bounds the comparisons of one diff beyond what grows with the number
// of lines alone.
const maxSteps = 2 << 20

// differ compares two texts, given as the hashes of their lines.
type differ struct {
	a, b  []uint64
	track runs
	// old and now are the lines, from 1, that the track has come to.
	old, now int
	steps    int
}

// diff gives the track from one text to another. Lines that occur once in both
// are matched first, as many as keep their order; what lies between is compared
// by the fewest changes, unless that takes too long: then lines at the same
// distance are compared, or none.
func diff(a, b []uint64) runs {
	d := &differ{a: a, b: b, old: 1, now: 1, steps: maxSteps}
	d.between(0, len(a), 0, len(b), true)
	d.match(len(a), len(b), 0)
	return d.track
}

// match adds n equal lines from a[i] and b[j] on, and that what lies before them
// was changed.
func (d *differ) match(i, j, n int) {
	d.track = d.track.replace(d.old, d.now, i+1-d.old, j+1-d.now)
	d.track = d.track.keep(i+1, j+1, n)
	d.old, d.now = i+n+1, j+n+1
}

// between compares a[i:k] with b[j:l].
func (d *differ) between(i, k, j, l int, anchors bool) {
	n := 0
	for i+n < k && j+n < l && d.a[i+n] == d.b[j+n] {
		n++
	}
	if n > 0 {
		d.match(i, j, n)
		i, j = i+n, j+n
	}
	tail := 0
	for i < k-tail && j < l-tail && d.a[k-1-tail] == d.b[l-1-tail] {
		tail++
	}
	k, l = k-tail, l-tail
	if i < k && j < l {
		d.middle(i, k, j, l, anchors)
	}
	if tail > 0 {
		d.match(k, l, tail)
	}
}

func (d *differ) middle(i, k, j, l int, anchors bool) {
	if anchors {
		if pairs := d.unique(i, k, j, l); len(pairs) > 0 {
			for _, p := range pairs {
				if p[0] < i {
					continue // the stretch before has reached it
				}
				d.between(i, p[0], j, p[1], false)
				d.match(p[0], p[1], 1)
				i, j = p[0]+1, p[1]+1
			}
			d.between(i, k, j, l, false)
			return
		}
	}
	if d.fewest(i, k, j, l) || k-i != l-j {
		return
	}
	for n := range k - i {
		if d.a[i+n] == d.b[j+n] {
			d.match(i+n, j+n, 1)
		}
	}
}
