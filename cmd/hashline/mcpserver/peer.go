package mcpserver

import (
	"crypto/rand"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hashline-go/hashline/snapshot/ledger"
)

// peer is what lasts as long as somebody is connected: over standard streams the
// process, over HTTP a session, and where there are none, the token.
type peer struct {
	// ledger knows what its agent was shown.
	ledger *ledger.Ledger
	// owner tells its edits from those of others with its name.
	owner string

	mu sync.Mutex
	// roots are the folders that were told last, nil when none were yet. They
	// count until others are told.
	roots *roots
	// told is the number of the question that they answer, questions how many there
	// were. changed: they are to be asked for anew.
	told, questions int
	changed         bool
	asked           *question
}

// peer gives the peer that a request comes from.
func (s *Server) peer(req *mcp.CallToolRequest) *peer {
	if s.stateless {
		token := ""
		if req.Extra != nil && req.Extra.TokenInfo != nil {
			token = req.Extra.TokenInfo.UserID
		}
		return s.keep(token)
	}
	return s.keep(req.Session)
}

// keep gives the peer of a token or of a session, which is forgotten when that
// ends. There are no more tokens than the operator gave.
func (s *Server) keep(key any) *peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.peers[key]
	if p == nil {
		p = &peer{ledger: ledger.New(s.shelf), owner: rand.Text()}
		s.peers[key] = p
		if session, ok := key.(*mcp.ServerSession); ok {
			go s.forget(session)
		}
	}
	return p
}

func (s *Server) forget(session *mcp.ServerSession) {
	_ = session.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.peers, session)
}

// known gives the peer of a session that has called before, or nil.
func (s *Server) known(session *mcp.ServerSession) *peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.peers[session]
}
