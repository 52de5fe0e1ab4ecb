package grammar

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// opWord gives the keyword that stands at index i of s, "PUT" or "CUT", or "".
func opWord(s string, i int) string {
	for _, word := range [...]string{"PUT", "CUT"} {
		if keyword(s, i, word) {
			return word
		}
	}
	return ""
}

// lineEnd gives the offset after the line end that follows at.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// scanOp queues the tokens of a line that begins with a keyword.
func (s *scanner) scanOp(l line, i int, word string) {
	s.ops++
	if s.over = s.ops > MaxOps; s.over {
		s.push(tokStray, l.text[i:], l, i)
		return
	}
	at := i
	if i += len(word); word == "PUT" {
		word, i = fold(l.text, i)
	}
	s.push(tokKeyword, word, l, at)
	first, kind := 0, tokKeyword
	for {
		i = skip(l.text, i)
		if i == len(l.text) {
			s.waiting = kind == tokColon
			s.push(tokEOL, "", l, i)
			return
		}
		before := kind
		var end int
		kind, end = opToken(l.text, i)
		if kind == tokNumber {
			// Line 0 is no line, and a span that ends before it begins no
			// span: neither has a name here, so that the grammar stops there.
			n := lineNumber(l.text[i:end])
			if n == 0 || before == tokRange && n < first {
				kind = tokStray
			}
			first = n
		}
		if kind == tokStray || s.tail == tokensPerLine {
			s.push(tokStray, l.text[i:], l, i)
			return
		}
		s.push(kind, l.text[i:end], l, i)
		i = end
	}
}

// fold makes one keyword of PUT and the "<", ">" or ">$" behind it, which begins
// at index i or after blanks.
func fold(s string, i int) (word string, end int) {
	j := skip(s, i)
	switch {
	case strings.HasPrefix(s[j:], "<"):
		return "PUT <", j + 1
	case strings.HasPrefix(s[j:], ">"):
		if k := skip(s, j+1); strings.HasPrefix(s[k:], "$") {
			return "PUT >$", k + 1
		}
		return "PUT >", j + 1
	}
	return "PUT", i
}

// opToken tells what stands at index i of an operation's line and where it ends.
func opToken(s string, i int) (kind lexer.TokenType, end int) {
	switch c := s[i]; {
	case isDigit(c):
		return tokNumber, digits(s, i)
	case c == ':':
		return tokColon, i + 1
	case c == '-':
		return tokRange, i + 1
	case strings.HasPrefix(s[i:], ".="), strings.HasPrefix(s[i:], ".."):
		return tokRange, i + 2
	}
	return tokStray, len(s)
}
