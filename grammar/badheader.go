package grammar

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

// badHeader explains a line that begins with "[" and is no header. What stands
// under it belongs to no section that could be read.
func (r *recovery) badHeader(l line) {
	r.inside, r.cur = true, -1
	i := l.start()
	code, at, msg, hint := headerFault(l.text, i)
	r.add(code, l.pos(at), msg, hint)
	r.skipRows(r.at)
	r.above = above{end: r.at.num - 1}
}

// headerFault says what is wrong with the header that begins at index i of s,
// and where.
func headerFault(s string, i int) (code hashline.Code, at int, msg, hint string) {
	t := strings.TrimRight(s[i:], " \t")
	form := "write the header as the file's view shows it: [path#TAG]"
	if t[len(t)-1] != ']' {
		if j := strings.LastIndexByte(t, ']'); j >= 0 {
			if h, ok := readHeader(t[:j+1]); ok {
				return hashline.BadHeader, i + j + 1, "text after the header: " + quote(t[j+1:]),
					"write " + excerpt(hashline.Header(h.path, h.tag)) + " alone on its line"
			}
		}
		if h, ok := readHeader(t + "]"); ok {
			form = "write " + excerpt(hashline.Header(h.path, h.tag))
		}
		return hashline.BadHeader, i + len(t), "the header does not end with ]: " + quote(t), form
	}
	inner := t[1 : len(t)-1]
	hash := strings.LastIndexByte(inner, '#')
	if hash < 0 {
		if p := trim(inner); p != "" {
			form = "write [" + excerpt(p) + "#TAG] with the 4 hex digits that the file's view shows"
		}
		return hashline.BadHeader, i, "the header has no #TAG: " + quote(t), form
	}
	path, tag := trim(inner[:hash]), trim(inner[hash+1:])
	if path == "" {
		return hashline.BadHeader, i + 1, "the header names no file: " + quote(t), form
	}
	at = i + 1 + skip(t, hash+2) - 1
	hint = "copy the 4 hex digits from the file's view: [" + excerpt(path) + "#TAG]"
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
