package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dress is what writers put around a line to set it off.
const dress = " \t`*\"'\\:=,;“”‘’"

// undress takes off what stands around a header or an operation in prose: signs
// of a list, of a quotation, of a heading or of a comment, emphasis, marks of
// code, and words such as "File:".
func undress(t string) (core string, dressed bool) {
	s := t
	for range 8 { // a line of nothing but dress is none
		was := s
		s = strings.TrimLeft(s, dress+">#•–—|")
		s = strings.TrimPrefix(s, "// ")
		if i := digits(s, 0); i > 0 && i < len(s) && (s[i] == ':' || (s[i] == '.' || s[i] == ')') && (i+1 == len(s) || isBlank(s[i+1]))) {
			s = s[i+1:]
		}
		s = strings.TrimLeft(s, "-")
		s = label(s)
		if s == was {
			break
		}
	}
	core = strings.TrimRight(s, dress)
	return core, trim(t) != core
}

// label takes a word off that names what follows.
func label(s string) string {
	i := 0
	for i < len(s) && 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z' {
		i++
	}
	if i == len(s) || s[i] != ':' && !isBlank(s[i]) || i+1 < len(s) && s[i] == ':' && !isBlank(s[i+1]) {
		return s
	}
	switch strings.ToLower(s[:i]) {
	case "file", "filename", "path", "edit", "edits", "editing", "in", "for", "now", "update", "section", "next", "header",
		"target", "document", "operation", "op", "step", "command", "apply", "then":
		return s[i+1:]
	}
	return s
}

// pathLike reports whether a text may well be the path of a file: it has a "/"
// or a "." inside a name. Blanks stand only in one that is enclosed.
func pathLike(p string, enclosed bool) bool {
	if p == "" || strings.HasPrefix(p, "/") && strings.HasSuffix(p, "/") || strings.Contains(p, "//") || strings.Contains(p, "...") {
		return false
	}
	letter, mark, before := false, false, rune(0)
	for i, r := range p {
		if r == utf8.RuneError {
			return false
		}
		next, _ := utf8.DecodeRuneInString(p[i+utf8.RuneLen(r):])
		switch {
		case unicode.IsLetter(r):
			letter = true
		case unicode.IsDigit(r), r == '_', r == '-', r == '+', r == '~', r == '@' && i > 0, r == ' ' && enclosed:
		case r == '.' || r == '/' || r == '\\':
			mark = mark || isNameRune(next) && (before != ' ' || r == '.')
		default:
			return false
		}
		before = r
	}
	return letter && mark
}

// isName reports whether a text is one word that can be a file's name, such as
// "Makefile".
func isName(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(first) && !strings.ContainsFunc(s, func(r rune) bool { return !isNameRune(r) && r != '-' })
}

func isNameRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// wholeOp reads a line that is an operation and nothing else; form is the
// operation as it should be written.
func wholeOp(s string) (form string, put, ok bool) {
	i := skip(s, 0)
	f := opLine{s: s, word: opWord(s, i)}
	if f.word == "" || len(s) > maxGuess {
		return "", false, false
	}
	f.i, f.put = skip(s, i+len(f.word)), f.word == "PUT"
	if f.fault() != nil {
		return "", false, false
	}
	return f.form(f.first, f.last), f.put, true
}

// dressedOp reads an operation that something stands around, such as "- CUT 6"
// or "1. PUT 6:". One that has other faults is given as it stands.
func dressedOp(t string) (form string, put, ok bool) {
	if len(t) > maxGuess {
		return "", false, false
	}
	core, dressed := undress(t)
	if !dressed || opWord(core, 0) == "" {
		return "", false, false
	}
	if core[0]|0x20 == 'p' {
		core += ":" // which was taken for an ornament, or forgotten
	}
	if form, put, ok = wholeOp(core); ok {
		return form, put, true
	}
	next := skip(core, 3)
	ok = core[:3] == strings.ToUpper(core[:3]) && next < len(core) && (isDigit(core[next]) || strings.IndexByte("<>$", core[next]) >= 0)
	return excerpt(core), core[0]|0x20 == 'p', ok
}
