package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

// Read shows the rows offset..offset+limit-1 of the file, those that there are
// (spec 4). Where neither is asked for, offset is 1 and limit is math.MaxInt.
// offset or limit below 1, or an offset past the last line (1 in an empty file),
// is refused with a [hashline.BadArgument] diagnostic that gives the line count.
//
// Rows that the budget has no place for are dropped from the end, and footer 1
// says where to go on. Where not one row fits, the footer is
//
//	[row 7 of 20 does not fit the output limit; next offset 8]
//
// and without "next offset" for the last line.
func (s Snapshot) Read(offset, limit, budget int) (View, error) {
	total := s.Text.Lines()
	switch {
	case offset < 1:
		return View{}, s.bad("offset is the first line to show", "offset %d is below 1", offset)
	case limit < 1:
		return View{}, s.bad("limit is how many lines to show", "limit %d is below 1", limit)
	case offset > max(total, 1):
		return View{}, s.bad("", "offset %d is past the last line", offset)
	}
	last := total
	if limit <= total-offset {
		last = offset + limit - 1
	}
	return s.fill([]hashline.Span{{First: offset, Last: last}}, budget, s.pageFooter(offset)), nil
}

// pageFooter gives the footer for some rows of a read that begins at a line.
func (s Snapshot) pageFooter(offset int) func([]hashline.Span) string {
	total := s.Text.Lines()
	return func(rows []hashline.Span) string {
		if s.whole(rows) {
			return ""
		}
		shown, last := fmt.Sprintf("row %d of %d does not fit the output limit", offset, total), offset
		if len(rows) > 0 {
			last = rows[0].Last
			shown = fmt.Sprintf("rows %d-%d of %d", offset, last, total)
		}
		if last == total {
			return "[" + shown + "]"
		}
		return fmt.Sprintf("[%s; next offset %d]", shown, last+1)
	}
}

// ReadRanges shows several ranges of lines, in ascending order and each line
// once, with a row "…" for every gap. A range that begins below 1 or past the
// last line (1 in an empty file) or that ends before it begins, and a list of
// none, is refused with a [hashline.BadArgument] diagnostic that gives the line
// count; an end past the last line is taken back to it. Ranges that cover the
// whole file give what [Snapshot.Read] gives. Otherwise the footer lists what is
// shown, and after a drop to fit the budget also the next of what is missing, at
// most 8 ranges and then "…":
//
//	[rows 10-20,80-95 of 300]
//	[rows 10-14 of 300; next ranges 15-20,80-95]
//	[row 10 of 300 does not fit the output limit; next ranges 11-20,80-95]
func (s Snapshot) ReadRanges(spans []hashline.Span, budget int) (View, error) {
	total := s.Text.Lines()
	if len(spans) == 0 {
		return View{}, s.bad("write ranges as 10-20,80-95", "there is no range")
	}
	for _, r := range spans {
		switch {
		case r.First < 1:
			return View{}, s.bad("", "range %d-%d begins below line 1", r.First, r.Last)
		case r.Last < r.First:
			return View{}, s.bad("write the lower number first", "range %d-%d ends before it begins", r.First, r.Last)
		case r.First > max(total, 1):
			return View{}, s.bad("", "range %s begins past the last line", appendSpans(nil, []hashline.Span{r}, ""))
		}
	}
	want := merge(spans, total)
	if s.whole(want) {
		return s.fill(want, budget, s.pageFooter(1)), nil
	}
	return s.fill(want, budget, func(rows []hashline.Span) string { return rangesFooter(want, rows, total) }), nil
}

// listed is how many missing ranges a footer lists.
const listed = 8

func rangesFooter(want, rows []hashline.Span, total int) string {
	out := []byte("[")
	last := want[0].First
	if len(rows) > 0 {
		last = rows[len(rows)-1].Last
		out = append(out, "rows "...)
		out = appendSpans(out, rows, ",")
		out = fmt.Appendf(out, " of %d", total)
	} else {
		out = fmt.Appendf(out, "row %d of %d does not fit the output limit", last, total)
	}
	if left := after(want, last, listed+1); len(left) > 0 {
		out = append(out, "; next ranges "...)
		out = appendSpans(out, left[:min(len(left), listed)], ",")
		if len(left) > listed {
			out = append(out, ",…"...)
		}
	}
	return string(append(out, ']'))
}

// after gives the first spans, at most so many, of what lies after line n in
// merged spans.
func after(spans []hashline.Span, n, most int) []hashline.Span {
	i, _ := slices.BinarySearchFunc(spans, n+1, func(s hashline.Span, n int) int { return cmp.Compare(s.Last, n) })
	left := slices.Clone(spans[i:min(i+most, len(spans))])
	if len(left) > 0 {
		left[0].First = max(left[0].First, n+1)
	}
	return left
}

// fill shows the wanted rows, without those at the end that the budget has no
// place for. The footer is asked for with the rows that are shown.
func (s Snapshot) fill(want []hashline.Span, budget int, footer func(rows []hashline.Span) string) View {
	p := newPage(s.Header(), s.room(want, budget))
	full := false
	for _, span := range want {
		for r := range s.Text.ShownRows(span.First, span.Last) {
			full = budget > 0 && len(p.out)+r.size() > budget || s.MaxRows > 0 && p.lines+p.linesFor(r.N) > s.MaxRows
			if full {
				break
			}
			p.add(r)
		}
		if full {
			break
		}
	}
	foot := footer(p.rows)
	for budget > 0 && len(p.rows) > 0 && p.size(foot) > budget {
		p.drop()
		foot = footer(p.rows)
	}
	return p.finish(foot)
}

// room guesses how many bytes the wanted rows take. A guess too low costs a
// copy, one too high memory, so it is never above a small multiple of the truth.
func (s Snapshot) room(want []hashline.Span, budget int) int {
	n := 128
	for _, span := range want {
		if span.First <= span.Last {
			bytes := s.Text.Start(span.Last+1) - s.Text.Start(span.First)
			if most := utf8.UTFMax * maxChars; bytes/most >= span.Len() {
				bytes = most * span.Len()
			}
			n += bytes + 8*span.Len()
		}
	}
	if budget > 0 {
		n = min(n, budget)
	}
	return n
}
