package apply

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

// shape is how a row that is shown to an agent begins behind its number.
type shape string

const (
	viewShape    shape = ":"   // of a view (spec 4)
	matchShape   shape = " | " // of a search (spec 8)
	contextShape shape = " - " // of a search, around a match
)

// shownAs takes a row apart that has the form of one that was shown; n is 0 for
// any other.
func shownAs(row string) (n int, s shape, text string) {
	i := 0
	for i < len(row) && i < 10 && '0' <= row[i] && row[i] <= '9' {
		i++
	}
	if i == 0 || i == len(row) || row[0] == '0' {
		return 0, "", ""
	}
	for _, s := range [...]shape{viewShape, matchShape, contextShape} {
		if text, ok := strings.CutPrefix(row[i:], string(s)); ok {
			n, err := strconv.Atoi(row[:i])
			if err != nil {
				return 0, "", ""
			}
			return n, s, text
		}
	}
	return 0, "", ""
}

// numberedRow finds the first row of an operation that was most likely pasted
// with its line number, -1 where there is none, and the line that the number
// names. Where the lines around it are numbered too, numbers are what the file
// is made of. It is asked for rows that [pastedRow] does not refuse.
//
// A number alone says nothing: it must name a line that the operation replaces,
// the text behind it must be the line of that number, or all rows of a longer
// body must be numbered one after the other.
func (l *layout) numberedRow(i int) (row, line int) {
	o := &l.ops[i]
	row, run := -1, len(o.Body) > 1
	first, how, _ := shownAs(o.Body[0])
	for k, text := range o.Body {
		n, s, rest := shownAs(text)
		run = run && n > 0 && s == how && n == first+k
		if n > 0 && (o.Kind == hashline.Replace && o.Span.Contains(n) || l.isLine(n, rest)) {
			row, line = k, n
			break
		}
	}
	if row < 0 && run {
		row, line = 0, first
	}
	if row < 0 || l.numbersAround(o) {
		return -1, 0
	}
	return row, line
}

// isLine reports whether a text is line n and more than blanks and punctuation.
func (l *layout) isLine(n int, text string) bool {
	if n > l.t.Lines() || !hasWords(text) {
		return false
	}
	return isRow(l.t, l.t.Start(n), text)
}

// numbersAround reports whether a line that an operation replaces, or one right
// beside it, has the form of a row that was shown.
func (l *layout) numbersAround(o *hashline.Op) bool {
	first, last := o.Span.First-1, o.Span.Last+1
	if o.Kind == hashline.Append {
		first, last = l.t.Lines(), l.t.Lines()
	}
	for row := range l.t.ShownRows(first, last) {
		if n, _, _ := shownAs(string(row.Head[:min(len(row.Head), 20)])); n > 0 {
			return true
		}
	}
	return false
}

// previewWidth is how many characters a search shows of a long line (spec 8).
const previewWidth = 200

// isPreview reports whether a row has the form of a line that a search cut to
// its width.
func isPreview(row string) bool {
	if len(row) < previewWidth {
		return false
	}
	if _, s, text := shownAs(row); s == matchShape || s == contextShape {
		row = text
	}
	if !strings.HasPrefix(row, "…") && !strings.HasSuffix(row, "…") {
		return false
	}
	row = strings.TrimSuffix(strings.TrimPrefix(row, "…"), "…")
	return len(row) <= previewWidth*utf8.UTFMax && utf8.RuneCountInString(row) == previewWidth
}
