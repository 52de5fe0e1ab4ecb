package mcpserver

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// budget bounds how many bytes the bodies of requests have together while they
// are worked on.
type budget struct {
	mu    sync.Mutex
	left  int64
	freed chan struct{} // closed when some was given back
	wait  time.Duration
}

func newBudget(bytes int64) *budget {
	return &budget{left: bytes, freed: make(chan struct{}), wait: headWait}
}

// take takes n bytes, or gives a channel that tells when to try again.
func (b *budget) take(n int64) (ok bool, freed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > b.left {
		return false, b.freed
	}
	b.left -= n
	return true, nil
}

func (b *budget) give(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += n
	close(b.freed)
	b.freed = make(chan struct{})
}

// bound bounds the bodies that a handler gets.
func (b *budget) bound(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size := r.ContentLength
		if size > maxMessage {
			http.Error(w, fmt.Sprintf("the body is longer than %d bytes", maxMessage), http.StatusRequestEntityTooLarge)
			return
		}
		if size > 0 && !b.waitFor(r, size) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "too much is being worked on; try again", http.StatusServiceUnavailable)
			return
		}
		body := &counted{ReadCloser: r.Body, budget: b, taken: max(size, 0), unknown: size < 0}
		defer func() { b.give(body.taken) }()
		if r.Body != nil {
			r.Body = body
		}
		h.ServeHTTP(w, r)
	})
}

func (b *budget) waitFor(r *http.Request, n int64) bool {
	limit := time.NewTimer(b.wait)
	defer limit.Stop()
	for {
		ok, freed := b.take(n)
		if ok {
			return true
		}
		select {
		case <-freed:
		case <-limit.C:
			return false
		case <-r.Context().Done():
			return false
		}
	}
}

// counted is a body. One whose length is not known takes from the budget as it
// is read.
type counted struct {
	io.ReadCloser
	budget  *budget
	taken   int64
	unknown bool
}

var errBusy = errors.New("too much is being worked on; try again")

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if c.unknown {
		if ok, _ := c.budget.take(int64(n)); !ok {
			return 0, errBusy
		}
		c.taken += int64(n)
	}
	return n, err
}
