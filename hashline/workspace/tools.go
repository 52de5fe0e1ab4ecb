package workspace

import (
	"context"
	"encoding/json"

	"github.com/hashline-go/hashline/grammar"
)

// Tool is one tool of the workspace as agents see it (spec 8).
type Tool struct {
	// Name is what the agent calls.
	Name string
	// Description teaches the tool's use and stands alone.
	Description string
	// Params are the arguments, required ones first.
	Params []Param
	// MaxInput is how many bytes of JSON arguments the tool takes: the longest
	// text that it accepts, and room for escapes. Whoever reads the arguments
	// from a stream need not read on beyond it.
	MaxInput int64

	call func(ctx context.Context, s *Session, a args) (*Result, error)
	head string
	// example is a JSON object of arguments.
	example string
}

// Param is one argument of a [Tool].
type Param struct {
	// Name is exact; near misses are refused with this name.
	Name string
	// Type is "string", "integer" or "boolean".
	Type string
	// Required tells whether the call fails without it.
	Required bool
	// Doc says what it means, with its limits.
	Doc string
	// Enum lists the allowed values of a string; nil allows all.
	Enum []string

	synonyms []string
	// opposites are names that say the contrary of the parameter.
	opposites []string
	// tag says that the value is the tag of a file, or a word.
	tag bool
}

// Schema gives the JSON schema of the tool's arguments: a flat object of plain
// types, open to more properties.
func (t Tool) Schema() json.RawMessage {
	type property struct {
		Type        string   `json:"type"`
		Description string   `json:"description"`
		Enum        []string `json:"enum,omitempty"`
	}
	props := map[string]property{}
	required := []string{}
	for _, p := range t.Params {
		props[p.Name] = property{p.Type, p.Doc, p.Enum}
		if p.Required {
			required = append(required, p.Name)
		}
	}
	schema, err := json.Marshal(struct {
		Type       string              `json:"type"`
		Properties map[string]property `json:"properties"`
		Required   []string            `json:"required"`
	}{"object", props, required})
	if err != nil {
		panic(err) // strings and maps of strings always marshal
	}
	return schema
}

// What the tools take, in bytes of JSON arguments. In JSON a character of one
// byte may be written as six.
const (
	fewArguments  = 1 << 20
	editArguments = 6*grammar.MaxBytes + fewArguments
	fileArguments = MaxFile + 1<<27
)

// Tools lists the tools in the order of the contract. The slice is the
// caller's.
func Tools() []Tool {
	return []Tool{readTool(), grepTool(), editTool(), writeTool(), undoTool()}
}

// FindTool gives the tool with a name.
func FindTool(name string) (Tool, bool) {
	for _, t := range Tools() {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

func pathParam(doc string) Param {
	return Param{
		Name: "path", Type: "string", Required: true, Doc: doc,
		synonyms: []string{"file_path", "file", "filename", "file_name", "target_file", "absolute_path", "relative_path"},
	}
}

func readTool() Tool {
	return Tool{
		Name: "read_file", Description: describe("read_file"), head: "read_file rejected", MaxInput: fewArguments,
		example: `{"path": "src/main.go"}`,
		Params: []Param{
			pathParam("File to read, relative to the workspace root."),
			{Name: "offset", Type: "integer", Doc: "First row to show, from 1. Default 1.", synonyms: []string{"start", "start_line", "line", "from", "line_start", "first", "first_line", "from_line", "begin", "tail"}},
			{Name: "limit", Type: "integer", Doc: "How many rows to show at most, at least 1. Default: as many as fit.", synonyms: []string{"count", "lines", "num_lines", "max_lines", "line_count", "head"}},
			{Name: "ranges", Type: "string", Doc: "Several runs of rows instead of offset and limit, such as 10-20,80-95.", synonyms: []string{"range", "line_range", "line_ranges", "view_range", "end_line", "line_end", "end", "to", "last", "last_line", "to_line", "until", "rows"}},
		},
		call: func(ctx context.Context, s *Session, a args) (*Result, error) {
			return s.Read(ctx, ReadArgs{Path: a.str("path"), Offset: a.num("offset"), Limit: a.num("limit"), Ranges: a.str("ranges")})
		},
	}
}

func editTool() Tool {
	return Tool{
		Name: "edit", Description: describe("edit"), head: editRejected, MaxInput: editArguments,
		example: `{"input": "[src/main.go#1A2B]\nPUT 3:\n+new text of line 3"}`,
		Params: []Param{
			{Name: "input", Type: "string", Required: true, Doc: "The whole document: [path#TAG] headers with PUT and CUT operations under them.", synonyms: []string{"document", "doc", "patch", "diff", "edits", "text", "content"}},
		},
		call: func(ctx context.Context, s *Session, a args) (*Result, error) {
			return s.Edit(ctx, a.str("input"))
		},
	}
}

func writeTool() Tool {
	return Tool{
		Name: "write", Description: describe("write"), head: writeRejected, MaxInput: fileArguments,
		example: `{"path": "src/new.go", "content": "package main\n"}`,
		Params: []Param{
			pathParam("File to create or rewrite, relative to the workspace root."),
			{Name: "content", Type: "string", Required: true, Doc: "The whole text of the file, written as given.", synonyms: []string{"contents", "text", "file_text", "body", "data", "new_content"}},
			{Name: "expect", Type: "string", Doc: "What must be on disk: the file's 4-digit tag, or absent for a file that must not exist. Anything else is refused.", synonyms: []string{"tag", "expected", "expected_tag"}, tag: true},
		},
		call: func(ctx context.Context, s *Session, a args) (*Result, error) {
			if expect, given := a["expect"]; given && expect == "" {
				// An empty variable somewhere must not take the guard away.
				d := badArgument("expect is empty")
				d.Hint = "give the file's tag or absent, or leave expect out"
				return nil, s.refuse(writeRejected, d)
			}
			return s.Write(ctx, WriteArgs{Path: a.str("path"), Content: a.str("content"), Expect: a.str("expect")})
		},
	}
}
