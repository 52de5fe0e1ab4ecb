package workspace

import (
	"strings"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// already answers a document that the session applied before, where doing it
// again is not what is wanted (spec 9); nil where that is not so.
func (s *Session) already(doc *hashline.Document, targets []*target) *Result {
	if s.ledger == nil || !s.ledger.Applied(doc, s.lives(targets)) {
		return nil
	}
	res := &Result{}
	headers := make([]string, len(targets))
	for i, t := range targets {
		headers[i] = t.file.snap.Header()
		res.Sections = append(res.Sections, Section{Path: t.place.path})
		s.see([]shown{{file: t.file}})
	}
	var b strings.Builder
	bounded(&b, "already applied: this session applied the same document before, and only its own edits have changed the files since; nothing was done again. To do it again on purpose, send it under the live headers with the numbers of a read\n", headers, "\n", s.limit, "files")
	res.Content = b.String()
	return res
}

// lives are the files of a document as the ledger knows them, nil where one of
// them could not be read.
func (s *Session) lives(targets []*target) []ledger.Live {
	var list []ledger.Live
	for _, t := range targets {
		if t.file.snap.Text == nil {
			return nil
		}
		list = append(list, ledger.Live{Path: t.place.real, Version: t.version})
	}
	return list
}

// correct gives the document that means in the live texts what a stale one
// meant, nil where that cannot be told without a guess or would be refused too
// (spec 9).
func (s *Session) correct(doc *hashline.Document, targets []*target) *hashline.Document {
	if s.ledger == nil {
		return nil
	}
	for _, t := range targets {
		if len(t.faults) > 0 && t.why != ledger.Stale {
			return nil
		}
	}
	corrected, ok := s.ledger.Correct(doc, s.lives(targets))
	if !ok {
		return nil
	}
	for i, t := range targets {
		if len(t.faults) > 0 && apply.Check(t.file.snap.Text, corrected.Sections[i].Ops) != nil {
			return nil
		}
	}
	return corrected
}

// addCorrected puts the corrected document at the end of a refusal, where there
// is room for it.
func (s *Session) addCorrected(r *refusal, targets []*target, corrected *hashline.Document) {
	if corrected == nil {
		return
	}
	text := strings.TrimSuffix(corrected.String(), "\n")
	if len(text) > s.refusalLimit()/2 {
		return
	}
	r.last = "\n\nCorrected document:\n" + text
	for i, t := range targets {
		if len(t.faults) == 0 {
			continue
		}
		for _, d := range t.faults {
			d.Hint = "the corrected document below means the same in the live text: send it if that is still wanted"
		}
		t.offers = append(t.offers, ledger.OffersOf(corrected.Sections[i].Ops)...)
	}
}

// mayRebase reports whether a corrected document may be applied without asking: not
// where only lines may be edited that were shown, and it touches others.
func (s *Session) mayRebase(corrected *hashline.Document, targets []*target) bool {
	if corrected == nil || !s.rebase {
		return false
	}
	for i, t := range targets {
		if s.requireSeen == Enforce && len(s.neverShown(t, &corrected.Sections[i])) > 0 {
			return false
		}
	}
	return true
}

// rebaseTo puts the corrected sections in the place of the stale ones and
// validates them. The answer says so.
func (s *Session) rebaseTo(corrected *hashline.Document, targets []*target) bool {
	stale := make([]bool, len(targets))
	for i, t := range targets {
		stale[i] = len(t.faults) > 0
		t.file.close() // it is read anew
		*t = target{section: &corrected.Sections[i], place: t.place, found: t.found, rebased: t.section}
	}
	if !s.validateAll(targets) {
		return false
	}
	for i, t := range targets {
		if stale[i] {
			t.edit.Warnings = append(t.edit.Warnings, &hashline.Diagnostic{
				Code: hashline.Rebased, Path: t.place.path,
				Msg:  "the document was written for " + t.rebased.Tag.String() + ", an older text; its lines stand elsewhere or under another tag now, and it was applied there: " + movedOps(t.rebased.Ops, t.section.Ops),
				Hint: "check the rows above",
			})
		}
	}
	return true
}

// movedOps says where the lines of operations were and are.
func movedOps(was, is []hashline.Op) string {
	var parts []string
	for i, o := range was {
		if o.Kind == hashline.Append {
			continue
		}
		if len(parts) == maxPlaces {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, lineOf(o.Span.First, o.Span.Last)+" → "+lineOf(is[i].Span.First, is[i].Span.Last))
	}
	if len(parts) == 0 {
		return "at the end of the file"
	}
	return strings.Join(parts, ", ")
}
