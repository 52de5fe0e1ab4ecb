package card

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

const (
	maxFaults = 10
	// minLimit is the least limit of a print, maxRoom the most that is kept for
	// one line which is no row.
	minLimit, maxRoom = 4 << 10, 4 << 10
)

// Printer prints a card as text while it grows, each part once, when it no
// longer changes: headers, operations that are complete, verdicts. What it has
// printed at the end does not depend on the pieces in which the document
// arrived. Below its header each section has
//
//	PUT 2.=3: (2 → 1 line(s))       the summary of an operation (spec 7)
//	-2:old                          the lines that it takes away, if they are known
//	-3:text
//	+2:new                          its rows, numbered as if it was the only one
//	verified                        or "not verified: " and why
//
// At most 40 rows of an operation are shown, and at most 2,000 characters of a
// row. When most of the bytes it may print are spent, only summaries and then counts
// follow. Control characters are printed as they are.
type Printer struct {
	walk  Walker
	limit int // in bytes
	room  int // for a header, or for two other lines that are no row
	used  int
	b     strings.Builder

	// hidden tells that no section is shown any more; the counts are of what
	// is not.
	hidden                 bool
	hiddenOps, hiddenFiles int
}

// NewPrinter begins a print of at most limit bytes, or of 4 KiB where that is more.
func NewPrinter(limit int) *Printer {
	limit = max(limit, minLimit)
	return &Printer{limit: limit, room: min(limit/8, maxRoom)}
}

// Text gives all that is known of the document, in at most limit bytes: what a
// [Printer] prints and then the operation that is still arriving.
func (c *Card) Text(limit int) string {
	p := NewPrinter(limit)
	return p.Next(c) + p.arriving(c)
}

// Next gives what no longer changes and was not printed yet. It ends in a line
// end or is "".
func (p *Printer) Next(c *Card) string {
	p.b.Reset()
	for e := range p.walk.Next(c) {
		switch e.Kind {
		case Header:
			p.header(e.Section)
		case Operation:
			p.operation(e.Section, e.Op)
		case Judged:
			p.leftOut()
			p.verdict(e.Section)
		case End:
			p.leftOut()
			p.end(c)
		}
	}
	p.used += p.b.Len()
	return p.b.String()
}

// spent is how many bytes are printed.
func (p *Printer) spent() int { return p.used + p.b.Len() }

// full reports whether there is only room left for how sections end.
func (p *Printer) full() bool { return p.spent() > p.limit-3*p.room }

func (p *Printer) line(text string) { p.b.WriteString(cut(text, p.room/2) + "\n") }

func (p *Printer) header(s *Section) {
	p.leftOut()
	if p.hidden = p.hidden || p.full(); p.hidden {
		p.hiddenFiles++
		return
	}
	if p.spent() > 0 {
		p.b.WriteByte('\n')
	}
	p.b.WriteString(cut(hashline.Header(s.Path, s.Tag), p.room) + "\n")
}

func (p *Printer) operation(s *Section, i int) {
	if p.hidden || p.hiddenOps > 0 || p.full() {
		p.hiddenOps++
		return
	}
	p.b.WriteString(s.Summary(i) + "\n")
	if left := p.limit - p.limit/4 - p.room - p.spent(); left > 0 {
		p.b.WriteString(s.rows(i, "", 0, left))
	}
}

// leftOut tells how many operations of the section are not shown.
func (p *Printer) leftOut() {
	if p.hiddenOps > 0 && !p.hidden {
		p.line(fmt.Sprintf("… +%d more operation(s)", p.hiddenOps))
		p.hiddenOps = 0
	}
}

func (p *Printer) verdict(s *Section) {
	if p.hidden {
		return
	}
	switch s.Verdict {
	case Verified:
		p.line("verified")
	case Unknown:
		p.line("not verified: the text of this file is not at hand")
	case Arriving:
		p.line("not verified: the section is not complete")
	case Refused:
		for i, d := range s.Faults {
			if i > 0 && (i == maxFaults || p.spent() > p.limit-2*p.room) {
				p.line(fmt.Sprintf("… +%d more fault(s)", len(s.Faults)-i))
				return
			}
			short := *d
			short.Path, short.Pos = "", hashline.Position{}
			p.line("not verified: " + short.Error())
		}
	}
}

// end prints what can be said of the whole document.
func (p *Printer) end(c *Card) {
	if p.hiddenFiles > 0 {
		p.b.WriteByte('\n')
		p.line(fmt.Sprintf("… +%d more file(s), +%d operation(s)", p.hiddenFiles, p.hiddenOps))
	}
	faults := c.Faults()
	if len(faults) == 0 {
		return
	}
	if p.spent() > 0 {
		p.b.WriteByte('\n')
	}
	if c.Truncated() && faults[0].Code != hashline.Truncated {
		p.line("not verified: truncated: the document ends in the middle")
	}
	for i, d := range faults {
		if i > 0 && p.spent() > p.limit-p.room {
			p.line(fmt.Sprintf("… +%d more fault(s)", len(faults)-i))
			return
		}
		p.line("not verified: " + d.Error())
	}
}

// cut keeps a line within a number of bytes, and whole characters of it.
func cut(line string, most int) string {
	if len(line) <= most {
		return line
	}
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(line[n]) {
		n--
	}
	return line[:n] + "…"
}
