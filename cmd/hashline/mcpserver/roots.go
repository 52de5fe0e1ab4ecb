package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hashline-go/hashline/hashline/workspace"
)

const (
	// rootsWait is how long calls wait for a client to say which folders it has
	// open, rootsAgain when it is asked anew that has not said it by then.
	rootsWait  = 3 * time.Second
	rootsAgain = 30 * time.Second
	maxRoots   = 100
	// rootsKey names the question in protocols that ask by way of a result.
	rootsKey = "roots"
)

// roots are the folders that a client has open. A nil narrow is everything below
// the operator's root.
type roots struct{ narrow *workspace.Narrow }

// narrow says what a call may reach of the workspace: the operator's root, or what
// lies in it of the folders that the client has open. A result instead is a
// question to the client, which then calls again. A client that announces no
// folders is not asked, and one that does not answer in time reaches what it told
// last, or what the operator allows where it never told, until it does.
func (s *Server) narrow(ctx context.Context, p *peer, req *mcp.CallToolRequest) (*workspace.Narrow, *mcp.CallToolResult) {
	caps := req.ClientCapabilities()
	if s.cfg.IgnoreRoots || caps == nil || caps.RootsV2 == nil {
		return nil, nil
	}
	if req.ProtocolVersion() >= statelessVersion {
		return s.rootsByResult(p, req)
	}
	if s.stateless {
		return nil, nil // nobody could answer
	}
	q := p.question(ctx, s, req.Session)
	if q != nil {
		select {
		case <-q.done:
		case <-q.enough:
		case <-ctx.Done():
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.roots == nil {
		return nil, nil
	}
	return p.roots.narrow, nil
}

// statelessVersion is the first version of the protocol in which a server asks
// a client by way of a result.
const statelessVersion = "2026-07-28"

// rootsByResult asks by way of a result, unless the request brings the answer or
// it is known. Where requests have no session it is not kept, since others come
// with the same token.
func (s *Server) rootsByResult(p *peer, req *mcp.CallToolRequest) (*workspace.Narrow, *mcp.CallToolResult) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if given, ok := req.Params.InputResponses[rootsKey]; ok {
		list, ok := given.(*mcp.ListRootsResult)
		switch {
		case !ok && p.roots != nil:
			return p.roots.narrow, nil
		case !ok:
			return nil, nil
		}
		narrow := s.narrowTo(list)
		if !s.stateless {
			p.roots, p.changed = &roots{narrow}, false
		}
		return narrow, nil
	}
	if p.roots != nil && !p.changed {
		return p.roots.narrow, nil
	}
	return nil, &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{rootsKey: &mcp.ListRootsParams{}}}
}

// narrowTo makes a client's folders those of the workspace. What is of another
// scheme is passed over; where nothing is left the client has no folder open, which
// narrows nothing. A folder that cannot be understood is one that cannot be
// reached.
func (s *Server) narrowTo(list *mcp.ListRootsResult) *workspace.Narrow {
	var dirs, shown []string
	odd := false
	for _, r := range list.Roots[:min(len(list.Roots), maxRoots)] {
		if r == nil {
			r = new(mcp.Root)
		}
		dir, kind := fileURI(r.URI)
		switch kind {
		case usable:
			dirs = append(dirs, dir)
		case unusable:
			odd = true
		case foreign:
			continue
		}
		if name := fmt.Sprintf("%.200q", r.URI); !slices.Contains(shown, name) {
			shown = append(shown, name)
		}
	}
	if len(dirs) == 0 && !odd {
		return nil
	}
	var folders []string
	for _, dir := range s.cfg.Workspace.Inside(dirs) {
		if !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	if slices.Contains(folders, ".") {
		return nil
	}
	named := strings.Join(shown[:min(len(shown), 3)], ", ")
	if len(folders) == 0 {
		why := "lies outside of this server's root " + s.cfg.Workspace.Root()
		if len(dirs) == 0 {
			why = "is no absolute file:// address"
		}
		return &workspace.Narrow{Reason: "the client has opened " + named + ", which " + why + ", so that nothing can be reached; the user must start hashline mcp with another --root, or with --ignore-roots"}
	}
	return &workspace.Narrow{Folders: folders, Reason: "within " + s.cfg.Workspace.Root() + " only " +
		strings.Join(folders[:min(len(folders), 3)], ", ") + " can be reached; the user can start hashline mcp with --ignore-roots"}
}
