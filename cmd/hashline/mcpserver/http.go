package mcpserver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// HTTPConfig says how a server is reached by HTTP.
type HTTPConfig struct {
	// Tokens are the bearer tokens of which each request has one. Without any,
	// only a loopback address can be served.
	Tokens []string
	// Stateless makes each request stand alone; what is remembered of an agent is
	// that of its token.
	Stateless bool
}

// Check refuses a configuration that would let others in.
func (c HTTPConfig) Check(a net.Addr) error {
	if len(c.Tokens) == 0 && !isLoopback(a) {
		return errors.New("others can reach this address: give a token, or serve a loopback address")
	}
	return nil
}

// Path is where a server is found by HTTP.
const Path = "/mcp"

// What one server has room for.
const (
	// maxSessions is how many clients may be connected. One more, and the one
	// that has been idle longest goes.
	maxSessions = 1000
	// sessionTimeout is how long a session may be idle.
	sessionTimeout = 30 * time.Minute
	headWait       = 10 * time.Second
	// sendWait is how long a client may take to read some of its answer.
	sendWait = 30 * time.Second
	idleWait = 2 * time.Minute
)

// ServeHTTP serves clients at a listener's address, until ctx ends. Then it
// takes no more requests, cancels calls, which lets commits under way finish, and
// answers them. It may be called once, and closes the listener.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, cfg HTTPConfig) error {
	defer s.end()
	if err := cfg.Check(l.Addr()); err != nil {
		return errors.Join(err, l.Close())
	}
	server := &http.Server{
		Handler: s.handlerHTTP(cfg), ReadHeaderTimeout: headWait, IdleTimeout: idleWait, MaxHeaderBytes: 64 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.end()
	return s.shutdown(server)
}

// shutdown ends a server when its calls have been answered, and the streams that
// clients hold open.
func (s *Server) shutdown(server *http.Server) error {
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		// It takes no more connections, and waits for those there are.
		_ = server.Shutdown(context.Background())
	}()
	for s.running.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	// A session that is closed answers nothing any more.
	for limit := time.Now().Add(writeWait); s.posts.Load() > 0 && time.Now().Before(limit); {
		time.Sleep(time.Millisecond)
	}
	for session := range s.mcp.Sessions() {
		go session.Close()
	}
	select {
	case <-stopped:
	case <-time.After(writeWait):
	}
	_ = server.Close()
	return nil
}

// handlerHTTP puts the guards before the SDK's handler.
func (s *Server) handlerHTTP(cfg HTTPConfig) http.Handler {
	s.stateless = cfg.Stateless
	var h http.Handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Stateless: cfg.Stateless, SessionTimeout: sessionTimeout, MaxRequestBodyBytes: maxMessage,
		PropagateRequestCancellation: true,
	})
	var live *sessions
	if !cfg.Stateless {
		live = newSessions(s.mcp, s.maxSessions)
	}
	h = s.received(h, s.intake, live)
	if len(cfg.Tokens) > 0 {
		h = bearer(cfg.Tokens, h)
	}
	mux := http.NewServeMux()
	mux.Handle(Path, s.counted(h))
	return hurried(guard(mux))
}

// received hands requests on when their bodies have arrived and are messages. live
// is nil where there are no sessions.
func (s *Server) received(h http.Handler, in *intake, live *sessions) http.Handler {
	names := newIDNames()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			h.ServeHTTP(w, r)
			return
		}
		id := r.Header.Get(sessionHeader)
		stranger := id == "" || live == nil
		if !stranger && !live.lives(id) {
			ended.send(w)
			return
		}
		got, no := in.read(w, r, stranger)
		if no != nil {
			no.send(w)
			return
		}
		defer got.release()
		p, wrong := names.plain(got.text)
		if wrong != nil {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write(wrong)
			return
		}
		got.text = p.text
		p.text = nil
		r.Body = got.reader()
		answer := &mending{w, p.written}
		if live == nil {
			h.ServeHTTP(answer, r)
			return
		}
		live.serve(h, answer, r, p.starts)
	})
}

// counted counts the requests that wait for an answer.
func (s *Server) counted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			s.posts.Add(1)
			defer s.posts.Add(-1)
		}
		h.ServeHTTP(w, r)
	})
}

// isLoopback reports whether only this machine reaches an address.
func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
