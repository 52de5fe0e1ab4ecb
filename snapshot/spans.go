package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// maxRanges is how many ranges [ParseRanges] takes.
const maxRanges = 1000

// ParseRanges reads a list of ranges of lines such as "10-20,80-95" or "7" for
// [Snapshot.ReadRanges]. Blanks around numbers are allowed; a number over
// [hashline.MaxLine] reads as that. Anything else, and a list of more than 1,000
// ranges, is refused with a [hashline.BadArgument] diagnostic. Whether the lines
// exist is not decided here.
func ParseRanges(s string) ([]hashline.Span, error) {
	bad := func(format string, args ...any) ([]hashline.Span, error) {
		return nil, &hashline.Diagnostic{
			Code: hashline.BadArgument,
			Msg:  fmt.Sprintf(format, args...),
			Hint: "write ranges as 10-20,80-95; a single line is 7",
		}
	}
	if k := strings.Count(s, ",") + 1; k > maxRanges {
		return bad("%d ranges are more than the %d that one call shows", k, maxRanges)
	}
	var spans []hashline.Span
	for part := range strings.SplitSeq(s, ",") {
		a, b, several := strings.Cut(part, "-")
		first, ok := parseLine(a)
		last := first
		if ok && several {
			last, ok = parseLine(b)
		}
		if !ok {
			return bad("%.40q is no range of lines", strings.TrimSpace(part))
		}
		spans = append(spans, hashline.Span{First: first, Last: last})
	}
	return spans, nil
}

func parseLine(s string) (n int, ok bool) {
	s = strings.Trim(s, " \t")
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = min(n*10+int(c-'0'), hashline.MaxLine)
	}
	return n, s != ""
}

// merge gives the lines of spans that a file of so many lines has, ascending,
// in as few spans as possible. The argument is left as it is.
func merge(spans []hashline.Span, lines int) []hashline.Span {
	some := make([]hashline.Span, 0, len(spans))
	for _, s := range spans {
		s = hashline.Span{First: max(s.First, 1), Last: min(s.Last, lines)}
		if s.First <= s.Last {
			some = append(some, s)
		}
	}
	slices.SortFunc(some, func(a, b hashline.Span) int { return cmp.Compare(a.First, b.First) })
	merged := some[:0]
	for _, s := range some {
		if k := len(merged); k > 0 && s.First <= merged[k-1].Last+1 {
			merged[k-1].Last = max(merged[k-1].Last, s.Last)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}

// extend adds a line after all others to merged spans.
func extend(spans []hashline.Span, n int) []hashline.Span {
	if k := len(spans); k > 0 && spans[k-1].Last+1 == n {
		spans[k-1].Last = n
		return spans
	}
	return append(spans, hashline.Span{First: n, Last: n})
}

// shrink takes the last line off merged spans, and gives it.
func shrink(spans []hashline.Span) ([]hashline.Span, int) {
	last := &spans[len(spans)-1]
	n := last.Last
	if last.Last--; last.Last < last.First {
		spans = spans[:len(spans)-1]
	}
	return spans, n
}

// count is the number of lines in spans that do not overlap.
func count(spans []hashline.Span) int {
	n := 0
	for _, s := range spans {
		n += s.Len()
	}
	return n
}

// appendSpans writes spans as views do: "1, 7-9".
func appendSpans(dst []byte, spans []hashline.Span, between string) []byte {
	for i, s := range spans {
		if i > 0 {
			dst = append(dst, between...)
		}
		dst = strconv.AppendInt(dst, int64(s.First), 10)
		if s.Last > s.First {
			dst = append(dst, '-')
			dst = strconv.AppendInt(dst, int64(s.Last), 10)
		}
	}
	return dst
}
