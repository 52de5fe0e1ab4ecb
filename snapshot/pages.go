package snapshot

import (
	"bytes"
	"errors"
	"hash/maphash"
	"io"
	"sort"
	"sync"
)

// PageSize is a good page for [NewScan]: large enough that the index has few
// entries, small enough that a line is near.
const PageSize = 64 << 10

// held is how many pages are held.
const held = 16

// ErrChanged is the error of a text whose file is no longer what was scanned.
var ErrChanged = errors.New("the file changed after it was read")

// pages is a text in a file. Each page was hashed when the file was scanned, and
// is compared when it is read again.
type pages struct {
	r    io.ReaderAt
	unit int // the size of a page
	size int
	seed maphash.Seed
	sums []uint64
	// before[k] is the number of "\n" above page k.
	before []int

	mu    sync.Mutex
	some  [held]loaded
	next  int
	fault error
}

type loaded struct {
	n    int
	data []byte
}

// holds reports whether data is page n as it was scanned.
func (p *pages) holds(n int, data []byte) bool {
	return n < len(p.sums) && len(data) == p.length(n) && maphash.Bytes(p.seed, data) == p.sums[n]
}

func (p *pages) length(n int) int { return min(p.unit, p.size-n*p.unit) }

// page gives page n, which there is.
func (p *pages) page(n int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.some {
		if s.n == n && s.data != nil {
			return s.data
		}
	}
	data := make([]byte, p.length(n))
	_, err := p.r.ReadAt(data, int64(n)*int64(p.unit))
	if err == io.EOF || err == nil && !p.holds(n, data) {
		err = ErrChanged
		if p.holds(n, data) {
			err = nil
		}
	}
	if err != nil {
		if p.fault == nil {
			p.fault = err
		}
		clear(data)
	}
	p.some[p.next] = loaded{n, data}
	p.next = (p.next + 1) % held
	return data
}

func (p *pages) slice(from, to int) []byte {
	if from >= to {
		return nil
	}
	first, last := from/p.unit, (to-1)/p.unit
	if first == last {
		return p.page(first)[from%p.unit : to-first*p.unit]
	}
	all := make([]byte, 0, to-from)
	for n := first; n <= last; n++ {
		data := p.page(n)
		all = append(all, data[max(from-n*p.unit, 0):min(to-n*p.unit, len(data))]...)
	}
	return all
}

func (p *pages) newline(k int) int {
	n := sort.SearchInts(p.before, k) - 1
	data, at := p.page(n), 0
	left := k - p.before[n]
	for half := p.unit / 2; half >= 64 && left > 4 && at < len(data); half /= 2 {
		if c := bytes.Count(data[at:min(at+half, len(data))], []byte{'\n'}); c < left {
			at += half
			left -= c
		}
	}
	for ; left > 0 && at < len(data); left-- {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 { // it could not be read
			return n*p.unit + len(data)
		}
		at += i + 1
	}
	return n*p.unit + min(at, len(data))
}

func (p *pages) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fault
}
