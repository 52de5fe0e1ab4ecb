package grammar

import (
	"strings"
)

// plusHint is for a run of n rows without "+", from the line l to the line last;
// bracket tells that one of them begins as a header does. It never leaves
// unsaid what else the lines may be: a row too many is damage that nobody sees. g
// is the header that the hint writes, the zero guess where it writes none.
func plusHint(l, last line, n int, bracket bool) (hint string, g guess) {
	text := l.text
	if quoted := strings.TrimLeft(text, " \t>|*•"); strings.HasPrefix(quoted, "+") {
		return "write + in column 1: " + excerpt(quoted) + "; if all of the line is the row's text, +" + excerpt(text), guess{}
	}
	hint = "write + before every row: +" + excerpt(text)
	if text[0] == ' ' {
		hint += ", or +" + excerpt(text[1:]) + " where the first blank is a diff's"
	}
	if first, ok := guessHeader(trim(text)); ok {
		g = first
		hint += "; if it begins a section, " + g.advice()
	} else if other, ok := guessHeader(trim(last.text)); ok && n > 1 {
		g = other
		hint += "; if the last of them begins a section, " + g.advice()
	} else if bracket {
		hint += "; a header is written [path#TAG]"
	}
	if n > 1 {
		return hint + "; leave out what is no row of the file", g
	}
	return hint + "; leave the line out if it is no row of the file", g
}

func minusHint(text string) string {
	hint := "leave - rows out: the span already names the lines that go, PUT N.=M: replaces and CUT N.=M deletes them"
	if row := strings.TrimLeft(text, "- \t"); strings.HasPrefix(row, "+") {
		return hint + "; if it is a row, write + in column 1: " + excerpt(row)
	}
	return hint + "; if it is a new row that begins with -, write +" + excerpt(text)
}

func viewHint(text string, where spot) string {
	row := viewRow(text)
	switch {
	case row == "":
		return "leave the view's footer out"
	case strings.HasPrefix(trim(row[1:]), "+"):
		return "write + in column 1: " + excerpt(trim(row[1:])) + "; if the row's text begins with + itself, " + excerpt(row)
	case where == noBody:
		return "write PUT " + excerpt(text[:digits(text, 0)]) + ": and below it the row's text alone: " + excerpt(row)
	}
	return "write the row's text alone, with + in the place of the number: " + excerpt(row)
}

// indentedHint is for a row with something before its "+".
func indentedHint(l line) string {
	i := l.start()
	before, row := strings.ReplaceAll(l.text[:i], bom, ""), l.text[i+1:]
	hint := "write + in column 1: +" + excerpt(row)
	if before != "" {
		hint += ", or +" + excerpt(before+row) + " if the blanks before it belong to the row"
	}
	if len(before) < i {
		hint += "; without U+FEFF"
	}
	return hint
}

// withoutPlus gives the hint for a row that no PUT is waiting for; in one that
// holds a header or an operation the "+" is what is wrong.
func withoutPlus(text, hint string) string {
	inner := trim(strings.TrimPrefix(text, "+"))
	if _, ok := readHeader(inner); ok {
		return "write the header without +: " + excerpt(inner)
	}
	if form, _, ok := wholeOp(inner); ok {
		return "write the operation without +: " + excerpt(form) + "; if it is a row, " + hint
	}
	return hint
}
