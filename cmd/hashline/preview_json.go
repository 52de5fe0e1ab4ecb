package main

import (
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/hashline/workspace/card"
)

const (
	// previewRows is how many rows of an operation an event holds.
	previewRows = 40
	// maxPreview is after how many bytes events hold no rows any more: many
	// operations may name the same lines.
	maxPreview = 64 << 20
)

// The events of a preview in the form for programs.
type (
	sectionEvent struct {
		Event string `json:"event"`
		Path  string `json:"path"`
		Tag   string `json:"tag"`
		Line  int    `json:"line"`
		Known bool   `json:"known"`
	}
	opEvent struct {
		Event        string   `json:"event"`
		Path         string   `json:"path"`
		Summary      string   `json:"summary"`
		Line         int      `json:"line"`
		FirstRemoved int      `json:"first_removed,omitempty"`
		Removed      []string `json:"removed,omitempty"`
		MoreRemoved  int      `json:"more_removed,omitempty"`
		FirstAdded   int      `json:"first_added,omitempty"`
		Added        []string `json:"added,omitempty"`
		MoreAdded    int      `json:"more_added,omitempty"`
	}
	verdictEvent struct {
		Event   string            `json:"event"`
		Path    string            `json:"path"`
		Verdict string            `json:"verdict"`
		Faults  []workspace.Fault `json:"faults,omitempty"`
	}
	endEvent struct {
		Event     string            `json:"event"`
		OK        bool              `json:"ok"`
		Truncated bool              `json:"truncated"`
		Faults    []workspace.Fault `json:"faults,omitempty"`
	}
)

// jsonPreview writes the events of a card.
type jsonPreview struct {
	app   *app
	walk  card.Walker
	bytes int // of rows
}

// next writes the events that are new. refused is why the session would refuse a
// document that the files allow.
func (p *jsonPreview) next(c *card.Card, refused error) {
	for e := range p.walk.Next(c) {
		switch s := e.Section; e.Kind {
		case card.Header:
			p.app.json(sectionEvent{"section", s.Path, s.Tag.String(), s.Pos.Line, s.Known()})
		case card.Operation:
			p.app.json(p.op(s, e.Op))
		case card.Judged:
			event := verdictEvent{Event: "verdict", Path: s.Path, Verdict: s.Verdict.String()}
			if len(s.Faults) > 0 {
				event.Faults = workspace.Failed(s.Faults).Faults
			}
			p.app.json(event)
		case card.End:
			event := endEvent{Event: "end", OK: c.Verified() && refused == nil, Truncated: c.Truncated()}
			if faults := c.Faults(); len(faults) > 0 {
				event.Faults = workspace.Failed(faults).Faults
			} else if refused != nil {
				event.Faults = workspace.Failed(refused).Faults
			}
			p.app.json(event)
		}
	}
}

func (p *jsonPreview) op(s *card.Section, i int) opEvent {
	o := &s.Ops[i]
	most := previewRows
	if p.bytes > maxPreview {
		most = 0
	}
	rows := s.Rows(i, most)
	for _, list := range [...][]string{rows.Removed, rows.Added} {
		for _, row := range list {
			p.bytes += len(row)
		}
	}
	e := opEvent{
		Event: "op", Path: s.Path, Summary: s.Summary(i), Line: o.Pos.Line,
		Removed: rows.Removed, MoreRemoved: rows.MoreRemoved, Added: rows.Added, MoreAdded: rows.MoreAdded,
	}
	if o.Destructive() {
		e.FirstRemoved = o.Span.First
	}
	if len(o.Body) > 0 {
		e.FirstAdded = s.FirstAdded(i)
	}
	return e
}
