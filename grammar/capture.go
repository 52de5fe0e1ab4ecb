package grammar

import (
	"slices"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// The captures below never fail: participle would drop the whole tree, and the
// lexer hands them only what they can read.

// number is a line number. It is not an int to participle, which would read
// "010" as 8.
type number int

// Capture reads the digits of a Number token.
func (n *number) Capture(values []string) error {
	*n = number(lineNumber(values[0]))
	return nil
}

// lineNumber reads decimal digits; a value over [hashline.MaxLine] reads as
// that.
func lineNumber(digits string) int {
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > 9 {
		return hashline.MaxLine
	}
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

// header is what stands in a header line.
type header struct {
	path string
	tag  hashline.Tag
}

// Capture reads a Header token.
func (h *header) Capture(values []string) error {
	*h, _ = readHeader(values[0])
	return nil
}

// readHeader reads "[path#TAG]", blanks around its parts removed.
func readHeader(s string) (header, bool) {
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return header{}, false
	}
	s = s[1 : len(s)-1]
	hash := strings.LastIndexByte(s, '#')
	if hash < 0 {
		return header{}, false
	}
	path, digits := trim(s[:hash]), trim(s[hash+1:])
	if path == "" || len(digits) != 4 { // an error costs far more than this
		return header{}, false
	}
	tag, err := hashline.ParseTag(digits)
	return header{path, tag}, err == nil
}

// body holds the rows of a body, which share the memory of the document.
type body []string

// Capture takes a Body token apart.
func (b *body) Capture(values []string) error {
	*b = appendRows(nil, values[0])
	return nil
}

// appendRows appends the rows of a text whose lines all begin with "+". Room is
// made for all of them first.
func appendRows(rows []string, text string) []string {
	n := strings.Count(text, "\n")
	if text[len(text)-1] != '\n' {
		n++
	}
	rows = slices.Grow(rows, n)
	for range n {
		end := strings.IndexByte(text, '\n')
		next := end + 1
		if end < 0 {
			end, next = len(text), len(text)
		}
		if text[end-1] == '\r' {
			end--
		}
		rows = append(rows, text[1:end])
		text = text[next:]
	}
	return rows
}
