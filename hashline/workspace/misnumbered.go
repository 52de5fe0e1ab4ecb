package workspace

import (
	"fmt"
	"strings"
	"time"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// maxMoved is how many stretches of moved lines a refusal names.
const maxMoved = 10

// misnumbered refuses a section under a fresh tag whose numbers are those of an
// older view (spec 9), or, where that is enforced, of lines never shown.
func (s *Session) misnumbered(t *target, v ledger.Verdict) error {
	var faults hashline.Diagnostics
	for _, m := range v.Moved[:min(len(v.Moved), maxMoved)] {
		d := &hashline.Diagnostic{Code: hashline.MovedLine, Pos: posOf(t.section, m.Line), Msg: movedText(m)}
		d.Hint = "take the numbers from the live snapshot; if " + linesText(m.Line, m.Lines) + " as it shows them are meant, send the same document again"
		if m.Lines == 1 {
			d.Hint = "take the number from the live snapshot; if " + linesText(m.Line, 1) + " as it shows it is meant, send the same document again"
		}
		faults = append(faults, d)
		if m.Now > 0 && m.Fate == ledger.Kept {
			t.named = append(t.named, naming{d.Msg, shifted(t.section.Ops, m)})
		}
		for _, n := range [...]int{m.Now, m.Now + m.Lines - 1} {
			if m.Now > 0 {
				t.also = append(t.also, n)
			}
		}
	}
	if len(faults) == 0 && s.requireSeen == Enforce && len(v.Unseen) > 0 {
		faults = append(faults, &hashline.Diagnostic{
			Code: hashline.MovedLine, Reason: string(ledger.Unread), Pos: posOf(t.section, v.Unseen[0].First),
			Msg:  unseenText(v.Unseen) + " never shown in this session",
			Hint: "look at the live snapshot, and read the file for rows that it does not show; if these lines are meant, send the same document again",
		})
	}
	if len(faults) == 0 {
		return nil
	}
	// The same document passes when it is sent again.
	t.offers = ledger.OffersOf(t.section.Ops)
	return faults
}

// shifted gives the operations that touch lines which stand elsewhere now as they
// are to be written for those.
func shifted(ops []hashline.Op, m ledger.Moved) (offers []ledger.Offer) {
	by := m.Now - m.Line
	for _, o := range ops {
		lines := hashline.Span{First: max(o.Span.First, m.Line) + by, Last: min(o.Span.Last, m.Line+m.Lines-1) + by}
		if o.Kind != hashline.Append && lines.First <= lines.Last {
			offers = append(offers, ledger.Offer{Kind: o.Kind, Span: hashline.Span{First: o.Span.First + by, Last: o.Span.Last + by}, Lines: lines})
		}
	}
	return offers
}

// unseen is the warning about lines that were never shown.
func (s *Session) unseen(v ledger.Verdict) *hashline.Diagnostic {
	if s.ledger == nil || s.requireSeen != Warn || len(v.Unseen) == 0 {
		return nil
	}
	return &hashline.Diagnostic{Code: hashline.Unseen, Msg: unseenText(v.Unseen) + " edited without having been shown in this session", Hint: "check the rows above"}
}

func unseenText(spans []hashline.Span) string {
	more, verb := "", " were"
	if len(spans) > 1 {
		more = " and others"
	}
	first := spans[0]
	if first.Len() == 1 && more == "" {
		verb = " was"
	}
	return linesText(first.First, first.Len()) + more + verb
}

func linesText(line, lines int) string {
	if lines == 1 {
		return fmt.Sprintf("line %d", line)
	}
	return fmt.Sprintf("lines %d to %d", line, line+lines-1)
}

func movedText(m ledger.Moved) string {
	if m.Fate == ledger.Unshown {
		return unshownText(m)
	}
	if m.Lines == 1 {
		head := fmt.Sprintf("line %d is not the row that was last shown as line %d", m.Line, m.Line)
		switch {
		case m.Fate == ledger.Unknown:
			return head + ", and where that is now is not known"
		case m.Now == 0:
			return head + ", which is gone"
		case m.Fate == ledger.Changed:
			return head + fmt.Sprintf(", which is line %d now, with another text", m.Now)
		case m.Now == m.Line:
			return fmt.Sprintf("the lines above line %d have changed since it was last shown", m.Line)
		}
		return head + fmt.Sprintf(", which is line %d now", m.Now)
	}
	head := linesText(m.Line, m.Lines) + " are not the rows that were last shown under these numbers"
	switch {
	case m.Fate == ledger.Unknown:
		return head + ", and where those are now is not known"
	case m.Now == 0:
		return head + ", which are gone"
	case m.Fate == ledger.Changed:
		return head + fmt.Sprintf(", which are lines %d to %d now, with other texts", m.Now, m.Now+m.Lines-1)
	case m.Now == m.Line:
		return "the lines above " + linesText(m.Line, m.Lines) + " have changed since they were last shown"
	}
	return head + fmt.Sprintf(", which are lines %d to %d now", m.Now, m.Now+m.Lines-1)
}

// unshownText is for lines whose numbers were not shown, neither for them nor for
// others.
func unshownText(m ledger.Moved) string {
	switch {
	case m.Lines == 1 && m.Was > 0:
		return fmt.Sprintf("line %d was not shown under that number: its row was last shown as line %d", m.Line, m.Was)
	case m.Lines == 1:
		return fmt.Sprintf("line %d was not shown under that number", m.Line)
	case m.Was > 0:
		return linesText(m.Line, m.Lines) + " were not shown under these numbers: their rows were last shown as " + linesText(m.Was, m.Lines)
	}
	return linesText(m.Line, m.Lines) + " were not shown under these numbers"
}

// posOf is the place of the operation that touches a line.
func posOf(section *hashline.Section, line int) hashline.Position {
	for _, o := range section.Ops {
		if o.Kind != hashline.Append && o.Span.First <= line && line <= o.Span.Last {
			return o.Pos
		}
	}
	return section.Pos
}

// naming is a text that tells where lines are now, which the agent saw as they
// are, and the operations that it is to make of that.
type naming struct {
	text   string
	offers []ledger.Offer
}

// offer remembers the operations that a refusal spells out: it need not show all
// their lines.
func (s *Session) offer(targets []*target, content string) {
	for _, t := range targets {
		offers := t.offers
		for _, n := range t.named {
			if strings.Contains(content, n.text) {
				offers = append(offers, n.offers...)
			}
		}
		if len(offers) > 0 {
			s.ledger.Offered(t.place.real, t.version, offers, time.Now())
		}
	}
}
