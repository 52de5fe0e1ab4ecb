package commit

import "context"

// gate lets one goroutine of a store at a time take a lock; the others queue here,
// with nothing opened.
type gate struct {
	in chan struct{}
	// users is how many wait or are in, guarded by the store's mu.
	users int
}

// enter goes through the gate of the lock with a name, and gives what lets the next
// one through; nil where the time is up first.
func (s *Store) enter(limit context.Context, name string) (leave func()) {
	if limit.Err() != nil {
		return nil
	}
	s.mu.Lock()
	g := s.gates[name]
	if g == nil {
		g = &gate{in: make(chan struct{}, 1)}
		s.gates[name] = g
	}
	g.users++
	s.mu.Unlock()
	done := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if g.users--; g.users == 0 {
			delete(s.gates, name)
		}
	}
	select {
	case g.in <- struct{}{}:
		return func() {
			<-g.in
			done()
		}
	case <-limit.Done():
		done()
		return nil
	}
}
