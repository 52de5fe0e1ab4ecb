// Package card shows a document that is still arriving: what each of its
// operations would add and, where the file's text is at hand, remove. A host
// feeds it every piece that its model writes and draws the card anew.
//
// Nothing here reads a file: texts come from the caller.
package card

import (
	"errors"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// ErrUnknown is what a [Lookup] says of a file whose text it does not have.
var ErrUnknown = errors.New("card: the text of this file is not at hand")

// Lookup gives the text of a file by its cleaned path (see [hashline.CleanPath]),
// under the path that is to be shown. It is called once for each section, when
// its header has arrived. An error other than [ErrUnknown] says why an edit of
// the file would be refused, best as a [*hashline.Diagnostic].
type Lookup func(path string) (snapshot.Snapshot, error)

// Card is what is known of a document so far. It is fed by [Card.Write], reads
// each line once, and keeps the text of the document, at most
// [grammar.MaxBytes], and the snapshots it was given. It is for one goroutine; so
// is all that its methods give, which is good until the next piece is written
// and must not be changed.
type Card struct {
	stream   grammar.Stream
	lookup   Lookup
	sections []*Section
	byPath   map[string]*Section
	closed   bool
}

// New begins a card. A nil lookup knows no file.
func New(lookup Lookup) *Card {
	return &Card{lookup: lookup, byPath: map[string]*Section{}}
}

// Of gives the card of the beginning of a document, or of all of it where whole
// is true.
func Of(text string, whole bool, lookup Lookup) *Card {
	c := New(lookup)
	_, _ = c.Write([]byte(text))
	if whole {
		_ = c.Close()
	}
	return c
}

// Write takes the next piece of the document. It fails only after [Card.Close].
func (c *Card) Write(piece []byte) (int, error) {
	n, err := c.stream.Write(piece)
	c.update()
	return n, err
}

// Close tells that the document has ended. The error is nil where it is a whole
// document, else [hashline.Diagnostics] with all faults of its text. Whether its
// sections fit their files is said by [Card.Verified].
func (c *Card) Close() error {
	err := c.stream.Close()
	c.update()
	if !c.closed && err == nil {
		c.sections[len(c.sections)-1].complete()
	}
	c.closed = true
	return err
}

// Sections gives the sections whose header has arrived.
func (c *Card) Sections() []*Section { return c.sections }

// Arriving is the line that has begun to arrive, or "". It may be long.
func (c *Card) Arriving() string { return c.stream.Rest() }

// Faults says why the text is no document, as soon as that is known; nil
// otherwise.
func (c *Card) Faults() hashline.Diagnostics { return c.stream.Faults() }

// Truncated reports, after [Card.Close], whether the document ends too early:
// nothing else is wrong with it, or a wrapper does not close.
func (c *Card) Truncated() bool {
	return c.stream.CutOff() || errors.Is(c.Faults(), hashline.Truncated)
}

// Verified reports whether the document has arrived whole and each section fits
// its file.
func (c *Card) Verified() bool {
	if !c.closed || len(c.Faults()) > 0 {
		return false
	}
	for _, s := range c.sections {
		if s.Verdict != Verified {
			return false
		}
	}
	return true
}

// update takes over what the stream has read.
func (c *Card) update() {
	doc := c.stream.Document()
	for i := max(0, len(c.sections)-1); i < len(doc.Sections); i++ {
		if i == len(c.sections) {
			if i > 0 {
				c.sections[i-1].complete()
			}
			c.sections = append(c.sections, c.begin(&doc.Sections[i]))
		}
		c.sections[i].take(doc.Sections[i].Ops)
	}
	if n := len(c.sections); n > 0 {
		last := c.sections[n-1]
		last.open = !last.Complete && c.stream.Open()
		last.settle()
	}
}

// begin makes the card of a section whose header has arrived (spec 6, steps 2
// to 4).
func (c *Card) begin(from *hashline.Section) *Section {
	s := &Section{Path: from.Path, Tag: from.Tag, Pos: from.Pos}
	clean, err := hashline.CleanPath(from.Path)
	if err != nil {
		s.refuse(err)
		return s
	}
	s.Path = clean
	if c.taken(s) || c.lookup == nil {
		return s
	}
	snap, err := c.lookup(clean)
	switch {
	case errors.Is(err, ErrUnknown):
		return s
	case err != nil:
		s.refuse(err)
		return s
	case snap.Path != "" && snap.Path != clean:
		if s.Path = snap.Path; c.taken(s) {
			return s
		}
	}
	if snap.Tag != s.Tag {
		s.refuse(stale(s, snap))
		return s
	}
	s.text, s.Verdict = snap.Text, Arriving
	return s
}

// taken keeps the path of a section, unless an earlier one has it.
func (c *Card) taken(s *Section) bool {
	if first := c.byPath[s.Path]; first != nil && first != s {
		s.refuse(hashline.Duplicate(s.Path, s.Pos, first.Path, first.Pos))
		return true
	}
	c.byPath[s.Path] = s
	return false
}

func stale(s *Section, snap snapshot.Snapshot) error {
	live := snap.Tag
	return &hashline.Diagnostic{
		Code: hashline.StaleTag, Live: &live,
		Msg:  "the tag is " + s.Tag.String() + " but the file's is " + live.String() + ": it is not the text that the line numbers were taken from",
		Hint: "read the file again",
	}
}
