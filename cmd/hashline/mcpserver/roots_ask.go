package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// question is one to a client for its folders. It stays open for long, since an
// answer that comes late counts all the same.
type question struct {
	// done is closed when it is answered or given up, enough when calls no longer
	// wait for it.
	done, enough chan struct{}
}

// question gives the question that a call has to wait for, nil where the folders
// are known. Calls that come together ask once.
func (p *peer) question(ctx context.Context, s *Server, session *mcp.ServerSession) *question {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.roots != nil && !p.changed || p.asked != nil {
		return p.asked
	}
	p.questions++
	number := p.questions
	q := &question{make(chan struct{}), make(chan struct{})}
	p.asked = q
	// It is no part of the call that asks first.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.rootsAgain)
	wait := time.AfterFunc(s.rootsWait, func() { close(q.enough) })
	go func() {
		defer close(q.done)
		defer cancel()
		defer wait.Stop()
		list, err := session.ListRoots(ctx, nil)
		p.mu.Lock()
		defer p.mu.Unlock()
		latest := p.asked == q
		if latest {
			p.asked = nil
		}
		// One that is not the latest counts until that is answered.
		if err == nil && number > p.told {
			p.roots, p.told = &roots{s.narrowTo(list)}, number
			p.changed = p.changed && !latest
		}
	}()
	return q
}

// rootsChanged has the next call ask for a client's folders. Until it tells others
// those count that it told last.
func (s *Server) rootsChanged(_ context.Context, req *mcp.RootsListChangedRequest) {
	if p := s.known(req.Session); p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.changed, p.asked = true, nil
	}
}
