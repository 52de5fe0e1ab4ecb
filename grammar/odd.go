package grammar

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

// plain gives a line with plain blanks in the place of those of other kinds and
// with ASCII in the place of its wide forms. odd is the first such character and
// at its index, -1 where there is none.
func plain(s string) (t string, odd rune, at int) {
	at = -1
	if len(s) > maxGuess {
		return s, 0, at
	}
	var b strings.Builder
	for i, r := range s {
		sub := string(r)
		switch {
		case r == utf8.RuneError:
			b.WriteByte(s[i])
			continue
		case r < utf8.RuneSelf && r != '\v' && r != '\f':
		case '\u200B' <= r && r <= '\u200F', r == '\u2060', r == '\uFEFF', r == '\u00AD':
			sub = ""
		case unicode.IsSpace(r):
			sub = " "
		case '\uFF01' <= r && r <= '\uFF5E':
			sub = string(r - 0xFEE0)
		}
		if at < 0 && sub != string(r) {
			odd, at = r, i
		}
		b.WriteString(sub)
	}
	return b.String(), odd, at
}

// oddFault explains a line that is wrong only in characters that look like
// others, such as a no-break space; it is nil for any other line. The column of
// its place counts from 0.
func oddFault(l line) *hashline.Diagnostic {
	i := l.start()
	t, odd, at := plain(l.text[i:])
	if at < 0 {
		return nil
	}
	t = trim(t)
	d := &hashline.Diagnostic{Code: hashline.UnknownLine, Pos: hashline.Position{Column: i + at}}
	form, _, ok := wholeOp(t)
	h, header := readHeader(t)
	switch {
	case ok:
	case header:
		d.Code, form = hashline.BadHeader, hashline.Header(h.path, h.tag)
	case strings.HasPrefix(t, "+") && l.text[i] != '+':
		d.Code, form = hashline.MissingPlus, trim(l.text[i:])
		form = form[strings.IndexByte(form, '+'):]
		d.Pos.Column = 0
	default:
		return nil
	}
	d.Msg = fmt.Sprintf("U+%04X stands in it, which is no plain character of the format: %s", odd, quote(l.text))
	d.Hint = fmt.Sprintf("write %s, without U+%04X", excerpt(form), odd)
	return d
}
