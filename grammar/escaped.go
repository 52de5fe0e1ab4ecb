package grammar

import (
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// escapedLines takes a line apart at its line breaks that are written as a
// backslash and an n, as in a text that was escaped twice: those before a row, a
// header, an operation or the end. It is nil where there is none.
func escapedLines(s string) (pieces []string) {
	const mark = `\n`
	s = strings.Trim(s, " \t\"'`")
	from := 0
	for i := 0; i < min(len(s), 1<<16); i++ {
		if !strings.HasPrefix(s[i:], mark) {
			continue
		}
		next := strings.TrimLeft(s[i+len(mark):], " \t")
		if next == "" || strings.IndexByte("+[`", next[0]) >= 0 || strings.HasPrefix(next, mark) || opWord(next, 0) != "" {
			pieces = append(pieces, strings.TrimSuffix(s[from:i], `\r`))
			from = i + len(mark)
			i = from - 1
		}
	}
	if pieces == nil {
		return nil
	}
	return append(pieces, s[from:])
}

// escapedHint gives the lines that stand on one, and "" where its line breaks
// are real.
func escapedHint(s string) string {
	pieces := escapedLines(s)
	var lines []string
	doc := false
	for _, p := range pieces {
		if p = trim(p); p == "" {
			continue
		}
		_, header := readHeader(p)
		op := opWord(p, 0) != ""
		doc = doc || header || op
		if i := strings.IndexByte(p, ':'); op && i > 0 {
			if form, put, ok := wholeOp(p[:i+1]); ok && put {
				lines = append(lines, form)
				if p = trim(p[i+1:]); p == "" {
					continue
				}
				p = "+" + strings.TrimPrefix(p, "+")
			}
		}
		lines = append(lines, p)
	}
	if !doc {
		return ""
	}
	const most = 6
	rest := ""
	if len(lines) > most {
		lines, rest = lines[:most], ", and so on"
	}
	for i := range lines {
		lines[i] = excerpt(lines[i])
	}
	return `write real line breaks: \n (a backslash and an n) is none; each on a line of its own: ` + strings.Join(lines, ", then ") + rest
}

// escaped explains a line that holds a document with escaped line breaks.
func (r *recovery) escaped(l line, looks look, hint string) {
	code := hashline.UnknownLine
	if looks == lookHeader {
		code = hashline.BadHeader
		r.unread()
	}
	r.add(code, l.pos(l.start()), `the line breaks are written as \n: `+quote(l.text), hint)
	r.skipRows(r.at)
	r.above.end = r.at.num - 1
}
