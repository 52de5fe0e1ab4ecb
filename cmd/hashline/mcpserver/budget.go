package mcpserver

import (
	"context"
	"slices"
	"sync"
	"time"
)

// budget bounds how many bytes of memory bodies have together, from the arrival of
// their bytes on until they have been worked on. Who finds no room waits in turn.
//
// Each takes more as it grows, so that all of them could come to wait for one
// another. Hence a reserve: the first of those that wait, and it alone, may have of
// that what it still needs.
type budget struct {
	// reserve is as much as one body has at most.
	reserve int64
	// wait is how long one waits for room.
	wait time.Duration

	mu   sync.Mutex
	free int64
	line []*wanting
	// first is the one that may have of the reserve, or nil.
	first *share
}

// share is what one body has of a budget. It belongs to one goroutine.
type share struct {
	held int64
	// drawn is what it has of the reserve.
	drawn int64
}

type wanting struct {
	share *share
	n     int64
	had   chan struct{} // closed when it has what it wants
}

func newBudget(bytes, reserve int64) *budget {
	return &budget{free: bytes, reserve: reserve, wait: roomWait}
}

// take takes n bytes more for a body, false where there is no room in time.
func (b *budget) take(ctx context.Context, s *share, n int64) bool {
	b.mu.Lock()
	w := &wanting{s, n, make(chan struct{})}
	if s == b.first {
		b.draw(w)
		b.mu.Unlock()
		return true
	}
	b.line = append(b.line, w)
	b.serve()
	b.mu.Unlock()
	limit := time.NewTimer(b.wait)
	defer limit.Stop()
	select {
	case <-w.had:
		return true
	default:
	}
	select {
	case <-w.had:
		return true
	case <-limit.C:
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.Index(b.line, w)
	if i < 0 {
		return true
	}
	b.line = slices.Delete(b.line, i, i+1)
	b.serve()
	return false
}

// giveBack gives back all that a body has.
func (b *budget) giveBack(s *share) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += s.held
	*s = share{}
	if b.first == s {
		b.first = nil
	}
	b.serve()
}

// serve gives to those that wait, in turn. The caller holds mu.
func (b *budget) serve() {
	for len(b.line) > 0 {
		w := b.line[0]
		common := b.free - b.reserve
		if b.first != nil {
			common += b.first.drawn
		}
		switch {
		case w.n <= common:
			w.share.held += w.n
			b.free -= w.n
			close(w.had)
		case b.first == nil:
			b.first = w.share
			b.draw(w)
		default:
			return
		}
		b.line = slices.Delete(b.line, 0, 1)
	}
}

// draw gives of the reserve. The caller holds mu.
func (b *budget) draw(w *wanting) {
	w.share.held += w.n
	w.share.drawn += w.n
	b.free -= w.n
	close(w.had)
}
