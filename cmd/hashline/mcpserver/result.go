package mcpserver

import (
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
)

// MetaKey is the member of a result's _meta that holds, for hosts, what a
// response has beside its content.
const MetaKey = "io.github.hashline-go/result"

// What hosts are told at most.
const (
	maxDiffs = 64 << 10 // bytes of all diffs together
	maxFiles = 1000
	maxNotes = 100
)

// forHosts is a response without its content.
type forHosts struct {
	OK       bool              `json:"ok"`
	Files    []workspace.File  `json:"files,omitempty"`
	Warnings []workspace.Fault `json:"warnings,omitempty"`
	Code     hashline.Code     `json:"code,omitempty"`
	Faults   []workspace.Fault `json:"faults,omitempty"`
}

// answer is a response as a result of the protocol: the text for the model in one
// block, and the rest for hosts aside. Structured content would make some clients
// hide the text.
func answer(resp workspace.Response, to client) *mcp.CallToolResult {
	result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: resp.Content}}, IsError: !resp.OK}
	if !to.bare && len(resp.Files)+len(resp.Warnings)+len(resp.Faults) > 0 {
		result.Meta = mcp.Meta{MetaKey: hostsPart(resp)}
	}
	return result
}

func hostsPart(resp workspace.Response) forHosts {
	h := forHosts{OK: resp.OK, Code: resp.Code}
	h.Warnings = resp.Warnings[:min(len(resp.Warnings), maxNotes)]
	h.Faults = resp.Faults[:min(len(resp.Faults), maxNotes)]
	h.Files = slices.Clone(resp.Files[:min(len(resp.Files), maxFiles)])
	room := maxDiffs
	for i := range h.Files {
		f := &h.Files[i]
		if len(f.Diff) > room {
			f.Diff, f.DiffOmitted = "", true
		}
		room -= len(f.Diff)
	}
	return h
}
