package mcpserver

import (
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const sessionHeader = "Mcp-Session-Id"

// sessions bounds how many sessions there are: for one more the one goes that has
// been idle longest.
type sessions struct {
	server *mcp.Server
	max    int

	mu sync.Mutex
	// opening counts requests that may begin a session.
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

func (s *sessions) bound(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(sessionHeader)
		switch {
		case r.Method != http.MethodPost:
			h.ServeHTTP(w, r)
		case id != "":
			if !s.begin(id) {
				http.Error(w, "the session has ended", http.StatusNotFound)
				return
			}
			defer s.done(id)
			h.ServeHTTP(w, r)
		case !s.makeRoom():
			w.Header().Set("Retry-After", "1")
			http.Error(w, "there are too many sessions, all of them busy; try again", http.StatusServiceUnavailable)
		default:
			defer func() { s.opened(w.Header().Get(sessionHeader)) }()
			h.ServeHTTP(w, r)
		}
	})
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

func (s *sessions) opened(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opening--
	if id != "" {
		s.used[id] = &use{last: time.Now()}
	}
}

// makeRoom sees to it that there is room for one more session.
func (s *sessions) makeRoom() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := map[string]*mcp.ServerSession{}
	for session := range s.server.Sessions() {
		live[session.ID()] = session
	}
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
	if len(s.used)+s.opening >= s.max {
		oldest := ""
		for id, u := range s.used {
			if u.active == 0 && (oldest == "" || u.last.Before(s.used[oldest].last)) {
				oldest = id
			}
		}
		if oldest == "" {
			return false
		}
		delete(s.used, oldest)
		s.evicted[oldest] = true
		go live[oldest].Close()
	}
	s.opening++
	return true
}
