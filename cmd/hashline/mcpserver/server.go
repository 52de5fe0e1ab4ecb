// Package mcpserver offers the tools of a workspace to agents by the Model Context
// Protocol (spec 14): on standard streams and as streamable HTTP, in every
// version of the protocol that the SDK speaks. It alone knows the SDK's server.
package mcpserver

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// Config says what is served and how.
type Config struct {
	// Workspace is what the tools act in. Required. It is the caller's to close,
	// after the server has ended.
	Workspace *workspace.Workspace
	// Version is told to clients. Required.
	Version string
	// Agent says how agents are answered. Its name is by default that of the
	// client, and its output limit what the client is known to keep; each
	// connection has a ledger of its own. Optional.
	Agent workspace.SessionConfig
	// IgnoreRoots leaves the folders that a client announces unasked. Optional.
	IgnoreRoots bool
	// Report is told, for people to read, of what should not have happened.
	// Optional. It may be called by several goroutines at once.
	Report func(string)
}

// Server serves one workspace. It may serve several connections at once.
type Server struct {
	cfg Config
	mcp *mcp.Server
	// call runs a tool. It and these limits are others in tests.
	call                                 func(context.Context, *workspace.Session, string, []byte) workspace.Response
	rootsWait, rootsAgain, progressEvery time.Duration
	maxSessions, maxMessage              int
	intake                               *intake

	// running counts the calls of tools that are under way.
	running atomic.Int64
	// posts counts requests of HTTP that have no answer yet.
	posts atomic.Int64
	// These bound how many calls run at once.
	searches, reads, changes *turns
	// ending is cancelled when calls are to come to an end.
	ending context.Context
	end    context.CancelFunc

	// stateless: a request has no session, but that of its token.
	stateless bool
	// shelf keeps the texts that agents were shown, once for all of them.
	shelf *ledger.Shelf
	mu    sync.Mutex
	peers map[any]*peer
}

// New makes a server. It does nothing until it is told to serve.
func New(cfg Config) *Server {
	s := &Server{
		cfg: cfg, call: callTool, rootsWait: rootsWait, rootsAgain: rootsAgain, progressEvery: progressEvery,
		maxSessions: maxSessions, maxMessage: maxMessage, peers: map[any]*peer{}, shelf: ledger.NewShelf(0, 0),
		searches: newTurns(maxRunning()), reads: newTurns(maxRunning()), changes: newTurns(maxRunning()), intake: newIntake(maxMessage),
	}
	s.ending, s.end = context.WithCancel(context.Background())
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "hashline", Title: "hashline", Version: cfg.Version}, &mcp.ServerOptions{
		Instructions:            workspace.Instructions(),
		Capabilities:            &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		RootsListChangedHandler: s.rootsChanged,
	})
	s.mcp.AddReceivingMiddleware(s.recovering)
	for _, t := range workspace.Tools() {
		s.mcp.AddTool(s.tool(t), s.handler(t.Name))
	}
	return s
}
