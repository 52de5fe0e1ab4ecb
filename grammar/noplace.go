package grammar

import (
	"fmt"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// noNumber explains a place where a line number should stand.
func (f *opLine) noNumber() *hashline.Diagnostic {
	rest := f.rest()
	switch {
	case strings.HasPrefix(rest, "@"):
		return f.register()
	case strings.HasPrefix(rest, "*"):
		return f.block()
	case f.first > 0:
		return f.noLast()
	case f.mark == "" && f.put && strings.HasPrefix(rest, "$"):
		return f.bad(f.i, "$ stands for the end only in PUT >$: "+quote(f.s), "write PUT >$: to append rows, or the last line's number")
	case f.mark == "" && openEnd(rest) && f.put:
		return f.bad(f.i, f.word+" names no line: "+quote(f.s), "write PUT >$: to append rows, or the last line's number to replace that line")
	case f.mark == "" && openEnd(rest):
		return f.bad(f.i, f.word+" names no line: "+quote(f.s), "write the last line's number: CUT N; it has no sign for the end")
	case f.mark != "":
		return f.bad(f.i, "PUT "+f.mark+" names no line: "+quote(f.s), "write PUT "+f.mark+"N: with a line number of the view; PUT >$: appends at the end")
	}
	if n := rangeLen(rest); n > 0 {
		if j := skip(rest, n); j < len(rest) && isDigit(rest[j]) {
			if m := lineNumber(rest[j:digits(rest, j)]); m > 0 {
				return f.noFirst(m)
			}
		}
	}
	hint := "write CUT N or CUT N.=M with line numbers of the view"
	if f.put {
		hint = "write PUT N:, PUT N.=M:, PUT <N:, PUT >N: or PUT >$: with line numbers of the view"
	}
	if form := f.inWords(); form != "" {
		hint = form
	}
	return f.bad(f.i, f.word+" names no line: "+quote(f.s), hint)
}

// noFirst explains a span that begins with its last line, m.
func (f *opLine) noFirst(m int) *hashline.Diagnostic {
	hint := fmt.Sprintf("write both ends, such as %s for lines 1 to %d, or %s for line %d alone", f.form(1, m), m, f.form(m, m), m)
	if m == 1 {
		hint = "write " + f.form(1, 1) + " for line 1"
	}
	hint += "; lines are not counted from the end"
	if f.put {
		hint += ", and PUT >$: appends"
	}
	return f.bad(f.i, "the span has no first line: "+quote(f.s), hint)
}

// noLast explains a span that breaks off behind its first line.
func (f *opLine) noLast() *hashline.Diagnostic {
	form := f.form(f.first, f.first)
	if f.mark != "" {
		return f.bad(f.i, "an insert has one line: "+quote(f.s), "write "+form)
	}
	both := fmt.Sprintf("%s %d.=M", f.word, f.first)
	if f.put {
		both += ":"
	}
	if openEnd(f.rest()) {
		hint := "write both ends, " + both + ", M being the number of the last line"
		if f.put {
			hint += "; PUT >$: appends"
		}
		return f.bad(f.i, "a span has no sign for the end of the file: "+quote(f.s), hint)
	}
	return f.bad(f.i, "the span has no last line: "+quote(f.s), fmt.Sprintf("write both ends, %s, or %s for line %d alone", both, form, f.first))
}

// openEnd reports whether a text stands for the end of a file.
func openEnd(s string) bool {
	if strings.HasPrefix(s, "$") {
		return true
	}
	for _, word := range [...]string{"end", "last", "eof", "bottom", "max"} {
		if keyword(s, 0, word) {
			return true
		}
	}
	return false
}
