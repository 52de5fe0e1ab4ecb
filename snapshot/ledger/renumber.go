package ledger

import (
	"fmt"
	"path"

	"github.com/hashline-go/hashline/hashline"
)

// Stretch says where a stretch of old line numbers is now: Old is at Now, and
// the others follow, to Last, which is 0 where it is the end of the file.
type Stretch struct {
	Old, Now, Last int
}

// String gives the stretch as answers have it (spec 7):
//
//	[old line 6 is now 8, and so on to old line 40]
//	[old line 41 is now 45, and so on to the end]
//	[old line 3 is now 5]
func (s Stretch) String() string {
	switch s.Last {
	case 0:
		return fmt.Sprintf("[old line %d is now %d, and so on to the end]", s.Old, s.Now)
	case s.Old:
		return fmt.Sprintf("[old line %d is now %d]", s.Old, s.Now)
	}
	return fmt.Sprintf("[old line %d is now %d, and so on to old line %d]", s.Old, s.Now, s.Last)
}

// Renumber says where the numbers went that the agent counts from, ascending
// (spec 7).
//
// An old number is one of the last view that showed it: a read, a search, a
// refusal, a written file, but not the preview of an edit. So each number has one
// meaning, and the stretches are cumulative: they replace those of all answers
// since that view, whatever edits there were between. An agent that keeps its
// views and reads only the stretches of the latest answer finds each row that it
// saw: a number that they name is where they say, and any other that still has a
// row is where it was. So rows that have moved and are back are not named, unless
// there are no others: then one stretch says so of all of them, since silence would
// leave what an earlier answer said. Numbers between two others that moved alike
// are taken along although they were not shown.
//
// A number that a view showed for one row and a later preview for another has two
// meanings, and no stretch is right for both. It cannot be left out either: an
// agent takes a number that is not named for one that stays.
//
// Nor is a number named whose row may be anywhere: [Ledger.Void] gives those.
func (l *Ledger) Renumber(p string) []Stretch {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.files[path.Clean(p)]
	if f == nil || f.removed {
		return nil
	}
	var out []Stretch
	var back []Stretch // rows that are back, from the first to the last
	var joins *Stretch // what the run before belongs to
	apart := false     // a void number stands between
	for _, r := range f.told {
		switch {
		case r.mark&(unknown|gone) != 0:
			joins, apart = nil, true
		case r.mark&moved == 0:
			joins = nil
		case r.to == r.first:
			if apart || len(back) == 0 {
				back, apart = append(back, Stretch{Old: r.first, Now: r.to}), false
			}
			joins = &back[len(back)-1]
			joins.Last = r.last
		case joins != nil && joins.Now-joins.Old == r.to-r.first:
			joins.Last = r.last
		default:
			out = append(out, Stretch{Old: r.first, Now: r.to, Last: r.last})
			joins = &out[len(out)-1]
		}
	}
	if joins != nil && joins.Now-joins.Old == f.head.Lines-f.end {
		joins.Last = 0
	}
	if len(out) == 0 {
		return back
	}
	return out
}

// Void gives, ascending and apart, the old numbers, in the sense of
// [Ledger.Renumber], of rows that others removed, or that may be anywhere: the
// file was changed and nobody knows how, as when others changed one whose text is
// not held. Each is void until a view shows the number again. Numbers between two
// that are void are taken along where they were not shown, or the session itself
// removed their rows.
func (l *Ledger) Void(p string) []hashline.Span {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.files[path.Clean(p)]
	if f == nil || f.removed {
		return nil
	}
	var out []hashline.Span
	joins := false // the run before belongs to the last span
	for _, r := range f.told {
		switch isVoid := r.mark&(unknown|gone) != 0; {
		case isVoid && joins:
			out[len(out)-1].Last = r.last
		case isVoid:
			out, joins = append(out, hashline.Span{First: r.first, Last: r.last}), true
		default:
			joins = false
		}
	}
	return out
}
