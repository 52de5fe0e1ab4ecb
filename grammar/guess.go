package grammar

import (
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// guess is a header that somebody may have meant with a line that is none.
type guess struct {
	path string
	tag  string // 4 hex digits, or "" where the line has none
	// sure tells that the line can hardly be anything else.
	sure bool
	// prose tells that other words stand around it.
	prose bool
	// weak tells that only its text looks like a path.
	weak bool
}

// form is the header as it should be written.
func (g guess) form() string {
	if tag, err := hashline.ParseTag(g.tag); err == nil {
		return excerpt(hashline.Header(g.path, tag))
	}
	return "[" + excerpt(g.path) + "#TAG]"
}

// advice says how to write the header.
func (g guess) advice() string {
	if g.tag == "" {
		return "write " + g.form() + " with the 4 hex digits that the file's view shows"
	}
	return "write " + g.form() + " alone on its line"
}

// maxGuess is how many bytes a line has at most that is searched for a header.
const maxGuess = 1000

// guessHeader reads a line as a header that is written in another way, such as
// "**[path#TAG]**", "path#TAG", "[path:TAG]" or "File: path".
func guessHeader(t string) (guess, bool) {
	if len(t) > maxGuess {
		return guess{}, false
	}
	if g, ok := innerHeader(t); ok {
		return g, true
	}
	core, dressed := undress(t)
	bracket := strings.HasPrefix(core, "[")
	inner := strings.Trim(core, `[](){}<>\`)
	enclosed := dressed || bracket || len(inner) < len(core)
	if g, ok := tagged(inner, enclosed); ok {
		return g, true
	}
	switch {
	case bracket && strings.Contains(inner, "#") && strings.HasSuffix(core, "]"):
		return guess{path: trim(inner[:strings.LastIndexByte(inner, '#')])}, true
	case bracket && strings.HasPrefix(inner, "rows "), strings.Contains(core, "]("): // a view's footer, a link
		return guess{}, false
	case pathLike(core, false), bracket && pathLike(inner, true):
		return guess{path: strings.Trim(core, "[]"), weak: !bracket && !dressed}, true
	}
	return guess{}, false
}

// innerHeader finds a complete header inside a line.
func innerHeader(t string) (guess, bool) {
	from := 0
	for range 8 { // a line of hashes is none
		hash := strings.IndexByte(t[from:], '#')
		if hash < 0 {
			break
		}
		hash += from
		from = hash + 1
		end := strings.IndexByte(t[hash:], ']')
		open := strings.LastIndexByte(t[:hash], '[')
		if end < 0 || open < 0 {
			continue
		}
		end += hash + 1
		if h, ok := readHeader(t[open:end]); ok {
			before, _ := undress(t[:open])
			before, after := strings.Trim(before, "[("), strings.Trim(t[end:], dress+"]).")
			alone := before == "" && after == ""
			return guess{path: h.path, tag: h.tag.String(), sure: alone, prose: !alone}, true
		}
	}
	return guess{}, false
}

// separators may stand between a path and its tag in a header that is not
// written as it should be.
const separators = " \t#:@=|,;/([{<)]}>"

// tagged reads a text that ends in 4 hex digits behind something that may be a
// path.
func tagged(s string, enclosed bool) (guess, bool) {
	n := len(s) - 4
	if n < 2 || isWord(s[n-1]) {
		return guess{}, false
	}
	if _, err := hashline.ParseTag(s[n:]); err != nil {
		return guess{}, false
	}
	path := strings.TrimRight(s[:n], separators)
	if w := len(path) - len("tag"); w > 0 && strings.EqualFold(path[w:], "tag") && !isWord(path[w-1]) {
		path = strings.TrimRight(path[:w], separators)
	}
	sep := s[len(path):n]
	hash := strings.Contains(sep, "#")
	switch {
	case path == "", strings.Contains(path, "#"):
		return guess{}, false
	case pathLike(path, enclosed):
	case !isName(path), !hash && (!enclosed || strings.ContainsAny(sep, ",;|/=")):
		return guess{}, false
	}
	return guess{path: path, tag: strings.ToUpper(s[n:]), sure: enclosed && hash}, true
}
