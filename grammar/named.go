package grammar

import (
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// Named gives the sections of a document that [Parse] refuses whose headers
// cannot be read but name a file, such as [path] and [path#12], in document order
// and with those of their operations that are complete. Their tags mean nothing.
// The paths are as they stand there, and there may be no such file. Paths and rows
// share the memory of text.
//
// meant gives, without operations, the headers that the hints of Parse's faults
// write in the right form and with the tag that the line has. Each has the place of
// its fault; some are also in named, at the same place, others may be rows.
func Named(text string) (named, meant []hashline.Section) {
	if len(text) > MaxBytes {
		return nil, nil
	}
	w := unwrap(text)
	inner := text[:w.end]
	s := &scanner{text: inner, at: w.at, num: w.num}
	tree, bad := parse(s)
	r := newRecovery(inner, w)
	r.run(tree, bad, s.over)
	return r.named, r.meant
}

// unread begins a section whose header could not be read.
func (r *recovery) unread() { r.inside, r.cur, r.vague = true, -1, false }

// name tells which file the section is of that was begun last.
func (r *recovery) name(path string, pos hashline.Position) {
	if path != "" && len(r.named) < MaxSections {
		r.named = append(r.named, hashline.Section{Path: path, Pos: pos})
		r.vague = true
	}
}

// means notes a header that the hint of the fault at pos writes with its tag; tag is
// "" where the line has none.
func (r *recovery) means(path, tag string, pos hashline.Position) {
	if t, err := hashline.ParseTag(tag); err == nil && len(r.faults) < MaxFaults {
		r.meant = append(r.meant, hashline.Section{Path: path, Tag: t, Pos: pos})
	}
}

// meansPlus is means for a row that holds a header, see withoutPlus.
func (r *recovery) meansPlus(l line, pos hashline.Position) {
	if h, ok := readHeader(trim(strings.TrimPrefix(l.text, "+"))); ok {
		r.means(h.path, h.tag.String(), pos)
	}
}

// namedBy gives the file that a line names that was meant as a header, "" where it
// names none; g is how the line is best understood.
func namedBy(t string, g guess, guessed bool) string {
	if guessed {
		return g.path
	}
	if t[0] != '[' {
		return ""
	}
	path := strings.TrimSuffix(t[1:], "]")
	if i := strings.LastIndexByte(path, '#'); i >= 0 {
		path = path[:i]
	}
	return trim(path)
}
