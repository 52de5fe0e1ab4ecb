package ledger

import (
	"path"
	"slices"
	"time"

	"github.com/hashline-go/hashline/hashline"
)

const (
	// maxOffers is how many offers of a file are kept, unless the last answer
	// alone made more, and maxOffered how many of that.
	maxOffers  = 4096
	maxOffered = 50_000
)

// Offer is an operation on a text that an answer spelt out, in a corrected
// document or by saying which numbers to write, and lines of it that the answer
// did not show. Those are as good as shown for an operation of this kind with
// this span, whatever its body, and for no other: a number that falls among them
// by chance is still that of an older view.
type Offer struct {
	Kind hashline.Kind
	Span hashline.Span
	// Lines are some or all of Span.
	Lines hashline.Span
}

// OffersOf makes the offers of a section's operations with all their lines.
func OffersOf(ops []hashline.Op) []Offer {
	offers := make([]Offer, 0, len(ops))
	for _, o := range ops {
		if o.Kind != hashline.Append {
			offers = append(offers, Offer{o.Kind, o.Span, o.Span})
		}
	}
	return offers
}

// Offered tells that an answer spelt out operations on the live text under its
// tag. [Ledger.Judge] then takes each of them, in a document with others or
// alone, as long as the tag stands for this text. Offers out of range are passed
// over. What the answer shows as rows is for [Ledger.Shown].
func (l *Ledger) Offered(p string, live Version, offers []Offer, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = path.Clean(p)
	f := l.open(p, live)
	f.show(live, nil, now, false)
	f.versions[len(f.versions)-1].offer(offers)
	l.settle(p)
}

func (v *version) offer(offers []Offer) {
	made := map[Offer]bool{}
	var fresh []Offer
	for _, o := range offers {
		if o.in(v.Lines) && !made[o] && len(fresh) < maxOffered {
			made[o] = true
			fresh = append(fresh, o)
		}
	}
	v.offers = slices.DeleteFunc(v.offers, func(o Offer) bool { return made[o] })
	if n := len(v.offers) + len(fresh) - maxOffers; n > 0 {
		v.offers = slices.Delete(v.offers, 0, min(n, len(v.offers)))
	}
	v.offers = append(v.offers, fresh...)
}

// in reports whether an offer is one on a text of so many lines.
func (o Offer) in(lines int) bool {
	return o.Kind >= hashline.Replace && o.Kind < hashline.Append &&
		1 <= o.Span.First && o.Span.First <= o.Lines.First && o.Lines.First <= o.Lines.Last && o.Lines.Last <= o.Span.Last && o.Span.Last <= lines
}

// limitOffers keeps the last offers of a file.
func (f *file) limitOffers() {
	total := 0
	for i, v := range slices.Backward(f.versions) {
		if total += len(v.offers); total > maxOffers && i < len(f.versions)-1 {
			v.offers = nil
		}
	}
}

// left gives the lines that operations touch without those that were offered
// for them, as [Touched] does. The version may be nil.
func (v *version) left(ops []hashline.Op, lines int) []hashline.Span {
	if v == nil || len(v.offers) == 0 {
		return Touched(ops, lines)
	}
	left := v.leftOf(lines)
	var spans []hashline.Span
	for _, o := range ops {
		spans = append(spans, left(o)...)
	}
	return within(spans, lines)
}

// leftOf gives a function that does as left for one operation.
func (v *version) leftOf(lines int) func(o hashline.Op) []hashline.Span {
	type form struct {
		kind hashline.Kind
		span hashline.Span
	}
	offered := map[form][]hashline.Span{}
	for _, o := range v.offers {
		offered[form{o.Kind, o.Span}] = append(offered[form{o.Kind, o.Span}], o.Lines)
	}
	return func(o hashline.Op) []hashline.Span {
		if o.Kind == hashline.Append {
			return nil
		}
		var spans []hashline.Span
		rest := o.Span
		for _, s := range within(offered[form{o.Kind, o.Span}], lines) {
			spans = append(spans, hashline.Span{First: rest.First, Last: s.First - 1})
			rest.First = s.Last + 1
		}
		return within(append(spans, rest), lines)
	}
}

// savedOffers are offers as kind, both ends of the span and of the lines.
type savedOffers [][5]int

func saveOffers(offers []Offer) savedOffers {
	var out savedOffers
	for _, o := range offers {
		out = append(out, [5]int{int(o.Kind), o.Span.First, o.Span.Last, o.Lines.First, o.Lines.Last})
	}
	return out
}

func (s savedOffers) parse(lines int) ([]Offer, error) {
	if len(s) > maxOffers+maxOffered {
		return nil, bad("a text has %d offers", len(s))
	}
	var out []Offer
	for _, n := range s {
		o := Offer{hashline.Kind(n[0]), hashline.Span{First: n[1], Last: n[2]}, hashline.Span{First: n[3], Last: n[4]}}
		if n[0] < 0 || n[0] > 255 || !o.in(lines) {
			return nil, bad("offers hold %v", n)
		}
		out = append(out, o)
	}
	return out, nil
}
