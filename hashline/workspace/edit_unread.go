package workspace

import (
	"errors"
	"slices"
	"strings"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

// refuseSyntax refuses a document that does not parse, with snapshots of the
// sections that could be read (spec 7), and of those whose headers at least name a
// file.
func (s *Session) refuseSyntax(document string, doc *hashline.Document, err error) error {
	named, meant := grammar.Named(document)
	r := &refusal{head: editRejected, faults: s.checkHeaders(s.namingNone(faultsOf(err), named), named, meant)}
	sections := append(slices.Clone(doc.Sections), named...)
	slices.SortStableFunc(sections, func(a, b hashline.Section) int { return a.Pos.Offset - b.Pos.Offset })
	s.addUnchecked(r, sections)
	return s.render(r)
}

// namingNone gives the faults of a document; where a header that cannot be read
// names what cannot be edited anyhow, its fault says so: no view shows its tag.
func (s *Session) namingNone(faults hashline.Diagnostics, named []hashline.Section) hashline.Diagnostics {
	out := slices.Clone(faults)
	for i, d := range faults {
		at := slices.IndexFunc(named, func(n hashline.Section) bool { return n.Pos.Line == d.Pos.Line })
		if d.Code != hashline.BadHeader && d.Code != hashline.BadTag || at < 0 {
			continue
		}
		why := ""
		pl, err := s.resolve(named[at].Path)
		switch other, ok := errors.AsType[*hashline.Diagnostic](err); {
		case ok:
			why = other.Msg + "; " + other.Hint
		case err == nil && !pl.exists:
			why = "there is no such file; " + useWrite
		default:
			continue
		}
		mended := *d
		mended.Hint = strings.TrimSuffix(why, "; ")
		out[i] = &mended
	}
	return out
}

// refuseTwice refuses a document that has several sections for one file, with a
// snapshot of each such file.
func (s *Session) refuseTwice(doc *hashline.Document, dups hashline.Diagnostics) error {
	twice := map[hashline.Position]bool{}
	for _, d := range dups {
		twice[d.Pos], twice[d.Related] = true, true
	}
	sections := slices.DeleteFunc(slices.Clone(doc.Sections), func(section hashline.Section) bool { return !twice[section.Pos] })
	r := &refusal{head: editRejected, faults: dups}
	s.addUnchecked(r, sections)
	return s.render(r)
}

// addUnchecked adds live snapshots of files that could not be checked yet, one for
// each, around the lines that all its sections name. What may not be read, or
// would be too much together, is left out.
func (s *Session) addUnchecked(r *refusal, sections []hashline.Section) {
	r.unjudged = true
	type view struct {
		place place
		rows  []int
	}
	var views []*view
	byReal, byID := map[string]*view{}, map[commit.ID]*view{}
	together := int64(0)
	for _, section := range sections {
		pl, err := s.resolve(section.Path)
		if err != nil || !pl.exists {
			continue
		}
		v := byReal[pl.real]
		id, ok := pl.info.ID()
		if v == nil && ok {
			v = byID[id]
		}
		if v == nil {
			if together += pl.info.Size(); together > maxTogether {
				break
			}
			v = &view{place: pl}
			if byReal[pl.real] = v; ok {
				byID[id] = v
			}
			views = append(views, v)
		}
		v.rows = append(v.rows, anchors(section.Ops)...)
	}
	for _, v := range views {
		// Each is read when its turn comes; all are held until the answer is written.
		r.views = append(r.views, func(budget int) (string, shown) {
			f, err := s.loadLarge(v.place, false)
			if err != nil {
				return "", shown{}
			}
			r.opened = append(r.opened, f)
			return liveView(f, v.rows)(budget)
		})
	}
}
