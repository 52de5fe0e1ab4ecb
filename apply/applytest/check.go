package applytest

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

// Fault is what the model says of one fault: its code, the operation and the
// body row it stands at, both counted from 0, Row being -1 where it is the
// operation as a whole, and the other operation, -1 where there is none.
type Fault struct {
	Code           hashline.Code
	Op, Row, Other int
}

// Check finds the faults of the first faulty step of steps 5 to 8 (spec 6), all
// of them, in document order. It looks at every pair of operations.
func Check(text string, ops []hashline.Op) []Fault {
	_, lines := Lines(text)
	for _, step := range []func([]Line, []hashline.Op) []Fault{outOfRange, overlaps, anchorsInside, bodies} {
		if faults := step(lines, ops); len(faults) > 0 {
			return faults
		}
	}
	return nil
}

func spans(o hashline.Op) bool { return o.Kind == hashline.Replace || o.Kind == hashline.Delete }

func outOfRange(lines []Line, ops []hashline.Op) (faults []Fault) {
	for i, o := range ops {
		ok := false
		switch {
		case o.Kind == hashline.Append:
			ok = true
		case len(lines) == 0:
			ok = o.Kind == hashline.InsertBefore && o.Span.First == 1
		case spans(o):
			ok = o.Span.Last <= len(lines)
		default:
			ok = o.Span.First <= len(lines)
		}
		if !ok {
			faults = append(faults, Fault{hashline.OutOfRange, i, -1, -1})
		}
	}
	return faults
}

func overlaps(_ []Line, ops []hashline.Op) (faults []Fault) {
	above := func(i, j int) bool {
		return cmp.Or(cmp.Compare(ops[i].Span.First, ops[j].Span.First), cmp.Compare(i, j)) < 0
	}
	for i, o := range ops {
		other := -1 // of those above that share a line, the one that reaches furthest down
		for j, p := range ops {
			if i == j || !spans(o) || !spans(p) || !above(j, i) || p.Span.Last < o.Span.First || o.Span.Last < p.Span.First {
				continue
			}
			if other < 0 || p.Span.Last > ops[other].Span.Last || p.Span.Last == ops[other].Span.Last && above(j, other) {
				other = j
			}
		}
		if other >= 0 {
			faults = append(faults, Fault{hashline.Overlap, max(i, other), -1, min(i, other)})
		}
	}
	slices.SortFunc(faults, func(a, b Fault) int { return cmp.Or(a.Op-b.Op, a.Other-b.Other) })
	return faults
}

func anchorsInside(_ []Line, ops []hashline.Op) (faults []Fault) {
	for i, o := range ops {
		if o.Kind != hashline.InsertBefore && o.Kind != hashline.InsertAfter {
			continue
		}
		for j, p := range ops {
			n := o.Span.First
			inside := spans(p) && p.Span.First <= n && n <= p.Span.Last
			allowed := p.Span.First == p.Span.Last || o.Kind == hashline.InsertBefore && n == p.Span.First
			if inside && !allowed {
				faults = append(faults, Fault{hashline.AnchorInside, i, -1, j})
			}
		}
	}
	return faults
}

var number = regexp.MustCompile(`^[1-9][0-9]*:`)

func bodies(lines []Line, ops []hashline.Op) (faults []Fault) {
	clipped := map[string]bool{}
	for _, l := range lines {
		if points := []rune(l.Text); len(points) > 2000 {
			clipped[fmt.Sprintf("%s…[+%d chars]", string(points[:2000]), len(points)-2000)] = true
		}
	}
	topOp, topRow, topBad := top(lines, ops)
	for i, o := range ops {
		for k, row := range o.Body {
			pasted := false
			for n := o.Span.First; n <= o.Span.Last && o.Kind == hashline.Replace; n++ {
				pasted = pasted || row == fmt.Sprintf("%d:%s", n, lines[n-1].Text)
			}
			switch {
			case pasted:
				faults = append(faults, Fault{hashline.PastedRow, i, k, -1})
			case clipped[row], clipped[number.ReplaceAllString(row, "")]:
				faults = append(faults, Fault{hashline.ClippedRow, i, k, -1})
			case strings.Contains(row, "\x00"), strings.HasSuffix(row, "\r"), strings.Contains(row, "\n"), !utf8.ValidString(row),
				topBad && topOp == i && topRow == k:
				faults = append(faults, Fault{hashline.BadBody, i, k, -1})
			}
		}
		if topBad && topOp == i && topRow < 0 {
			faults = append(faults, Fault{hashline.BadBody, i, -1, -1})
		}
	}
	return faults
}

// top finds what the new text begins with: the row of an operation, or a line
// that comes to the top because the operation cuts the one above it. It is bad
// where that begins with U+FEFF and the old first line did not.
func top(lines []Line, ops []hashline.Op) (op, row int, bad bool) {
	if len(lines) > 0 && strings.HasPrefix(lines[0].Text, "\uFEFF") {
		return -1, -1, false
	}
	cutter := -1
	for n := 1; n <= len(lines)+1; n++ {
		find := func(k hashline.Kind) int {
			return slices.IndexFunc(ops, func(o hashline.Op) bool { return o.Kind == k && o.Span.First == n })
		}
		if i := find(hashline.InsertBefore); i >= 0 {
			return i, 0, strings.HasPrefix(ops[i].Body[0], "\uFEFF")
		}
		if i := find(hashline.Replace); i >= 0 {
			return i, 0, strings.HasPrefix(ops[i].Body[0], "\uFEFF")
		}
		cut := slices.IndexFunc(ops, func(o hashline.Op) bool {
			return o.Kind == hashline.Delete && o.Span.First <= n && n <= o.Span.Last
		})
		if cut < 0 && n <= len(lines) {
			return cutter, -1, cutter >= 0 && strings.HasPrefix(lines[n-1].Text, "\uFEFF")
		}
		cutter = cut
		if i := find(hashline.InsertAfter); i >= 0 {
			return i, 0, strings.HasPrefix(ops[i].Body[0], "\uFEFF")
		}
	}
	for i, o := range ops {
		if o.Kind == hashline.Append {
			return i, 0, strings.HasPrefix(o.Body[0], "\uFEFF")
		}
	}
	return -1, -1, false
}
