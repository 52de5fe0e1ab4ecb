package grammar

import (
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// bom is U+FEFF, which some editors put before a text.
const bom = "\uFEFF"

// line is one line of a document.
type line struct {
	text string // without its "\n" and without one "\r" before that or the end
	off  int    // the offset of its first byte
	num  int    // counted from 1
	next int    // the offset of the following line
}

// lineAt gives the line that begins at off and is the num-th.
func lineAt(text string, off, num int) line {
	end := strings.IndexByte(text[off:], '\n')
	next := off + end + 1
	if end < 0 {
		end, next = len(text)-off, len(text)
	}
	return line{strings.TrimSuffix(text[off:off+end], "\r"), off, num, next}
}

// pos is the place of the byte at index i of the line.
func (l line) pos(i int) hashline.Position {
	return hashline.Position{Offset: l.off + i, Line: l.num, Column: i + 1}
}

// content is the line without the U+FEFF that may begin a document.
func (l line) content() string {
	if l.off == 0 {
		return strings.TrimPrefix(l.text, bom)
	}
	return l.text
}

// blank reports whether the line holds nothing but blanks and carriage returns.
func (l line) blank() bool {
	s := l.content()
	for i := range len(s) {
		if c := s[i]; c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// start is the index of the first byte that is neither a blank nor part of a
// U+FEFF: the place of a keyword or a "[".
func (l line) start() int {
	i := 0
	for i < len(l.text) {
		switch {
		case isBlank(l.text[i]):
			i++
		case strings.HasPrefix(l.text[i:], bom):
			i += len(bom)
		default:
			return i
		}
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isWord reports whether c continues a word, so that "PUT12" and "PUTS" are no
// keyword. Bytes of characters outside ASCII do.
func isWord(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

func trim(s string) string { return strings.Trim(s, " \t") }

// skip gives the index of the first byte of s at or after i that is no blank.
func skip(s string, i int) int {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	return i
}

// digits gives the index after the run of digits that begins at i.
func digits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// keyword reads a keyword of three letters in any case at index i of s.
func keyword(s string, i int, word string) bool {
	j := i + len(word)
	return j <= len(s) && strings.EqualFold(s[i:j], word) && (j == len(s) || !isWord(s[j]))
}
