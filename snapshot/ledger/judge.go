package ledger

import (
	"path"
	"time"

	"github.com/hashline-go/hashline/hashline"
)

// Reason says why a tag is stale (spec 9).
type Reason string

// The reasons of stale_tag.
const (
	// Unread: the file was never shown.
	Unread Reason = "unread"
	// UnknownTag: the file was shown, but never under this tag.
	UnknownTag Reason = "unknown_tag"
	// Stale: the file was changed since the tag was shown.
	Stale Reason = "stale"
	// Collision: the live text has this tag, but is not the one that was shown
	// under it.
	Collision Reason = "collision"
)

// Verdict is what the ledger has to say about one section of a document.
type Verdict struct {
	// Reason is why the section is stale_tag, "" where it is not.
	Reason Reason
	// ShownAt is when the agent was last shown anything under the tag, or was
	// found to have it; zero
	// where it never was.
	ShownAt time.Time
	// Moved holds the touched lines for which the section is moved_line,
	// ascending. They are in neither of the others.
	Moved []Moved
	// Unseen holds the touched lines that the agent was never shown, for
	// require_seen to decide.
	Unseen []hashline.Span
}

// Moved is a stretch of lines that are not under their numbers what the agent
// last saw under them.
type Moved struct {
	// Line is the first line, as the document and the live text number it, and
	// Lines how many there are.
	Line, Lines int
	// Now is where the row is that was Line when last seen; the others follow
	// it. 0 where it is gone or nobody knows. It can be Line itself, when the
	// lines went away and came back.
	Now int
	// Fate says what became of the rows that had these numbers.
	Fate Fate
	// New tells that the lines themselves were never shown, only their numbers
	// for other rows.
	New bool
	// Was is the number that the lines themselves were last shown under, the first
	// of them; 0 where that is not known. It is told only for those whose fate is
	// [Unshown].
	Was int
}

// Fate says what became of a row.
type Fate string

// The fates.
const (
	// Kept: its text is as it was.
	Kept Fate = "kept"
	// Changed: its place is known, its text is another.
	Changed Fate = "changed"
	// Gone: it was removed, or changed together with others.
	Gone Fate = "gone"
	// Absent: the text that the number was taken from has no such line.
	Absent Fate = "absent"
	// Unknown: the text it stood in is no longer held.
	Unknown Fate = "unknown"
	// Unshown: no row was shown under the number.
	Unshown Fate = "unshown"
)

// Judge holds a section against what the agent has in front of it (spec 9).
// Lines out of range are passed over: that is another fault. The time grows with
// the number of operations and of runs of rows shown, not with that of lines.
//
// Under a live tag, every touched line must be shown under it or be unmoved: no
// change since it was last shown, by the session itself or by others, has
// altered how many lines stand before it, and its text is the one last shown. A
// line that was never shown is unseen, unless its number was shown for another
// row that now stands elsewhere, or that others changed or removed: then it is
// moved too, since the number can only have come from there. Lines that were
// offered for the operation that touches them are passed over (see
// [Ledger.Offered]).
func (l *Ledger) Judge(p string, tag hashline.Tag, live Version, ops []hashline.Op) Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = path.Clean(p)
	var v Verdict
	f := l.known(p, live)
	if f != nil {
		l.settle(p)
	}
	var shown *version
	if f != nil {
		if shown = f.byTag(Version{Tag: tag}); shown != nil {
			v.ShownAt = shown.at
		}
	}
	switch {
	case tag != live.Tag && f == nil:
		v.Reason = Unread
	case tag != live.Tag && shown == nil:
		v.Reason = UnknownTag
	case tag != live.Tag:
		v.Reason = Stale
	case shown != nil && !shown.Same(live):
		v.Reason = Collision
	case f == nil:
		v.Unseen = Touched(ops, live.Lines)
	default:
		var rows runs
		if shown != nil {
			rows = shown.shown
		}
		for _, s := range shown.left(ops, live.Lines) {
			f.judge(&v, s, rows)
		}
	}
	return v
}

func (f *file) judge(v *Verdict, s hashline.Span, shown runs) {
	f.sort(s, shown, func(r run, st state) {
		switch st {
		case unseenLine:
			v.Unseen = joined(v.Unseen, hashline.Span{First: r.first, Last: r.last})
		case movedLine, newLine:
			f.seen.within(hashline.Span{First: r.first, Last: r.last}, func(n run, ok bool) {
				m := Moved{Line: n.first, Lines: n.last - n.first + 1, Now: n.to, Fate: n.fate(), New: st == newLine}
				if !ok {
					m.Now, m.Fate = 0, Unshown
					if st == movedLine && r.mark&(noPlace|changed) == 0 {
						m.Was = r.to + n.first - r.first
					}
				}
				v.Moved = append(v.Moved, m)
			})
		}
	})
}

func (r run) fate() Fate {
	switch {
	case r.mark&(gone|edited) != 0:
		return Gone
	case r.mark&unknown != 0:
		return Unknown
	case r.mark&changed != 0:
		return Changed
	}
	return Kept
}

// state is what the agent knows of a line.
type state uint8

const (
	goodLine state = iota
	movedLine
	// newLine was never shown, but its number was, for another row.
	newLine
	unseenLine
)

// sort takes lines of the head apart by what the agent knows of them, where some
// are shown under the tag.
func (f *file) sort(s hashline.Span, shown runs, yield func(r run, s state)) {
	shown.within(s, func(r run, ok bool) {
		if ok {
			yield(r, goodLine)
			return
		}
		f.lines.within(hashline.Span{First: r.first, Last: r.last}, func(r run, ok bool) {
			switch {
			case ok && r.mark == 0:
				yield(r, goodLine)
			case ok:
				yield(r, movedLine)
			default:
				f.seen.within(hashline.Span{First: r.first, Last: r.last}, func(r run, ok bool) {
					if !ok || r.mark&edited != 0 {
						yield(r, unseenLine)
					} else {
						yield(r, newLine)
					}
				})
			}
		})
	})
}

// Touched gives the lines that operations touch in a text of so many lines, in
// order: all lines of each span, and the line of each anchor (spec 9).
func Touched(ops []hashline.Op, lines int) []hashline.Span {
	spans := make([]hashline.Span, 0, len(ops))
	for _, o := range ops {
		if o.Kind != hashline.Append {
			spans = append(spans, o.Span)
		}
	}
	return within(spans, lines)
}

func joined(spans []hashline.Span, s hashline.Span) []hashline.Span {
	if k := len(spans); k > 0 && spans[k-1].Last+1 == s.First {
		spans[k-1].Last = s.Last
		return spans
	}
	return append(spans, s)
}
