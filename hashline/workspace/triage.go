package workspace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// judge holds a section against what the agent was shown. Without a ledger only
// the tag speaks.
func (s *Session) judge(t *target) ledger.Verdict {
	if s.ledger == nil {
		return ledger.Verdict{}
	}
	t.version = s.versionOf(t.file)
	if t.rebased != nil {
		return ledger.Verdict{Unseen: s.neverShown(t, t.section)}
	}
	return s.ledger.Judge(t.place.real, t.section.Tag, t.version, t.section.Ops)
}

// neverShown gives the lines that a corrected section touches, in the live text,
// and that the agent was never shown. Those that it was shown elsewhere are meant:
// the section was made from their texts.
func (s *Session) neverShown(t *target, corrected *hashline.Section) []hashline.Span {
	v := s.ledger.Judge(t.place.real, corrected.Tag, t.version, corrected.Ops)
	unseen := v.Unseen
	for _, m := range v.Moved {
		if m.New {
			unseen = append(unseen, hashline.Span{First: m.Line, Last: m.Line + m.Lines - 1})
		}
	}
	slices.SortFunc(unseen, func(a, b hashline.Span) int { return a.First - b.First })
	return unseen
}

// stale refuses a section whose tag is not that of the text its numbers were
// taken from (spec 6, step 4), and says why. Who made the live text, and where its
// lines are now, is for [Session.tellStale] to add.
func (s *Session) stale(t *target, v ledger.Verdict) error {
	tag, live := t.section.Tag, t.file.snap.Tag
	if tag == live && v.Reason == "" {
		return nil
	}
	d := &hashline.Diagnostic{
		Code: hashline.StaleTag, Reason: string(v.Reason),
		Hint: "check the numbers against the live snapshot and send the document again under " + hashline.Header(t.place.path, live),
	}
	t.why = v.Reason
	switch v.Reason {
	case ledger.Unread:
		d.Msg = "the tag is " + tag.String() + " but the file's is " + live.String() + ", and this session was never shown the file"
	case ledger.UnknownTag:
		d.Msg = "the file was never shown under the tag " + tag.String() + "; its tag is " + live.String()
	case ledger.Collision:
		d.Msg = "the text that was shown under " + tag.String() + " was another; the live one has the same tag by chance"
		d.Hint = "check the numbers against the live snapshot and send the document again"
	case ledger.Stale:
		d.Msg = "the file is no longer what it was under the tag " + tag.String() + "; its tag is " + live.String()
		t.where = s.whereNow(t)
	default:
		d.Msg = "the tag is " + tag.String() + " but the file's is " + live.String() + ": it is not the text that the line numbers were taken from"
	}
	return d
}

// maxPlaces is how many operations a refusal says the new places of.
const maxPlaces = 20

// whereNow says where the anchored lines of a stale section are, and offers the
// operations that follow from it.
func (s *Session) whereNow(t *target) string {
	located, ok := s.ledger.Locate(t.place.real, t.section.Tag, t.version, t.section.Ops)
	if !ok || len(located) == 0 {
		return ""
	}
	var parts []string
	for i, l := range located {
		if i == maxPlaces {
			parts = append(parts, fmt.Sprintf("… +%d more", len(located)-i))
			break
		}
		parts = append(parts, placeText(l))
	}
	where := "; its lines now: " + strings.Join(parts, ", ")
	named := naming{text: where}
	for i, l := range located {
		if whole := l.Whole || l.Rows.First > 0; whole && i < maxPlaces {
			now := l.Rows
			if l.Whole {
				now = hashline.Span{First: l.First.Now, Last: l.Last.Now}
			}
			named.offers = append(named.offers, ledger.Offer{Kind: t.section.Ops[l.Op].Kind, Span: now, Lines: now})
		}
		for _, n := range [...]int{l.First.Now, l.Last.Now, l.Rows.First, l.Rows.Last} {
			if n > 0 {
				t.also = append(t.also, n)
			}
		}
	}
	t.named = append(t.named, named)
	return where
}

// placeText is "12 → 15" for one operation's lines.
func placeText(l ledger.Located) string {
	was, now := lineOf(l.First.Line, l.Last.Line), lineOf(l.First.Now, l.Last.Now)
	switch {
	case l.Misnumbered && l.Rows.First > 0 && l.Rows.Len() == 1:
		return was + " not as last shown under that number, even then (that row is " + lineOf(l.Rows.First, l.Rows.Last) + " now)"
	case l.Misnumbered && l.Rows.First > 0:
		return was + " not as last shown under these numbers, even then (those rows are " + lineOf(l.Rows.First, l.Rows.Last) + " now)"
	case l.Misnumbered:
		return was + " not as last shown under that number, even then"
	case l.First.Fate == ledger.Absent || l.Last.Fate == ledger.Absent:
		return was + " out of range of that text"
	case l.First.Fate == ledger.Unknown || l.Last.Fate == ledger.Unknown:
		return was + " not known"
	case l.First.Now == 0 && l.Last.Now == 0:
		return was + " gone"
	case l.First.Now == 0 || l.Last.Now == 0:
		return was + " partly gone"
	case !l.Whole && l.First == l.Last:
		return was + " → " + now + " (changed)"
	case !l.Whole:
		return was + " → " + now + " (changed inside)"
	}
	return was + " → " + now
}

func lineOf(first, last int) string {
	if first == last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d.=%d", first, last)
}
