package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
)

// handler makes the handler of a tool. The tool checks the arguments itself: what
// it says of wrong ones teaches more than a schema does.
func (s *Server) handler(tool string) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
		s.running.Add(1)
		defer s.running.Add(-1)
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ending, cancel)()
		who := s.client(req)
		defer func() {
			if p := recover(); p != nil {
				s.report(p)
				result, err = answer(crashed(p), who), nil
			}
		}()

		peer := s.peer(req)
		narrow, ask := s.narrow(ctx, peer, req)
		if ask != nil {
			return ask, nil
		}
		defer s.progress(ctx, req)()
		// Where it was cancelled while it waited, the tool says so.
		if done, ok := s.turns(tool).take(ctx, peer); ok {
			defer done()
		}
		input := []byte(req.Params.Arguments)
		if len(input) == 0 {
			input = []byte("{}")
		}
		return answer(s.call(ctx, s.session(peer, who, narrow), tool, input), who), nil
	}
}

// turns are those that calls of a tool wait for. A search may take long, and a change
// may wait for the lock of a file: they keep nothing else.
func (s *Server) turns(tool string) *turns {
	switch tool {
	case "grep":
		return s.searches
	case "read_file":
		return s.reads
	}
	return s.changes
}

// session makes the session of a call. What lasts longer than the call lives in
// the peer.
func (s *Server) session(p *peer, who client, narrow *workspace.Narrow) *workspace.Session {
	cfg := s.cfg.Agent
	cfg.Name, cfg.OutputLimit, cfg.RefusalLimit, cfg.RowLimit = who.name, who.limit, who.refusal, who.rows
	cfg.Narrow, cfg.Ledger, cfg.Owner = narrow, p.ledger, p.owner
	return s.cfg.Workspace.Session(cfg)
}

// callTool runs a tool; tests put others in its place.
func callTool(ctx context.Context, agent *workspace.Session, tool string, input []byte) workspace.Response {
	return agent.Call(ctx, tool, input)
}

// crashed is the response of a call whose tool panicked. The server lives on.
func crashed(p any) workspace.Response {
	return workspace.Failed(&hashline.Diagnostic{
		Code: hashline.IO, Msg: fmt.Sprintf("this is a bug in hashline: %.200v", p),
		Hint: "look at the files before you go on, and report the bug; other calls go on as before",
	})
}

// report tells people of a panic.
func (s *Server) report(p any) {
	if s.cfg.Report != nil {
		s.cfg.Report(fmt.Sprintf("a bug in hashline: %v\n%s", p, debug.Stack()))
	}
}

// recovering makes a panic anywhere else the error of its request.
func (s *Server) recovering(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.report(p)
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("this is a bug in hashline: %.200v", p)}
			}
		}()
		result, err = next(ctx, method, req)
		if e, ok := errors.AsType[*jsonrpc.Error](err); ok && len(e.Message) > maxTold {
			err = told(e)
		}
		return result, err
	}
}
