package grammar

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

// badHeader explains a line that is probably meant as a header. What stands
// under it belongs to no section that could be read.
func (r *recovery) badHeader(l line, where spot) {
	i := l.start()
	t := strings.TrimRight(l.text[i:], " \t")
	g, ok := guessHeader(t)
	code, at, msg, hint := headerFault(t, i, g, ok)
	pos := l.pos(at)
	row := r.rowToo(l, where)
	switch {
	case ok && g.sure:
		row = ""
	case t[0] == '[' && (g.prose || g.tag != "") && where == noBody:
		row = ""
	case g.prose:
		row += "; leave the line out if no section begins here"
	case ok && g.tag != "" && where == noBody:
		row = ""
	}
	path, tag := written(t, g)
	r.means(path, tag, pos)
	r.add(code, pos, msg, hint+row)
	inBody := where != noBody && !g.sure
	r.unread()
	if !inBody {
		r.name(namedBy(t, g, ok), pos)
	}
	r.skipRows(r.at)
	r.above = above{put: inBody, rows: inBody, end: r.at.num - 1}
}

// rowToo gives the form of a line that may as well be a row of the body above
// it, "" where there is none.
func (r *recovery) rowToo(l line, where spot) string {
	switch {
	case where != noBody:
		return "; if it is a row of the body, write + before it: +" + excerpt(l.text)
	case r.above.put:
		return "; if it is a row of the body above, write + before it, +" + excerpt(l.text) + ", and a lone + where the row is blank"
	}
	return ""
}

// headerFault says what is wrong with a header that begins at index i of its
// line, and where; g is how it is best understood.
func headerFault(t string, i int, g guess, guessed bool) (code hashline.Code, at int, msg, hint string) {
	form := "write the header as the file's view shows it: [path#TAG]"
	if guessed {
		form = g.advice()
	}
	if t[0] != '[' {
		return hashline.BadHeader, i, "a header is written [path#TAG]: " + quote(t), form
	}
	if t[len(t)-1] != ']' {
		if j := strings.LastIndexByte(t, ']'); j >= 0 {
			if h, ok := readHeader(t[:j+1]); ok {
				hint := "write " + excerpt(hashline.Header(h.path, h.tag)) + " alone on its line"
				if k := anyOp(t[j+1:]); k >= 0 {
					hint += ", and the operation on a line of its own: " + excerpt(t[j+1+k:])
				}
				return hashline.BadHeader, i + j + 1, "text after the header: " + quote(t[j+1:]), hint
			}
		}
		if h, ok := readHeader(t + "]"); ok && g.tag == "" {
			form = "write " + excerpt(hashline.Header(h.path, h.tag))
		}
		return hashline.BadHeader, i + len(t), "the header does not end with ]: " + quote(t), form
	}
	inner := t[1 : len(t)-1]
	hash := strings.LastIndexByte(inner, '#')
	if hash < 0 {
		if p := trim(inner); p != "" && !guessed {
			form = "write [" + excerpt(p) + "#TAG] with the 4 hex digits that the file's view shows"
		}
		return hashline.BadHeader, i, "the header has no #TAG: " + quote(t), form
	}
	path, tag := trim(inner[:hash]), trim(inner[hash+1:])
	if path == "" {
		return hashline.BadHeader, i + 1, "the header names no file: " + quote(t), "write the header as the file's view shows it: [path#TAG]"
	}
	at = i + 1 + skip(t, hash+2) - 1
	hint = "copy the 4 hex digits from the file's view: [" + excerpt(path) + "#TAG]"
	if g.tag != "" {
		hint = form
	}
	switch n := utf8.RuneCountInString(tag); {
	case tag == "":
		msg = "the tag is missing: a tag has 4 hex digits"
	case n != 4:
		msg = fmt.Sprintf("the tag %s has %s: a tag has 4 hex digits", quote(tag), plural(n, "character"))
	default:
		msg = "the tag " + quote(tag) + " is not made of hex digits, which are 0-9 and A-F"
	}
	return hashline.BadTag, at, msg, hint
}

// written gives the header that the hint of headerFault writes with its tag; tag is
// "" where there is none.
func written(t string, g guess) (path, tag string) {
	if t[0] == '[' && t[len(t)-1] != ']' {
		h, ok := readHeader(t[:strings.LastIndexByte(t, ']')+1])
		if !ok && g.tag == "" {
			h, ok = readHeader(t + "]")
		}
		if ok {
			return h.path, h.tag.String()
		}
	}
	return g.path, g.tag
}

// anyOp gives the index at which an operation begins somewhere in a text, or -1.
func anyOp(s string) int {
	for i := 0; i < min(len(s), maxGuess); i++ {
		if (i == 0 || !isWord(s[i-1])) && opWord(s, i) != "" {
			if j := skip(s, i+3); j < len(s) && (isDigit(s[j]) || s[j] == '<' || s[j] == '>') {
				return i
			}
		}
	}
	return -1
}
