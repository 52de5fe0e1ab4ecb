package grammar

import (
	"fmt"
	"strings"

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
	case nextOp(rest):
		return f.trailing(rest, form)
	case !f.put && rest[0] == ':':
		hint := "write " + form + " to delete"
		if f.mark == "" {
			hint += "; PUT " + form[len("CUT "):] + ": with + rows below replaces"
		}
		return f.at(hashline.CutColon, f.i, "CUT takes no colon: "+quote(f.s), hint)
	}
	if d := f.misplaced(rest); d != nil {
		return d
	}
	switch {
	case f.last == 0 && f.first > 0 && (rest[0] == '.' || rest[0] == '='):
		return f.noLast()
	case f.i > 0 && isDigit(f.s[f.i-1]) && (rest[0] == '.' || isWord(rest[0])):
		return f.bad(f.i, "not a line number: "+quote(f.s), f.choices(form))
	case f.put && strings.Trim(rest, dress+".") == "" && rest[0] != ',' && !strings.Contains(rest, ":"):
		return f.at(hashline.MissingColon, f.i, "PUT without a colon: "+quote(f.s), "write "+form)
	case f.put && !strings.Contains(rest, ":"):
		hint := "write " + form + " and the rows below it, each with +: +" + excerpt(trim(strings.TrimPrefix(rest, "+")))
		if rest[0] != '+' {
			hint += "; leave that out if it is no row"
		}
		return f.at(hashline.MissingColon, f.i, "PUT without a colon: "+quote(f.s), hint)
	case f.put:
		return f.bad(f.i, "not a place: "+quote(f.s), f.choices(form))
	}
	return f.trailing(rest, form)
}

// choices names the operations that a place which cannot be read may mean: to
// take one for another overwrites a line.
func (f *opLine) choices(form string) string {
	n := f.first
	switch {
	case f.mark != "" || n == 0:
		return "write " + form
	case f.last > 0 && f.put:
		return fmt.Sprintf("write %s to replace the lines, or PUT <%d: or PUT >%d: to insert before or after them", form, n, f.last)
	case f.last > 0:
		return "write " + form
	case f.put:
		return fmt.Sprintf("write %s to replace line %d, PUT <%d: or PUT >%d: to insert before or after it, or N.=M for a span", form, n, n, n)
	}
	return fmt.Sprintf("write %s for line %d alone, or N.=M for a span", form, n)
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
	switch {
	case nextOp(rest):
		hint += ", and the next operation on a line of its own"
	case strings.Trim(rest, dress+".") == "":
	case f.put && rest[0] == '+':
		hint += " and the row below it: +" + excerpt(rest[1:])
	case f.put && rest[0] != ':':
		hint += " and the row below it: +" + excerpt(rest) + "; leave that out if it is no row"
	case f.put:
	case f.last == 0:
		hint += fmt.Sprintf(" for line %d; a span is N.=M, and other lines take an operation of their own", f.first)
	default:
		hint += "; other lines take an operation of their own"
	}
	return f.at(hashline.TrailingText, f.i, "text after "+form+" "+quote(rest), hint)
}

// nextOp reports whether a text is the next operation, perhaps behind a word or
// a sign that joins it to the one before.
func nextOp(rest string) bool {
	k := anyOp(rest)
	if k < 0 {
		return false
	}
	joint := strings.ToLower(strings.Trim(rest[:k], dress+".&|"))
	return joint == "" || joint == "and" || joint == "then" || joint == "and then"
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
