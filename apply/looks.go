package apply

import (
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// maxDoubt is how many bytes a row has at most that is taken for an operation,
// a header or a placeholder.
const maxDoubt = 200

// looksLikeOp reports whether a whole row is an operation or a header in the
// syntax of spec 5.
func looksLikeOp(row string) bool {
	if len(row) > maxDoubt {
		return false
	}
	s := trim(row)
	if len(s) < 4 {
		return false
	}
	switch {
	case s[0] == '[':
		return isHeader(s)
	case strings.EqualFold(s[:3], "PUT"):
		return isPut(s[3:])
	case strings.EqualFold(s[:3], "CUT"):
		// In "CUT3" the two would be one name of a program.
		return isBlank(s[3]) && isSpan(s[3:])
	}
	return false
}

func isPut(s string) bool {
	place, ok := strings.CutSuffix(s, ":")
	if !ok {
		return false
	}
	target := trim(place)
	if target == "" {
		return false
	}
	switch target[0] {
	case '<':
		return isNumber(trim(target[1:]))
	case '>':
		n := trim(target[1:])
		return n == "$" || isNumber(n)
	}
	return isBlank(place[0]) && isSpan(target)
}

func isSpan(s string) bool {
	s = trim(s)
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	if n == 0 || n == len(s) {
		return n > 0
	}
	rest := trim(s[n:])
	for _, dots := range []string{".=", "..", "-"} {
		if last, ok := strings.CutPrefix(rest, dots); ok {
			return isNumber(trim(last))
		}
	}
	return false
}

func isHeader(s string) bool {
	_, _, ok := hashline.ParseHeader(s)
	return ok
}

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || '9' < s[i] {
			return false
		}
	}
	return s != ""
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func trim(s string) string {
	for len(s) > 0 && isBlank(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}
