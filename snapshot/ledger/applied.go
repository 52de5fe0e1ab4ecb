package ledger

import (
	"crypto/sha256"
	"path"
	"slices"

	"github.com/hashline-go/hashline/hashline"
)

const (
	maxApplied = 256
	// maxSections is how many sections all documents have together, unless the
	// last one alone has more.
	maxSections = 4096
	// maxChain is how many later states of a file are remembered of each
	// document.
	maxChain = 64
)

// applied is a document that the session applied.
type applied struct {
	sum      [sha256.Size]byte
	sections []result
}

// result is what a section left, and what the session's later edits made of it.
type result struct {
	path string
	base ident
	// states are what the section left and then what each later edit did, the
	// oldest dropped first but for the first.
	states []ident
	// open: the last state is the one that the session left last.
	open bool
}

// documentSum is that of the canonical form, however paths are written.
func documentSum(doc *hashline.Document) [sha256.Size]byte {
	clean := hashline.Document{Sections: slices.Clone(doc.Sections)}
	for i := range clean.Sections {
		clean.Sections[i].Path = path.Clean(clean.Sections[i].Path)
	}
	return sha256.Sum256([]byte(clean.String()))
}

// Landed is what became of one section of a document that was applied.
type Landed struct {
	Path         string
	Base, Result Version
}

// NoteApplied tells that the session applied a document, with what became of
// each of its sections in order. Each change is told with [Ledger.Edited] too,
// before or after.
func (l *Ledger) NoteApplied(doc *hashline.Document, landed []Landed) {
	a := applied{sum: documentSum(doc)}
	for _, s := range landed {
		a.sections = append(a.sections, result{
			path: path.Clean(s.Path), base: s.Base.id(), states: []ident{s.Result.id()}, open: true,
		})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done = slices.DeleteFunc(l.done, func(b applied) bool { return a.sum == b.sum })
	l.done = append(l.done, a)
	sections := 0
	for i, b := range slices.Backward(l.done) {
		if sections += len(b.sections); i < len(l.done)-1 && (sections > maxSections || len(l.done)-i > maxApplied) {
			l.done = slices.Delete(l.done, 0, i+1)
			break
		}
	}
}

// Applied reports whether the session applied an equal document, and doing it
// again is not what is wanted: none of its sections' bases is live now, and each
// file is what it left or what the session's later edits made of that (spec 9).
// live holds the files of the sections in order.
func (l *Ledger) Applied(doc *hashline.Document, live []Live) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.done) == 0 {
		return false
	}
	sum := documentSum(doc)
	i := slices.IndexFunc(l.done, func(a applied) bool { return a.sum == sum })
	if i < 0 || len(l.done[i].sections) != len(live) {
		return false
	}
	for k, s := range l.done[i].sections {
		if id := live[k].id(); s.path != path.Clean(live[k].Path) || id == s.base || !slices.Contains(s.states, id) {
			return false
		}
	}
	return true
}

// made notes that the session made one state of a file from another.
func (l *Ledger) made(p string, old, now ident) {
	l.results(p, func(r *result) {
		if r.open && r.states[len(r.states)-1] == old && old != now {
			if r.states = append(r.states, now); len(r.states) > maxChain {
				r.states = slices.Delete(r.states, 1, 2)
			}
		}
	})
}

// undone notes that the session took a file back to an earlier state.
func (l *Ledger) undone(p string, old, now ident) {
	l.results(p, func(r *result) {
		last := r.states[len(r.states)-1] == old
		i := slices.Index(r.states, now)
		switch {
		case i >= 0 && (last || !r.open):
			r.states, r.open = r.states[:i+1], true
		case last:
			r.open = false
		}
	})
}

func (l *Ledger) results(p string, do func(r *result)) {
	for i := range l.done {
		for k := range l.done[i].sections {
			if r := &l.done[i].sections[k]; r.path == p {
				do(r)
			}
		}
	}
}
