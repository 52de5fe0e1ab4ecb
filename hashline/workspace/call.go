package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// Response is the answer of a call in the form for programs (spec 13).
type Response struct {
	OK      bool   `json:"ok"`
	Content string `json:"content"`
	// Files and Warnings are there on success only.
	Files    []File  `json:"files,omitempty"`
	Warnings []Fault `json:"warnings,omitempty"`
	// Code and Faults are there on refusal only.
	Code   hashline.Code `json:"code,omitempty"`
	Faults []Fault       `json:"faults,omitempty"`
	// Invalid tells that the call itself was wrong, an unknown tool or
	// arguments that are no JSON object, so that no tool was asked.
	Invalid bool `json:"-"`
}

// File is a [FileChange] in the form for programs.
type File struct {
	Path   string `json:"path"`
	OldTag string `json:"old_tag,omitempty"`
	NewTag string `json:"new_tag,omitempty"`
	// Added and Removed count the lines of the diff, or, where it is omitted,
	// those that the operations wrote and took away.
	Added       int    `json:"added"`
	Removed     int    `json:"removed"`
	Diff        string `json:"diff,omitempty"`
	DiffOmitted bool   `json:"diff_omitted,omitempty"`
}

// Fault is a [hashline.Diagnostic] in the form for programs.
type Fault struct {
	Path    string        `json:"path,omitempty"`
	Code    hashline.Code `json:"code"`
	Reason  string        `json:"reason,omitempty"`
	Line    int           `json:"line,omitempty"`
	Column  int           `json:"column,omitempty"`
	Message string        `json:"message"`
	Hint    string        `json:"hint"`
	LiveTag string        `json:"live_tag,omitempty"`
}

// What a response holds at most beside its content, which has its own limit.
const (
	maxFaults = 1000
	maxDiffs  = 16 << 20 // bytes of all diffs together
)

// Call runs the tool with a name on a JSON object of arguments (spec 8 and 13).
// It never fails but in its response.
func (s *Session) Call(ctx context.Context, name string, input []byte) Response {
	tool, ok := FindTool(name)
	if !ok {
		d := badArgument("there is no tool %q", cut(name, 80))
		d.Hint = "the tools are"
		for _, t := range Tools() {
			d.Hint += " " + t.Name
		}
		return invalid("call rejected", d)
	}
	all, err := members(input)
	if err != nil {
		d := faultsOf(err)[0]
		d.Hint = "send one JSON object, such as " + tool.example
		return invalid(tool.head, d)
	}
	a, err := tool.decode(all)
	if err != nil {
		return refused(s.refuse(tool.head, err))
	}
	res, err := tool.call(ctx, s, a)
	if err != nil {
		var r *Refusal
		if !errors.As(err, &r) {
			r = s.refuse(tool.head, err)
		}
		return refused(r)
	}
	resp := success(res)
	var told hashline.Diagnostics
	resp.Content, told = s.withRecovery(resp.Content)
	resp.Warnings = append(resp.Warnings, faults(told)...)
	return resp
}

// Failed gives the response for an error outside of any call, such as a root
// that cannot be opened.
func Failed(err error) Response {
	resp := invalid("call rejected", err)
	resp.Invalid = false
	return resp
}

func invalid(head string, err error) Response {
	r := &refusal{head: head, faults: faultsOf(err)}
	resp := refused(r.render(OutputLimit))
	resp.Invalid = true
	return resp
}

func refused(r *Refusal) Response {
	return Response{Content: r.Content, Code: r.Code(), Faults: faults(r.Faults)}
}

// success gives a result in the form for programs.
func success(res *Result) Response {
	resp := Response{OK: true, Content: res.Content, Warnings: faults(res.Warnings)}
	room := maxDiffs
	for _, c := range res.Files {
		f := File{Path: c.Path, Added: c.Added, Removed: c.Removed}
		if c.OldTag != nil {
			f.OldTag = c.OldTag.String()
		}
		if c.NewTag != nil {
			f.NewTag = c.NewTag.String()
		}
		diff, ok := "", false
		if room > 0 {
			diff, ok = c.Diff()
		}
		if ok = ok && len(diff) <= room; ok {
			f.Diff = diff
			// What is counted and what is shown agree.
			f.Added, f.Removed = countLines(diff)
		}
		f.DiffOmitted = !ok
		room -= len(f.Diff)
		resp.Files = append(resp.Files, f)
	}
	return resp
}

// countLines counts the lines that a diff adds and removes.
func countLines(diff string) (added, removed int) {
	header := 2
	for line := range strings.Lines(diff) {
		switch {
		case header > 0:
			header-- // the names of both versions
		case line[0] == '+':
			added++
		case line[0] == '-':
			removed++
		}
	}
	return added, removed
}

func faults(ds hashline.Diagnostics) []Fault {
	var list []Fault
	for _, d := range ds[:min(len(ds), maxFaults)] {
		f := Fault{
			Path: d.Path, Code: d.Code, Reason: d.Reason, Line: d.Pos.Line, Column: d.Pos.Column,
			Message: d.Msg, Hint: d.Hint,
		}
		if d.Live != nil {
			f.LiveTag = d.Live.String()
		}
		list = append(list, f)
	}
	return list
}

// MarshalJSON keeps files and warnings apart from refusals: a success has both
// members, if only as empty lists, and a refusal has neither. Source text is
// full of "<" and "&", which are left as they are.
func (r Response) MarshalJSON() ([]byte, error) {
	if !r.OK {
		return marshal(struct {
			OK      bool          `json:"ok"`
			Content string        `json:"content"`
			Code    hashline.Code `json:"code"`
			Faults  []Fault       `json:"faults"`
		}{false, r.Content, r.Code, r.Faults})
	}
	if r.Files == nil {
		r.Files = []File{}
	}
	if r.Warnings == nil {
		r.Warnings = []Fault{}
	}
	return marshal(struct {
		OK       bool    `json:"ok"`
		Content  string  `json:"content"`
		Files    []File  `json:"files"`
		Warnings []Fault `json:"warnings"`
	}{true, r.Content, r.Files, r.Warnings})
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}
