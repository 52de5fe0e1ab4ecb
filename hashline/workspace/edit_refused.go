package workspace

import (
	"errors"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
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

func liveView(snap snapshot.Snapshot, ops []hashline.Op) func(int) snapshot.View {
	return func(budget int) snapshot.View { return snap.Live(anchors(ops), budget) }
}

// refuseSyntax refuses a document that does not parse, with snapshots of the
// sections that could be read (spec 7).
func (w *Workspace) refuseSyntax(doc *hashline.Document, err error) error {
	r := &refusal{head: editRejected, faults: faultsOf(err)}
	seen := map[string]bool{}
	for i := range doc.Sections {
		s := &doc.Sections[i]
		pl, err := w.resolve(s.Path)
		if err != nil || seen[pl.real] {
			continue
		}
		seen[pl.real] = true
		if f, err := w.load(pl); err == nil {
			r.views = append(r.views, liveView(f.snap, s.Ops))
		}
	}
	return r.render(w.limit)
}

// refuseEdit refuses a document whose sections do not fit their files.
func (w *Workspace) refuseEdit(targets []*target) error {
	r := &refusal{head: editRejected}
	for _, t := range targets {
		r.faults = append(r.faults, t.faults...)
		if len(t.faults) == 0 {
			r.valid = append(r.valid, t.place.path)
		}
		if t.shown {
			r.views = append(r.views, liveView(t.file.snap, t.section.Ops))
		}
	}
	return r.render(w.limit)
}

// refuseCommit refuses a document that could not be put on disk. Files that
// another writer changed meanwhile are shown as they are now.
func (w *Workspace) refuseCommit(targets []*target, err error) error {
	r := &refusal{head: editRejected, faults: faultsOf(err)}
	var torn *commit.Torn
	if errors.As(err, &torn) {
		r.head = "edit failed in the middle, and not all could be put back"
	}
	for _, d := range r.faults {
		if d.Code != hashline.ChangedDuringEdit {
			continue
		}
		for _, t := range targets {
			if t.place.path != d.Path {
				continue
			}
			if f, err := w.load(t.place); err == nil {
				live := f.snap.Tag
				d.Live = &live
				r.views = append(r.views, liveView(f.snap, t.section.Ops))
			}
		}
	}
	return r.render(w.limit)
}
