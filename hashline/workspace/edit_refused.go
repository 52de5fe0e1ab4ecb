package workspace

import (
	"errors"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

// anchors are the rows that a live snapshot shows for a section: both ends of
// each span and the line of each insert (spec 4).
func anchors(ops []hashline.Op) []int {
	var rows []int
	for _, o := range ops {
		switch {
		case o.Destructive():
			rows = append(rows, o.Span.First, o.Span.Last)
		case o.Kind != hashline.Append:
			rows = append(rows, o.Span.First)
		}
	}
	return rows
}

func liveView(f file, rows []int) func(int) (string, shown) {
	return func(budget int) (string, shown) {
		view := f.snap.Live(rows, budget)
		if f.failed() != nil {
			return "", shown{}
		}
		return view.Text, shown{f, view.Rows}
	}
}

func chainView(f file) func(int) (string, shown) {
	return func(budget int) (string, shown) {
		view := f.snap.Chain(budget)
		return view.Text, shown{f, view.Rows}
	}
}

// refuseEdit refuses a document whose sections do not fit their files.
func (s *Session) refuseEdit(targets []*target, corrected *hashline.Document) error {
	r := &refusal{head: editRejected}
	s.tellStale(targets)
	for _, t := range targets {
		r.faults = append(r.faults, t.faults...)
		if len(t.faults) == 0 {
			r.valid = append(r.valid, t.place.path)
		}
		if t.shown {
			r.views = append(r.views, liveView(t.file, append(anchors(t.section.Ops), t.also...)))
		}
	}
	s.addCorrected(r, targets, corrected)
	res := s.render(r)
	s.offer(targets, res.Content)
	return res
}

// torn tells whether a commit failed in the middle and could not put everything
// back. Then something was written: the system failed, whatever the cause was.
func (r *refusal) torn(err error) bool {
	var torn *commit.Torn
	if !errors.As(err, &torn) {
		return false
	}
	// Any other code would say that nothing was changed (spec 13).
	first := fault(hashline.IO, "", "the commit failed in the middle", "look at each file named here before you go on")
	r.faults = append(hashline.Diagnostics{first}, r.faults...)
	return true
}

// refuseCommit refuses a document that could not be put on disk. Files that
// another writer changed meanwhile are shown as they are now.
func (s *Session) refuseCommit(targets []*target, err error) error {
	r := &refusal{head: editRejected, faults: faultsOf(err)}
	if r.torn(err) {
		r.head = "edit failed in the middle, and not all could be put back"
	}
	seen := map[string]*hashline.Tag{}
	for _, d := range r.faults {
		if d.Code != hashline.ChangedDuringEdit {
			continue
		}
		// One file may have two faults: why the commit failed, and what was left.
		if live, again := seen[d.Path]; again {
			d.Live = live
			continue
		}
		for _, t := range targets {
			if t.place.path != d.Path {
				continue
			}
			if f, err := s.loadLarge(t.place, false); err == nil {
				r.opened = append(r.opened, f)
				live := f.snap.Tag
				d.Live = &live
				seen[d.Path] = &live
				r.views = append(r.views, liveView(f, anchors(t.section.Ops)))
			}
		}
	}
	return s.render(r)
}
