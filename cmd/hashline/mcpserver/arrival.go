package mcpserver

import (
	"errors"
	"net/http"
	"sync"
	"time"
)

// maxArriving is how many bodies of requests without a session may be on their
// way. For one more the one goes of which nothing has come for longest.
const maxArriving = 256

type arrivals struct {
	max int
	mu  sync.Mutex
	all map[*arrival]bool
}

// arrival is a body on its way.
type arrival struct {
	conn *http.ResponseController
	mu   sync.Mutex
	last time.Time
	// paused: it waits for us. cut: it has to go.
	paused, cut bool
}

func (l *arrivals) enter(a *arrival) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) >= l.max {
		var oldest *arrival
		var last time.Time
		for other := range l.all {
			if at, ok := other.since(); ok && (oldest == nil || at.Before(last)) {
				oldest, last = other, at
			}
		}
		if oldest == nil {
			return false
		}
		oldest.end()
		delete(l.all, oldest)
	}
	if l.all == nil {
		l.all = map[*arrival]bool{}
	}
	l.all[a] = true
	return true
}

func (l *arrivals) leave(a *arrival) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.all, a)
}

func (a *arrival) since() (time.Time, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.last, !a.paused && !a.cut
}

func (a *arrival) came() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last = time.Now()
}

func (a *arrival) pause(paused bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused, a.last = paused, time.Now()
}

// until says until when the next bytes are to come. Errors mean that there is no
// connection, as in tests.
func (a *arrival) until(limit time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.cut {
		_ = a.conn.SetReadDeadline(limit)
	}
	return !a.cut
}

// end ends a read that waits.
func (a *arrival) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cut = true
	_ = a.conn.SetReadDeadline(time.Now().Add(-time.Second))
}

// failed says why no more of a body came.
func (a *arrival) failed(err error) *refusal {
	a.mu.Lock()
	defer a.mu.Unlock()
	var timeout interface{ Timeout() bool }
	switch {
	case a.cut:
		return crowded
	case errors.As(err, &timeout) && timeout.Timeout():
		return &refusal{http.StatusRequestTimeout, "the body does not arrive in time"}
	}
	return &refusal{http.StatusBadRequest, "the body cannot be read"}
}
