package mcpserver

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hashline-go/hashline/hashline/workspace"
)

// trait is what clients are told of a tool beside its description. They decide by
// it what they run unasked, and what they run at the same time.
type trait struct {
	title string
	// reads: nothing is changed, so that calling twice is as calling once.
	reads bool
	// destroys: text that is on disk may go. All of it can be undone, but
	// clients ask for the worst case.
	destroys bool
	// twice: a second call with the same arguments changes nothing more. A
	// document is refused, since its tag is old.
	twice bool
	// core: without it an agent cannot work, so it is not to be loaded late.
	core bool
}

var traits = map[string]trait{
	"read_file": {title: "Read file", reads: true, twice: true, core: true},
	"grep":      {title: "Search files", reads: true, twice: true, core: true},
	"edit":      {title: "Edit files", destroys: true, twice: true, core: true},
	"write":     {title: "Write file", destroys: true, twice: true, core: true},
	"undo":      {title: "Undo edit", destroys: true},
}

// Some clients cut an answer of more characters than this, if they are not told
// otherwise.
const usualResult = 50_000

// tool describes a tool of the workspace to clients.
func (s *Server) tool(t workspace.Tool) *mcp.Tool {
	trait := traits[t.Name]
	closed := false
	tool := &mcp.Tool{
		Name: t.Name, Title: trait.title, Description: t.Description, InputSchema: t.Schema(),
		Annotations: &mcp.ToolAnnotations{
			Title: trait.title, ReadOnlyHint: trait.reads, DestructiveHint: &trait.destroys,
			IdempotentHint: trait.twice, OpenWorldHint: &closed,
		},
	}
	meta := mcp.Meta{}
	if trait.core {
		meta["anthropic/alwaysLoad"] = true
	}
	if n := s.cfg.Agent.OutputLimit; n > usualResult {
		meta["anthropic/maxResultSizeChars"] = n
	}
	if len(meta) > 0 {
		tool.Meta = meta
	}
	return tool
}
