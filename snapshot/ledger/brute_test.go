package ledger_test

import (
	"slices"

	"github.com/hashline-go/hashline/hashline"
)

// ops makes operations on a text, in order and apart. Their rows have texts but
// no lines of their own.
func (w *world) ops(lines int) []hashline.Op {
	var ops []hashline.Op
	at := 1
	for range 1 + w.r.IntN(2) {
		kind := hashline.Kind(1 + w.r.IntN(5))
		if at > lines {
			kind = hashline.Append
		}
		o := hashline.Op{Kind: kind, Body: []string{"new"}}
		if kind != hashline.Append {
			a := at + w.r.IntN(lines-at+1)
			o.Span = hashline.Span{First: a, Last: a}
			if o.Destructive() {
				o.Span.Last = min(lines, a+w.r.IntN(3))
			}
			at = o.Span.Last + 2
		}
		if kind == hashline.Delete {
			o.Body = nil
		}
		ops = append(ops, o)
	}
	return ops
}

// applyOps applies operations that are apart, from the bottom up.
func applyOps(ops []hashline.Op, lines []modelLine) []string {
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.text)
	}
	sorted := slices.Clone(ops)
	slices.SortStableFunc(sorted, func(a, b hashline.Op) int {
		key := func(o hashline.Op) int {
			if o.Kind == hashline.Append {
				return len(lines) + 1
			}
			return o.Span.First
		}
		return key(b) - key(a)
	})
	for i, o := range sorted {
		switch o.Kind {
		case hashline.Replace, hashline.Delete:
			texts = slices.Replace(texts, o.Span.First-1, o.Span.Last, o.Body...)
		case hashline.InsertBefore:
			texts = slices.Insert(texts, o.Span.First-1, o.Body...)
		case hashline.InsertAfter:
			texts = slices.Insert(texts, o.Span.First, o.Body...)
		case hashline.Append:
			// Several stand in document order; they are all alike here.
			_ = i
			texts = append(texts, o.Body...)
		}
	}
	return texts
}

// meant does to the lines of a live text what operations on an older text name:
// by the lines themselves, wherever they are now.
func meant(ops []hashline.Op, old, now []modelLine) []string {
	before, after, cut := map[int][]string{}, map[int][]string{}, map[int]bool{}
	var end []string
	for _, o := range ops {
		if o.Kind == hashline.Append {
			end = append(end, o.Body...)
			continue
		}
		first := old[o.Span.First-1].id
		switch o.Kind {
		case hashline.InsertAfter:
			after[first] = append(after[first], o.Body...)
		default:
			before[first] = append(before[first], o.Body...)
		}
		if o.Destructive() {
			for _, l := range old[o.Span.First-1 : o.Span.Last] {
				cut[l.id] = true
			}
		}
	}
	var texts []string
	for _, l := range now {
		texts = append(texts, before[l.id]...)
		if !cut[l.id] {
			texts = append(texts, l.text)
		}
		texts = append(texts, after[l.id]...)
	}
	return append(texts, end...)
}

// canCorrect is the condition of the contract for a corrected section, word by
// word.
func canCorrect(ops []hashline.Op, old, now []modelLine) bool {
	for _, o := range ops {
		if o.Kind == hashline.Append {
			for k := range 3 {
				if at(old, len(old)-k) != at(now, len(now)-k) {
					return false
				}
			}
			continue
		}
		first, ok := once(o.Span.First, old, now)
		last, ok2 := once(o.Span.Last, old, now)
		if !ok || !ok2 || last-first != o.Span.Len()-1 {
			return false
		}
		for k := range o.Span.Len() {
			if at(old, o.Span.First+k) != at(now, first+k) {
				return false
			}
		}
	}
	return true
}

// at gives a line, or that there is none.
func at(lines []modelLine, n int) string {
	if n < 1 || n > len(lines) {
		return "the edge"
	}
	return "line: " + lines[n-1].text
}

// once gives where a line is now that stands once in both texts with its
// neighbours.
func once(n int, old, now []modelLine) (place int, ok bool) {
	count := func(lines []modelLine) (place, k int) {
		for i := 1; i <= len(lines); i++ {
			if at(lines, i-1) == at(old, n-1) && at(lines, i) == at(old, n) && at(lines, i+1) == at(old, n+1) {
				place, k = i, k+1
			}
		}
		return place, k
	}
	_, k := count(old)
	place, l := count(now)
	return place, k == 1 && l == 1
}
