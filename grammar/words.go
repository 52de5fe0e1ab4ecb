package grammar

import (
	"fmt"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// side tells what a word or sign beside a line number says of the place of an
// insert: "<", ">", "+" where it is left open, or "".
func side(word string) string {
	switch strings.ToLower(word) {
	case "<", "&lt;", "before", "above", "<<", "<=", "↑":
		return "<"
	case ">", "&gt;", "after", "below", "behind", "under", "following", "past", ">>", ">=", "↓":
		return ">"
	case "+":
		return "+"
	}
	return ""
}

// misplaced explains the sign of an insert that stands behind the line, such as
// "PUT 2<:", "PUT 6 after:" or "PUT 2+:".
func (f *opLine) misplaced(rest string) *hashline.Diagnostic {
	if !f.put || f.mark != "" || f.first == 0 {
		return nil
	}
	n, m := f.first, max(f.first, f.last)
	which := fmt.Sprintf("line %d", n)
	if m > n {
		which = "the lines"
	}
	replace := f.form(n, m)
	hint := ""
	switch side(strings.Trim(rest, " \t:")) {
	case "<":
		hint = fmt.Sprintf("write PUT <%d: to insert before %s; %s replaces", n, which, replace)
	case ">":
		hint = fmt.Sprintf("write PUT >%d: to insert after %s; %s replaces", m, which, replace)
	case "+":
		hint = fmt.Sprintf("write PUT >%d: to insert after %s, PUT <%d: to insert before, or %s to replace", m, which, n, replace)
	default:
		return nil
	}
	return f.bad(f.i, "the sign of an insert stands before the line: "+quote(f.s), hint)
}

// inWords gives the form for a place that words stand before, such as
// "PUT after line 2:" or "CUT lines 3-5", and "" where it cannot be read.
func (f *opLine) inWords() string {
	if s := strings.NewReplacer("&gt;", ">", "&lt;", "<").Replace(f.s[:min(len(f.s), maxGuess)]); s != f.s {
		if form, _, ok := wholeOp(s[line{text: s}.start():]); ok {
			return "write " + form
		}
	}
	rest, mark := f.rest(), ""
	for range 4 {
		word := rest
		if i := strings.IndexAny(rest, " \t"); i > 0 {
			word = rest[:i]
		} else if i := strings.IndexFunc(rest, func(r rune) bool { return '0' <= r && r <= '9' }); i > 0 {
			word = rest[:i]
		}
		if word == "" || isDigit(word[0]) || word == rest {
			break
		}
		switch strings.ToLower(word) {
		case "line", "lines", "row", "rows", "l", "#", "the", "from", "at", "on", "no", "no.", "number":
		default:
			s := side(word)
			if s == "" || mark != "" {
				return ""
			}
			mark = s
		}
		rest = trim(rest[len(word):])
	}
	if len(rest) == len(f.rest()) || mark == "+" || mark != "" && !f.put {
		return ""
	}
	target := f.word + " " + mark + strings.TrimRight(rest, " \t:.")
	if f.put {
		target += ":"
	}
	form, _, ok := wholeOp(target)
	switch {
	case !ok:
		return ""
	case f.put && mark == "":
		n := rest[:digits(rest, 0)]
		return fmt.Sprintf("write %s to replace, PUT <%s: or PUT >%s: to insert before or after line %s", form, excerpt(n), excerpt(n), excerpt(n))
	}
	return "write " + form
}
