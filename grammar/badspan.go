package grammar

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hashline-go/hashline/hashline"
)

// number reads a line number, or explains what stands in its place.
func (f *opLine) number(n *int) *hashline.Diagnostic {
	rest := f.rest()
	end := digits(rest, 0)
	if end == 0 {
		return f.noNumber()
	}
	at := f.i
	*n = lineNumber(rest[:end])
	f.i += end
	if *n > 0 {
		return nil
	}
	hint := "lines count from 1"
	if f.put {
		hint += "; PUT <1: inserts before the first line"
	}
	return f.at(hashline.ZeroLine, at, "there is no line 0", hint)
}

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
	case f.mark == "" && strings.HasPrefix(rest, "$"):
		return f.bad(f.i, "$ stands for the end only in PUT >$: "+quote(f.s), "write PUT >$: to append rows, or the last line's number")
	case f.mark != "":
		return f.bad(f.i, "PUT "+f.mark+" names no line: "+quote(f.s), "write PUT "+f.mark+"N: with a line number of the view; PUT >$: appends at the end")
	}
	if n := rangeLen(rest); n > 0 {
		if j := skip(rest, n); j < len(rest) && isDigit(rest[j]) {
			if m := lineNumber(rest[j:digits(rest, j)]); m > 0 {
				return f.bad(f.i, "the span has no first line: "+quote(f.s),
					fmt.Sprintf("write both ends, such as %s for lines 1 to %d, or %s for line %d alone", f.form(1, m), m, f.form(m, m), m))
			}
		}
	}
	hint := "write CUT N or CUT N.=M with line numbers of the view"
	if f.put {
		hint = "write PUT N:, PUT N.=M:, PUT <N:, PUT >N: or PUT >$: with line numbers of the view"
	}
	return f.bad(f.i, f.word+" names no line: "+quote(f.s), hint)
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
	return f.bad(f.i, "the span has no last line: "+quote(f.s), fmt.Sprintf("write both ends, %s, or %s for line %d alone", both, form, f.first))
}

// tail explains what stands behind the place of an operation.
func (f *opLine) tail() *hashline.Diagnostic {
	f.skip(0)
	rest := f.rest()
	form := f.form(f.first, f.last)
	switch {
	case strings.HasPrefix(rest, "*"):
		return f.block()
	case strings.HasPrefix(rest, "@"):
		return f.register()
	case f.put && strings.HasPrefix(rest, ":"):
		return f.afterColon(form)
	case f.put && rest == "":
		return f.at(hashline.MissingColon, f.i, "PUT without a colon: "+quote(f.s), "write "+form)
	case !f.put && rest == "":
		return nil
	case !f.put && rest[0] == ':':
		hint := "write " + form + " to delete"
		if f.mark == "" {
			hint += "; PUT " + form[len("CUT "):] + ": with + rows below replaces"
		}
		return f.at(hashline.CutColon, f.i, "CUT takes no colon: "+quote(f.s), hint)
	}
	if m := looseEnd(rest); f.mark == "" && f.last == 0 && m > 0 {
		hint := fmt.Sprintf("write %s for lines %d to %d", f.form(f.first, m), f.first, m)
		if m < f.first {
			hint = fmt.Sprintf("write %s for line %d alone, or N.=M for a span", f.form(f.first, f.first), f.first)
		}
		return f.bad(f.i, "not a span: "+quote(f.s), hint)
	}
	switch {
	case f.last == 0 && f.first > 0 && (rest[0] == '.' || rest[0] == '='):
		return f.noLast()
	case f.i > 0 && isDigit(f.s[f.i-1]) && (rest[0] == '.' || isWord(rest[0])):
		return f.bad(f.i, "not a line number: "+quote(f.s), fmt.Sprintf("write %s, or N.=M for a span", form))
	case f.put && !strings.Contains(rest, ":"):
		return f.at(hashline.MissingColon, f.i, "PUT without a colon: "+quote(f.s), "write "+form+" and the rows below it, each with +")
	case f.put:
		return f.bad(f.i, "not a place: "+quote(f.s), "write "+form)
	}
	return f.trailing(rest, form)
}

func (f *opLine) afterColon(form string) *hashline.Diagnostic {
	f.skip(1)
	switch rest := f.rest(); {
	case rest == "":
		return nil
	case rest[0] == '@':
		return f.register()
	default:
		return f.trailing(rest, form)
	}
}

// trailing explains text behind a complete operation.
func (f *opLine) trailing(rest, form string) *hashline.Diagnostic {
	hint := "write " + form + " alone on its line"
	switch letter := strings.IndexFunc(rest, unicode.IsLetter); {
	case letter >= 0 && opWord(rest, letter) != "":
		hint += ", and the next operation on a line of its own"
	case f.put && rest[0] != ':':
		hint += " and the row below it: +" + excerpt(strings.TrimPrefix(rest, "+"))
	}
	return f.at(hashline.TrailingText, f.i, "text after "+form+" "+quote(rest), hint)
}

func (f *opLine) block() *hashline.Diagnostic {
	n := max(f.first, f.last)
	hint := "write the span by its line numbers: N.=M"
	if n > 0 && f.mark == "" {
		hint = fmt.Sprintf("write the block by its lines: %s %d.=M, M being its last line", f.word, n)
		if f.put {
			hint = fmt.Sprintf("write the block by its lines: PUT %d.=M:, M being its last line", n)
		}
	} else if n > 0 {
		hint = fmt.Sprintf("write %s with the number of the block's first or last line", f.form(n, n))
	}
	return f.at(hashline.BlockTarget, f.i, "N*, for a block, is not supported: "+quote(f.s), hint)
}

func (f *opLine) register() *hashline.Diagnostic {
	hint := "CUT only deletes; to move lines write their text again as + rows under a PUT"
	if f.put {
		hint = "write the rows themselves below the PUT, each with + before it"
	}
	return f.at(hashline.Register, f.i, "registers (@name) are not supported: "+quote(f.s), hint)
}

// looseEnd reads the last line of a span that is written in a form of its own,
// such as "3,5", "3 5", "3 to 5" or "3...5"; it is 0 where there is none.
func looseEnd(rest string) int {
	i := 0
	for i < len(rest) && i < 8 && !isDigit(rest[i]) {
		i++
	}
	sep := strings.Trim(rest[:i], " \t.=,;:~|–—…→")
	if i == len(rest) || !isDigit(rest[i]) || sep != "" && !strings.EqualFold(sep, "to") {
		return 0
	}
	end := digits(rest, i)
	if strings.Trim(rest[end:], " \t:") != "" {
		return 0
	}
	return lineNumber(rest[i:end])
}
