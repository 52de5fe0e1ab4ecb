package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hashline-go/hashline/hashline/workspace"
)

const (
	// rootsWait is how long a client has to say which folders it has open.
	rootsWait = 3 * time.Second
	maxRoots  = 100
	// rootsKey names the question in protocols that ask by way of a result.
	rootsKey = "roots"
)

// roots are the folders that a client has open. A nil narrow is everything below
// the operator's root.
type roots struct{ narrow *workspace.Narrow }

// narrow says what a call may reach of the workspace: the operator's root, or what
// lies in it of the folders that the client has open. A result instead is a
// question to the client, which then calls again. A client that announces no
// folders is not asked, and one that does not answer in time reaches what the
// operator allows.
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
	// Calls that come together ask once.
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.roots == nil {
		ctx, cancel := context.WithTimeout(ctx, s.rootsWait)
		defer cancel()
		list, err := req.Session.ListRoots(ctx, nil)
		switch {
		case err == nil:
			p.roots = &roots{s.narrowTo(list)}
		case ctx.Err() != nil:
			p.roots = new(roots) // it is not waited for again
		default:
			return nil, nil
		}
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
		if !ok {
			list = new(mcp.ListRootsResult)
		}
		narrow := s.narrowTo(list)
		if !s.stateless {
			p.roots = &roots{narrow}
		}
		return narrow, nil
	}
	if p.roots != nil {
		return p.roots.narrow, nil
	}
	return nil, &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{rootsKey: &mcp.ListRootsParams{}}}
}

// rootsChanged forgets a client's folders, so that the next call asks for them.
func (s *Server) rootsChanged(_ context.Context, req *mcp.RootsListChangedRequest) {
	if p := s.known(req.Session); p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.roots = nil
	}
}

// narrowTo makes a client's folders those of the workspace. What is no file URI
// is passed over; where nothing is left the client has no folder open, which
// narrows nothing.
func (s *Server) narrowTo(list *mcp.ListRootsResult) *workspace.Narrow {
	var dirs, shown []string
	for _, r := range list.Roots[:min(len(list.Roots), maxRoots)] {
		if r == nil {
			continue
		}
		if dir, ok := fileURI(r.URI); ok {
			dirs = append(dirs, dir)
			shown = append(shown, fmt.Sprintf("%.200q", r.URI))
		}
	}
	if len(dirs) == 0 {
		return nil
	}
	folders := s.cfg.Workspace.Inside(dirs)
	if slices.Contains(folders, ".") {
		return nil
	}
	named := strings.Join(shown[:min(len(shown), 3)], ", ")
	if len(folders) == 0 {
		return &workspace.Narrow{Reason: "the client has opened " + named + ", which lies outside of this server's root " +
			s.cfg.Workspace.Root() + ", so that nothing can be reached; the user must start hashline mcp with another --root, or with --ignore-roots"}
	}
	return &workspace.Narrow{Folders: folders, Reason: "within " + s.cfg.Workspace.Root() + " only " +
		strings.Join(folders[:min(len(folders), 3)], ", ") + " can be reached; the user can start hashline mcp with --ignore-roots"}
}

// fileURI gives the absolute path that a file URI names, "" for a folder of
// another host; ok is false for all else.
func fileURI(uri string) (dir string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || !strings.EqualFold(u.Scheme, "file") || !strings.HasPrefix(u.Path, "/") || strings.ContainsRune(u.Path, 0) {
		return "", false
	}
	if u.Host != "" && !strings.EqualFold(u.Host, "localhost") {
		return "", true
	}
	if runtime.GOOS != "windows" {
		return u.Path, true
	}
	dir = filepath.FromSlash(strings.TrimPrefix(u.Path, "/"))
	return dir, filepath.IsAbs(dir)
}
