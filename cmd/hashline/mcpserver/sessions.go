package mcpserver

import (
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const sessionHeader = "Mcp-Session-Id"

// sessions bounds how many sessions there are: for one more the one goes that has
// been idle longest. That happens when the new one has begun, so that nobody loses a
// session to what is none.
type sessions struct {
	server *mcp.Server
	max    int

	mu sync.Mutex
	// opening counts requests that begin a session.
	opening int
	used    map[string]*use // by ID
	// evicted are those that had to go.
	evicted map[string]bool
}

func newSessions(server *mcp.Server, max int) *sessions {
	return &sessions{server: server, max: max, used: map[string]*use{}, evicted: map[string]bool{}}
}

// use tells when a session was used last, and how many requests it has.
type use struct {
	last   time.Time
	active int
}

// serve serves a request whose body has arrived. starts tells that it begins a
// session.
func (s *sessions) serve(h http.Handler, w http.ResponseWriter, r *http.Request, starts bool) {
	id := r.Header.Get(sessionHeader)
	switch {
	case id != "":
		if !s.begin(id) {
			ended.send(w)
			return
		}
		defer s.done(id)
		h.ServeHTTP(w, r)
	case !starts:
		h.ServeHTTP(w, r)
	case !s.open():
		(&refusal{http.StatusServiceUnavailable, "there are too many sessions, all of them busy; try again"}).send(w)
	default:
		defer func() { s.opened(w.Header().Get(sessionHeader)) }()
		h.ServeHTTP(w, r)
	}
}

var ended = &refusal{http.StatusNotFound, "the session has ended"}

// lives reports whether there is a session, before the body of its request has
// arrived.
func (s *sessions) lives(id string) bool {
	s.mu.Lock()
	known, evicted := s.used[id] != nil, s.evicted[id]
	s.mu.Unlock()
	return !evicted && (known || s.live()[id] != nil)
}

func (s *sessions) live() map[string]*mcp.ServerSession {
	live := map[string]*mcp.ServerSession{}
	for session := range s.server.Sessions() {
		live[session.ID()] = session
	}
	return live
}

// begin and done enclose a request of a session; begin is false where it had to
// go. Of one that is not known nothing is noted.
func (s *sessions) begin(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.used[id]; u != nil {
		u.active++
	}
	return !s.evicted[id]
}

func (s *sessions) done(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.used[id]; u != nil {
		u.active--
		u.last = time.Now()
	}
}

// open reports whether there is, or can be made, room for one more session.
func (s *sessions) open() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.used)+s.opening >= s.max {
		s.clean(s.live())
	}
	idle := 0
	for _, u := range s.used {
		if u.active == 0 {
			idle++
		}
	}
	if len(s.used)+s.opening-s.max >= idle {
		return false
	}
	s.opening++
	return true
}

// opened notes a session that has begun, where there is one, and makes the room
// for it.
func (s *sessions) opened(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opening--
	if id == "" {
		return
	}
	live := s.live()
	s.clean(live)
	if live[id] == nil {
		return
	}
	s.used[id] = &use{last: time.Now()}
	for len(s.used) > s.max {
		oldest := ""
		for other, u := range s.used {
			if other != id && u.active == 0 && (oldest == "" || u.last.Before(s.used[oldest].last)) {
				oldest = other
			}
		}
		if oldest == "" {
			return
		}
		delete(s.used, oldest)
		s.evicted[oldest] = true
		go live[oldest].Close()
	}
}

// clean forgets the sessions that have ended. The caller holds mu.
func (s *sessions) clean(live map[string]*mcp.ServerSession) {
	for id := range s.used {
		if live[id] == nil {
			delete(s.used, id)
		}
	}
	for id := range s.evicted {
		if live[id] == nil {
			delete(s.evicted, id)
		}
	}
}
