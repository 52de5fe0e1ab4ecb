package card

import (
	"errors"
	"iter"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// Verdict says what holding a section against its file has come to.
type Verdict uint8

// The verdicts. All but Arriving are final.
const (
	// Unknown: the text of the file is not at hand.
	Unknown Verdict = iota
	// Arriving: what has arrived fits; more may come. At the end it means
	// that the section was cut off.
	Arriving
	// Verified: the section is whole and fits the file.
	Verified
	// Refused: an edit would be refused; the section's faults say why.
	Refused
)

// String names the verdict in one lower-case word.
func (v Verdict) String() string {
	return [...]string{"unknown", "arriving", "verified", "refused"}[v]
}

// Section is what is known of a section.
type Section struct {
	// Path is cleaned, or that of the snapshot.
	Path string
	Tag  hashline.Tag
	// Pos is the place of the header.
	Pos hashline.Position
	// Ops are the operations so far. The last one may lack rows: see
	// [Section.Open].
	Ops []hashline.Op
	// Complete tells that no more can come.
	Complete bool
	Verdict  Verdict
	// Faults say why the section is refused: those of the first faulty step
	// (spec 6). A line out of range is told when its operation and a row of it
	// are there, clashes between operations and faulty rows when the section is
	// complete.
	Faults hashline.Diagnostics

	// text is nil unless it is the one that the numbers were taken from.
	text *snapshot.Text
	open bool
	// checked counts the operations whose lines were looked at, settled those
	// that were compared with the text; those that change nothing are unchanged.
	checked, settled int
	unchanged        map[int]bool
}

// Open reports whether the last operation may still get rows.
func (s *Section) Open() bool { return s.open }

// Known reports whether the text that the numbers were taken from is at hand.
func (s *Section) Known() bool { return s.text != nil }

// Summary sums an operation of the section up (spec 7). That it changes nothing
// is said where the text is at hand and the operation has arrived.
func (s *Section) Summary(i int) string {
	if s.unchanged[i] {
		return s.Ops[i].String() + " (no change)"
	}
	return s.Ops[i].Summary()
}

// settle looks which of the operations that have arrived put the very lines there
// that they replace.
func (s *Section) settle() {
	arrived := len(s.Ops)
	if s.open {
		arrived--
	}
	for ; s.settled < arrived; s.settled++ {
		if s.text == nil || !s.same(&s.Ops[s.settled]) {
			continue
		}
		if s.unchanged == nil {
			s.unchanged = map[int]bool{}
		}
		s.unchanged[s.settled] = true
	}
}

func (s *Section) same(o *hashline.Op) bool {
	if o.Kind != hashline.Replace || o.Span.Len() != len(o.Body) || o.Span.Last > s.text.Lines() {
		return false
	}
	for n, line := range s.text.Rows(o.Span.First, o.Span.Last) {
		if string(line) != o.Body[n-o.Span.First] {
			return false
		}
	}
	return true
}

// Removed gives the lines that an operation of the section takes away, with
// their numbers: none where the text is not at hand, and of a span that leaves
// the file those which exist. The lines are the memory of the text.
func (s *Section) Removed(i int) iter.Seq2[int, []byte] {
	if n := s.removed(i); n > 0 {
		first := s.Ops[i].Span.First
		return s.text.Rows(first, first+n-1)
	}
	return func(func(int, []byte) bool) {}
}

// removed counts the lines of Removed.
func (s *Section) removed(i int) int {
	o := &s.Ops[i]
	if s.text == nil || !o.Destructive() {
		return 0
	}
	return max(0, min(o.Span.Last, s.text.Lines())-o.Span.First+1)
}

// FirstAdded is the number that the first row of an operation of the section
// gets where the operation is the only one: the others follow it. It is 0 for the
// end of a file whose text is not at hand.
func (s *Section) FirstAdded(i int) int {
	switch o := &s.Ops[i]; o.Kind {
	case hashline.InsertAfter:
		return o.Span.First + 1
	case hashline.Append:
		if s.text == nil {
			return 0
		}
		return s.text.Lines() + 1
	default:
		return o.Span.First
	}
}

// take gives the section the operations that have arrived and looks at the
// lines that the new ones name (spec 6, step 5).
func (s *Section) take(ops []hashline.Op) {
	s.Ops = ops
	for ; s.checked < len(ops) && s.text != nil; s.checked++ {
		o := ops[s.checked]
		if bodiless(o) {
			return // it counts when its first row is there
		}
		if o.Kind == hashline.Append || o.Span.Last <= s.text.Lines() {
			continue
		}
		if o.Kind != hashline.Delete {
			o.Body = []string{""} // nothing but the lines is looked at
		}
		if faults := apply.Check(s.text, []hashline.Op{o}); len(faults) > 0 && len(s.Faults) < apply.MaxFaults {
			s.refuse(faults)
		}
	}
}

// complete makes the checks that need the whole section (spec 6, steps 6 to 8).
func (s *Section) complete() {
	s.Complete, s.open = true, false
	s.settle()
	if s.Verdict != Arriving {
		return
	}
	s.Verdict = Verified
	if faults := apply.Check(s.text, s.Ops); len(faults) > 0 {
		s.refuse(faults)
	}
}

// refuse keeps faults.
func (s *Section) refuse(err error) {
	s.Verdict = Refused
	var many hashline.Diagnostics
	var one *hashline.Diagnostic
	switch {
	case errors.As(err, &many):
	case errors.As(err, &one):
		many = hashline.Diagnostics{one}
	default:
		many = hashline.Diagnostics{{Code: hashline.IO, Msg: err.Error()}}
	}
	for _, d := range many {
		d.Path = s.Path
		if !d.Pos.IsValid() {
			d.Pos = s.Pos
		}
	}
	s.Faults = append(s.Faults, many...)
}
