package grammar

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxQuote is how many characters of a document a message quotes (spec 5).
const maxQuote = 80

// quote gives the text of a line between quotation marks, as a message shows it.
func quote(s string) string { return `"` + excerpt(strings.Trim(s, " \t\r")) + `"` }

// excerpt gives at most maxQuote characters of s, in one line: what does not
// print is escaped, and "…" stands for a rest.
func excerpt(s string) string {
	var b strings.Builder
	for n := 0; s != ""; {
		r, size := utf8.DecodeRuneInString(s)
		shown := s[:size]
		if r == utf8.RuneError && size == 1 {
			shown = `\x` + strconv.FormatUint(uint64(s[0])|0x100, 16)[1:]
		} else if !strconv.IsPrint(r) {
			q := strconv.QuoteRuneToASCII(r)
			shown = q[1 : len(q)-1]
		}
		s = s[size:]
		width := utf8.RuneCountInString(shown)
		if n += width; n > maxQuote || n == maxQuote && s != "" {
			b.WriteString("…")
			break
		}
		b.WriteString(shown)
	}
	return b.String()
}
