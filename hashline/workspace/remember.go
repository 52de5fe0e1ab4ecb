package workspace

import (
	"time"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// The ledger knows files by their real paths, so that one that is read by a link
// and edited by its name is the same file.

// see remembers the rows that an answer shows.
func (s *Session) see(list []shown) { s.remember(list, (*ledger.Ledger).Shown) }

// glimpse is see for the refusal of a document that could not be judged.
func (s *Session) glimpse(list []shown) { s.remember(list, (*ledger.Ledger).Glimpsed) }

func (s *Session) remember(list []shown, as func(*ledger.Ledger, string, ledger.Version, []hashline.Span, time.Time)) {
	if s.ledger == nil {
		return
	}
	for _, v := range list {
		if v.snap.Text != nil {
			as(s.ledger, v.place.real, s.versionOf(v.file), v.rows, time.Now())
		}
	}
}

// learnEdit remembers what the session's own edit did. The files are still
// locked.
func (s *Session) learnEdit(docs []*hashline.Document, targets []*target, list []shown) {
	if s.ledger == nil {
		return
	}
	rows := map[string][]hashline.Span{}
	for _, v := range list {
		rows[v.place.real] = v.rows
	}
	landed := make([]ledger.Landed, len(targets))
	for i, t := range targets {
		real := t.place.real
		left := s.versionAfter(t)
		landed[i] = ledger.Landed{Path: real, Base: t.version, Result: left}
		if !t.edit.Changed {
			s.ledger.Shown(real, left, rows[real], time.Now())
			continue
		}
		if t.rebased == nil {
			// The agent wrote the tag itself: another edit of the same batch is stale,
			// not of an unknown text.
			s.ledger.Shown(real, t.version, nil, time.Now())
		}
		s.ledger.Edited(real, t.version, left, t.changes(), rows[real], time.Now())
	}
	for _, doc := range docs {
		s.ledger.NoteApplied(doc, landed)
	}
}

// versionAfter is what an edit left, as the ledger knows it.
func (s *Session) versionAfter(t *target) ledger.Version {
	switch {
	case t.after.Text.InMemory():
		return ledger.VersionOf(s.scheme, t.after.Text)
	case !t.edit.Changed:
		return s.versionOf(t.file)
	}
	return ledger.Version{Tag: t.after.Tag, Sum: t.tagger.Sum64(), Lines: t.after.Text.Lines()}
}

// learnWrite remembers that the session wrote a whole file; before is nil for
// one that it created.
func (s *Session) learnWrite(before *file, after file) {
	if s.ledger == nil {
		return
	}
	var old ledger.Version
	if before != nil {
		old = s.versionOf(*before)
	}
	s.ledger.Wrote(after.place.real, old, s.versionOf(after), time.Now())
}

// learnUndo remembers what an undo did to files. One that is no text now is as
// good as gone.
func (s *Session) learnUndo(list []pending, seen []shown) {
	if s.ledger == nil {
		return
	}
	rows := map[string][]hashline.Span{}
	for _, v := range seen {
		rows[v.place.real] = v.rows
	}
	for _, p := range list {
		real := p.place.real
		old, errOld := snapshot.Decode(p.old)
		left, err := snapshot.Decode(p.new)
		switch {
		case p.remove || err != nil:
			s.ledger.Removed(real)
		case p.create || errOld != nil:
			s.ledger.Undone(real, ledger.Version{}, ledger.VersionOf(s.scheme, left), nil, rows[real], time.Now())
		default:
			s.ledger.Undone(real, ledger.VersionOf(s.scheme, old), ledger.VersionOf(s.scheme, left), nil, rows[real], time.Now())
		}
	}
}
