package applytest

import (
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// Untouched reports whether what stands above the first and below the last of
// the operations is there byte for byte.
func Untouched(before, after string, ops []hashline.Op) bool {
	mark, lines := Lines(before)
	first, last := len(lines)+1, 1 // lines first-1 and above, last and below stay
	for _, o := range ops {
		switch o.Kind {
		case hashline.Append:
			last = len(lines) + 1
		case hashline.InsertAfter:
			first, last = min(first, o.Span.First+1), max(last, o.Span.First+1)
		case hashline.InsertBefore:
			first, last = min(first, o.Span.First), max(last, o.Span.First)
		default:
			first, last = min(first, o.Span.First), max(last, o.Span.Last+1)
		}
	}
	return strings.HasPrefix(after, mark+join(lines[:first-1])) && strings.HasSuffix(after, join(lines[min(last, len(lines)+1)-1:]))
}

func join(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text + l.End)
	}
	return b.String()
}
