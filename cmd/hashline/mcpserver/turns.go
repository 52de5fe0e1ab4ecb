package mcpserver

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// maxRunning is how many calls run at once. Each may hold a large file, and more
// of them than there are processors get nothing done sooner.
func maxRunning() int { return min(max(2*runtime.GOMAXPROCS(0), 4), 16) }

// turns bounds how many calls run at once. Of those that wait it is the turn of
// one whose client has the fewest that run, and among these of the one that waits
// longest.
type turns struct {
	mu      sync.Mutex
	free    int
	running map[*peer]int
	line    []*turn
}

type turn struct {
	peer *peer
	come chan struct{} // closed when it has come
}

func newTurns(n int) *turns { return &turns{free: n, running: map[*peer]int{}} }

// take waits for a turn, false where ctx ends first. Else the caller calls done
// once.
func (t *turns) take(ctx context.Context, p *peer) (done func(), ok bool) {
	mine := &turn{p, make(chan struct{})}
	t.mu.Lock()
	t.line = append(t.line, mine)
	t.next()
	t.mu.Unlock()
	select {
	case <-mine.come:
	case <-ctx.Done():
		t.mu.Lock()
		defer t.mu.Unlock()
		if i := slices.Index(t.line, mine); i >= 0 {
			t.line = slices.Delete(t.line, i, i+1)
			return nil, false
		}
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.free++
		if t.running[p]--; t.running[p] == 0 {
			delete(t.running, p)
		}
		t.next()
	}, true
}

// next lets calls run while there is room. The caller holds mu.
func (t *turns) next() {
	for t.free > 0 && len(t.line) > 0 {
		best := 0
		for i, w := range t.line {
			if t.running[w.peer] < t.running[t.line[best].peer] {
				best = i
			}
		}
		w := t.line[best]
		t.line = slices.Delete(t.line, best, best+1)
		t.free--
		t.running[w.peer]++
		close(w.come)
	}
}
