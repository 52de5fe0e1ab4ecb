package commit

import (
	"io"
	"math"
	"os"
	"sync"
	"sync/atomic"
)

const (
	// streamBuffer is how many bytes are copied at once.
	streamBuffer = 128 << 10
	// streamBuffers is how many of them may be under way.
	streamBuffers = 4
)

// piece is a part of the new bytes that its readers hash while it is written.
type piece struct {
	at   int
	data []byte
	// buf is the buffer that data lies in, nil where nobody wants it back.
	buf  []byte
	left atomic.Int32
}

// stream writes the new bytes of a change that has a Base: what stays is read
// from the target, each page is compared with what it was, and the pages that
// go are compared as well. It stops where one is another.
func (t *transaction) stream(h *os.File, f *file) (same bool, err error) {
	// Where it has the lease nobody can change what was compared.
	if err := t.lease(f); err == nil {
		f.compared = f.leased
	}
	p := &press{f: f, h: h, free: make(chan []byte, streamBuffers), pages: make([]bool, (f.Base.Size+f.Base.Page-1)/f.Base.Page)}
	for range streamBuffers {
		p.free <- nil
	}
	start := Same(f.Parts)
	sum, from := f.Base.Sum.upTo(start)
	p.reader(sum, from)
	if f.Rest != nil {
		p.reader(f.Rest, f.RestFrom)
	}
	for _, part := range f.Parts {
		if part.Data != nil {
			err = p.put(&piece{data: part.Data})
		} else {
			err = p.keep(part.From, part.To)
		}
		if err != nil || p.other {
			break
		}
	}
	for n := 0; n < len(p.pages) && err == nil && !p.other; n++ {
		if !p.pages[n] {
			var buf []byte
			if buf, _, err = p.read(n * f.Base.Page); buf != nil {
				p.free <- buf
			}
		}
	}
	for _, r := range p.readers {
		close(r.pieces)
	}
	p.done.Wait()
	if err != nil || p.other {
		f.compared = false
		return false, err
	}
	sum.Sum(f.newSum[:0])
	f.newSize = p.at
	if f.Tagged != nil {
		f.NewTag = f.Tagged()
	}
	// The file must not be longer than it was.
	if n, rerr := f.target.ReadAt(make([]byte, 1), int64(f.Base.Size)); n > 0 || rerr != io.EOF {
		f.compared = false
		return false, nil
	}
	return true, nil
}

// press writes pieces, and has them hashed meanwhile.
type press struct {
	f       *file
	h       *os.File
	at      int
	free    chan []byte
	pages   []bool
	readers []reader
	done    sync.WaitGroup
	other   bool // a page is not what it was
}

type reader struct{ pieces chan *piece }

// reader begins to give the bytes from an offset on to a writer.
func (p *press) reader(w io.Writer, from int) {
	r := reader{make(chan *piece, streamBuffers)}
	p.readers = append(p.readers, r)
	p.done.Go(func() {
		for c := range r.pieces {
			if skip := from - c.at; skip < len(c.data) {
				_, _ = w.Write(c.data[max(0, skip):]) // hashes do not fail
			}
			p.release(c)
		}
	})
}

func (p *press) release(c *piece) {
	if c.left.Add(-1) == 0 && c.buf != nil {
		p.free <- c.buf
	}
}

// put writes a piece.
func (p *press) put(c *piece) error {
	c.at = p.at
	c.left.Store(int32(len(p.readers) + 1))
	for _, r := range p.readers {
		r.pieces <- c
	}
	_, err := p.h.Write(c.data)
	p.at += len(c.data)
	p.release(c)
	return err
}

// keep writes bytes of the target.
func (p *press) keep(from, to int) error {
	for at := from / p.f.Base.Page * p.f.Base.Page; at < to; {
		buf, n, err := p.read(at)
		if err != nil || p.other {
			return err
		}
		if err := p.put(&piece{data: buf[max(from-at, 0):min(to-at, n)], buf: buf}); err != nil {
			return err
		}
		at += n
	}
	return nil
}

// read reads pages of the target from the one at an offset on, and compares
// them.
func (p *press) read(at int) (buf []byte, n int, err error) {
	base := p.f.Base
	if buf = <-p.free; buf == nil {
		buf = make([]byte, base.chunk())
	}
	want := min(len(buf), base.Size-at)
	n, err = p.f.target.ReadAt(buf[:want], int64(at))
	if err == io.EOF {
		err = nil
	}
	if err != nil || n < want || !base.Holds(at, buf[:n]) {
		p.other = err == nil
		return buf, 0, err
	}
	for k := at / base.Page; k*base.Page < at+n; k++ {
		p.pages[k] = true
	}
	return buf, n, nil
}

// copyOld writes the old bytes of a change that has a Base.
func (f *file) copyOld(h io.Writer) (same bool, err error) {
	from := io.TeeReader(io.NewSectionReader(f.target, 0, math.MaxInt64), h)
	return compareBase(from, f.Base)
}
