package workspace

import (
	"slices"
	"strings"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// checkHeaders looks whether the tags are live of the headers that the hints of a
// document's faults write in the right form, so that nobody who does as a hint says
// is told only then that the tag is stale. meant are these headers, named those that
// begin a section.
func (s *Session) checkHeaders(faults hashline.Diagnostics, named, meant []hashline.Section) hashline.Diagnostics {
	out := slices.Clone(faults)
	// Of operations that cannot be read nobody knows what lines they name.
	readable := len(faults) < grammar.MaxFaults && !slices.ContainsFunc(faults, func(d *hashline.Diagnostic) bool {
		return d.Code != hashline.BadHeader
	})
	together := int64(0)
	for _, h := range meant {
		i := slices.IndexFunc(out, func(d *hashline.Diagnostic) bool { return d.Pos == h.Pos })
		pl, err := s.resolve(h.Path)
		if i < 0 || err != nil || !pl.exists {
			continue
		}
		if together += pl.info.Size(); together > maxTogether {
			break
		}
		if n := slices.IndexFunc(named, func(n hashline.Section) bool { return n.Pos == h.Pos }); n >= 0 && readable {
			h.Ops = named[n].Ops
		}
		if mended := s.checkHeader(*out[i], h, pl); mended != nil {
			out[i] = mended
		}
	}
	return out
}

// checkHeader gives the fault d of a header with what is to be said of its tag, nil
// where that is live.
func (s *Session) checkHeader(d hashline.Diagnostic, h hashline.Section, pl place) *hashline.Diagnostic {
	t := &target{section: &h, place: pl}
	if t.file, t.err = s.loadLarge(pl, false); t.err != nil {
		return nil
	}
	defer t.file.close()
	err := s.stale(t, s.judge(t))
	if err == nil || t.file.failed() != nil {
		return nil
	}
	live := t.file.snap.Tag
	d.Live = &live
	if s.sameNumbers(t, live) {
		// The same numbers mean the same rows.
		d.Hint = strings.ReplaceAll(d.Hint, hashline.Header(h.Path, h.Tag), hashline.Header(h.Path, live)) +
			"; the file has changed since the tag was " + h.Tag.String() + ", and the lines that the section names are as they were"
		return &d
	}
	d.Hint += "; but first read " + pl.path + " again, and take its tag and the line numbers from there: " + faultsOf(err)[0].Msg
	return &d
}

// sameNumbers reports whether a stale section would be the same but for its tag if
// it was corrected.
func (s *Session) sameNumbers(t *target, live hashline.Tag) bool {
	if s.ledger == nil || t.why != ledger.Stale || len(t.section.Ops) == 0 {
		return false
	}
	doc := &hashline.Document{Sections: []hashline.Section{*t.section}}
	corrected, ok := s.ledger.Correct(doc, s.lives([]*target{t}))
	if !ok || !slices.EqualFunc(corrected.Sections[0].Ops, t.section.Ops, func(a, b hashline.Op) bool { return a.Span == b.Span }) {
		return false
	}
	v := s.ledger.Judge(t.place.real, live, t.version, t.section.Ops)
	return v.Reason == "" && len(v.Moved) == 0
}
