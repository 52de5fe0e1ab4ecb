package applytest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// Result is what the model makes of a text.
type Result struct {
	Text           string
	Summary        string
	Focus          []hashline.Span
	Structural     bool
	Added, Removed int
}

// Line is a line of a text, its terminator apart.
type Line struct{ Text, End string }

// Lines takes a text apart: its byte-order mark and its lines.
func Lines(text string) (mark string, lines []Line) {
	if strings.HasPrefix(text, "\uFEFF") {
		mark, text = "\uFEFF", strings.TrimPrefix(text, "\uFEFF")
	}
	for _, s := range strings.SplitAfter(text, "\n") {
		switch {
		case strings.HasSuffix(s, "\r\n"):
			lines = append(lines, Line{s[:len(s)-2], "\r\n"})
		case strings.HasSuffix(s, "\n"):
			lines = append(lines, Line{s[:len(s)-1], "\n"})
		case s != "":
			lines = append(lines, Line{s, ""})
		}
	}
	return mark, lines
}

// commonest is the terminator that most lines have.
func commonest(lines []Line) string {
	count := map[string]int{}
	for _, l := range lines {
		count[l.End]++
	}
	if count["\r\n"] > count["\n"] {
		return "\r\n"
	}
	return "\n"
}

// row is a line of the new text.
type row struct {
	Line
	isNew, focus bool
	// at orders rows: at an original line n, 3n is above it, 3n+1 its place
	// and 3n+2 below it.
	at int
}

// Apply applies operations that [Check] finds nothing wrong with.
func Apply(text string, ops []hashline.Op) Result {
	mark, lines := Lines(text)
	usual := commonest(lines)
	endOf := func(n int) string { // of original line n, for a new row
		if n >= 1 && n <= len(lines) && lines[n-1].End != "" {
			return lines[n-1].End
		}
		return usual
	}
	var r Result
	gone := map[int]bool{}
	var rows []row
	put := func(at int, text, end string) {
		rows = append(rows, row{Line: Line{text, end}, isNew: true, focus: true, at: at})
	}
	unchanged := map[int]bool{} // lines that a PUT writes as they are
	var sums []string
	for _, o := range ops {
		n, m := o.Span.First, o.Span.Last
		counts := fmt.Sprintf("(+%d line(s))", len(o.Body))
		removed := 0
		switch o.Kind {
		case hashline.InsertBefore:
			for _, b := range o.Body {
				put(3*n, b, endOf(n))
			}
		case hashline.InsertAfter:
			for _, b := range o.Body {
				put(3*n+2, b, endOf(n))
			}
		case hashline.Append:
			for _, b := range o.Body {
				put(3*len(lines)+6, b, endOf(len(lines)))
			}
		case hashline.Replace:
			counts = fmt.Sprintf("(%d → %d line(s))", m-n+1, len(o.Body))
			removed = m - n + 1
			if m-n+1 >= 40 {
				r.Structural = true
			}
			same := len(o.Body) == m-n+1
			for k := 0; same && k < len(o.Body); k++ {
				same = o.Body[k] == lines[n+k-1].Text
			}
			if same {
				for k := n; k <= m; k++ {
					unchanged[k] = true
				}
				sums = append(sums, "PUT "+spanText(n, m)+": (no change)")
				continue
			}
			for k, b := range o.Body {
				put(3*n+1, b, endOf(min(n+k, m)))
			}
			for k := n; k <= m; k++ {
				gone[k] = true
			}
		case hashline.Delete:
			counts = fmt.Sprintf("(%d lines)", m-n+1)
			if n == m {
				counts = "(1 line)"
			}
			removed = m - n + 1
			if m-n+1 >= 40 {
				r.Structural = true
			}
			for k := n; k <= m; k++ {
				gone[k] = true
			}
		}
		r.Added += len(o.Body)
		r.Removed += removed
		sums = append(sums, opText(o)+" "+counts)
	}
	r.Summary = strings.Join(sums, "; ")
	for i, l := range lines {
		if !gone[i+1] {
			rows = append(rows, row{Line: l, focus: unchanged[i+1], at: 3*(i+1) + 1})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return a.at - b.at })

	for _, o := range ops {
		if o.Kind == hashline.Delete {
			focusAround(rows, o.Span)
		}
	}
	var b strings.Builder
	b.WriteString(mark)
	for i, w := range rows {
		last := i == len(rows)-1
		switch {
		case !w.isNew && w.End == "" && !last:
			w.End = usual
		case w.isNew && last && w.Text != "" && len(lines) > 0 && lines[len(lines)-1].End == "":
			w.End = ""
		}
		b.WriteString(w.Text + w.End)
		if w.focus {
			if n := len(r.Focus); n > 0 && r.Focus[n-1].Last == i {
				r.Focus[n-1].Last = i + 1
			} else {
				r.Focus = append(r.Focus, hashline.Span{First: i + 1, Last: i + 1})
			}
		}
	}
	r.Text = b.String()
	if r.Text == text {
		r.Added, r.Removed = 0, 0
	}
	return r
}

// focusAround marks the rows above and below the place that a CUT leaves. Rows
// inserted at the cut lines lie inside the place.
func focusAround(rows []row, cut hashline.Span) {
	above, below := -1, -1
	for i, w := range rows {
		if w.at < 3*cut.First {
			above = i
		}
		if w.at > 3*cut.Last+2 && below < 0 {
			below = i
		}
	}
	for _, i := range []int{above, below} {
		if i >= 0 {
			rows[i].focus = true
		}
	}
}

func spanText(n, m int) string {
	if n == m {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d.=%d", n, m)
}

func opText(o hashline.Op) string {
	switch o.Kind {
	case hashline.InsertBefore:
		return fmt.Sprintf("PUT <%d:", o.Span.First)
	case hashline.InsertAfter:
		return fmt.Sprintf("PUT >%d:", o.Span.First)
	case hashline.Append:
		return "PUT >$:"
	case hashline.Delete:
		return "CUT " + spanText(o.Span.First, o.Span.Last)
	}
	return "PUT " + spanText(o.Span.First, o.Span.Last) + ":"
}
