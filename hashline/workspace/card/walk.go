package card

import (
	"iter"

	"github.com/hashline-go/hashline/hashline"
)

// Kind is what an [Event] tells of.
type Kind uint8

const (
	// Header: the header of a section has arrived.
	Header Kind = iota
	// Operation: an operation has arrived and does not change any more.
	Operation
	// Judged: the verdict on a section is final. That a file is not known or not
	// what it was is told below the header, all else behind the operations.
	Judged
	// End: the document has ended.
	End
)

// Event is one thing that is known of a document and does not change any more.
type Event struct {
	Kind Kind
	// Section is nil at the end.
	Section *Section
	// Op is the index of an operation in its section.
	Op int
}

// Walker tells what of a card no longer changes, each thing once. What it has
// told at the end does not depend on the pieces in which the document arrived.
// The zero Walker is ready.
type Walker struct {
	section, op int
	header      bool
	ended       bool
}

// Next gives what has become final since the last call. It is to be run to its
// end.
func (w *Walker) Next(c *Card) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for ; w.section < len(c.sections); w.section++ {
			if s := c.sections[w.section]; !w.walk(s, c.closed, yield) || !s.Complete {
				break
			}
			w.header, w.op = false, 0
		}
		if c.closed && !w.ended {
			w.ended = true
			yield(Event{Kind: End})
		}
	}
}

func (w *Walker) walk(s *Section, closed bool, yield func(Event) bool) bool {
	if !w.header {
		w.header = true
		if !yield(Event{Kind: Header, Section: s}) || s.text == nil && !yield(Event{Kind: Judged, Section: s}) {
			return false
		}
	}
	for final := s.final(); w.op < final; w.op++ {
		if !yield(Event{Kind: Operation, Section: s, Op: w.op}) {
			return false
		}
	}
	if (s.Complete || closed && !w.ended) && s.text != nil {
		return yield(Event{Kind: Judged, Section: s})
	}
	return true
}

// final counts the operations that do not change any more.
func (s *Section) final() int {
	n := len(s.Ops)
	if n > 0 && !s.Complete && (s.open || bodiless(s.Ops[n-1])) {
		n--
	}
	return n
}

func bodiless(o hashline.Op) bool { return o.Kind != hashline.Delete && len(o.Body) == 0 }
