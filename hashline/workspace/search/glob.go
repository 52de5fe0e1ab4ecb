package search

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A glob selects files. It becomes a regular expression, so that no glob can
// take exponential time.
type glob struct {
	re *regexp.Regexp
	// suffix is what a glob such as "*.go" comes down to, "" for others.
	suffix   string
	byName   bool
	negative bool
}

// compileGlob gives nil for "", which selects all.
func compileGlob(text string) (*glob, error) {
	switch {
	case text == "":
		return nil, nil
	case len(text) > maxPattern:
		return nil, badGlob(text, fmt.Sprintf("longer than %d bytes", maxPattern))
	case !utf8.ValidString(text):
		return nil, badGlob(text, "not UTF-8")
	}
	g := &glob{}
	rest, negative := strings.CutPrefix(text, "!")
	g.negative = negative
	g.byName = !strings.Contains(rest, "/")
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "."), "/")
	if g.byName || !strings.HasPrefix(text, "./") && !strings.HasPrefix(text, "!./") {
		rest = strings.TrimPrefix(strings.TrimPrefix(text, "!"), "/")
	}
	if strings.HasSuffix(rest, "/") {
		rest += "**"
	}
	if s, ok := strings.CutPrefix(rest, "*"); ok && g.byName && !strings.ContainsAny(s, `*?[]{}\`) {
		g.suffix = s
		return g, nil
	}
	expr, fault := translate(rest)
	if fault != "" {
		return nil, badGlob(text, fault)
	}
	re, err := regexp.Compile(`^(?s:` + expr + `)$`)
	if err != nil {
		return nil, badGlob(text, "a bracket holds a range that ends before it begins, or an unknown class")
	}
	g.re = re
	return g, nil
}

func badGlob(text, fault string) error {
	return badPattern(fmt.Sprintf("glob %.80q: %s", text, fault), `write a glob such as *.go, src/**/*.ts or *.{md,txt}; \ makes a special character plain`)
}

// selects reports whether the glob takes the file at a path.
func (g *glob) selects(file string) bool {
	if g == nil {
		return true
	}
	if g.byName {
		file = path.Base(file)
	}
	matched := false
	if g.re == nil {
		matched = strings.HasSuffix(file, g.suffix)
	} else {
		matched = g.re.MatchString(file)
	}
	return matched != g.negative
}

// translate makes a regular expression, or says what is wrong.
func translate(s string) (expr, fault string) {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '*':
			i += stars(&b, s, i)
		case c == '?':
			b.WriteString("[^/]")
			i++
		case c == '[':
			size := bracket(&b, s[i:])
			if size == 0 {
				return "", "[ does not close"
			}
			i += size
		case c == '{':
			b.WriteString("(?:")
			depth++
			i++
		case c == '}' && depth > 0:
			b.WriteString(")")
			depth--
			i++
		case c == ',' && depth > 0:
			b.WriteString("|")
			i++
		case c == '\\':
			if i++; i == len(s) {
				return "", `\ at the end`
			}
			fallthrough
		default:
			_, size := utf8.DecodeRuneInString(s[i:])
			b.WriteString(regexp.QuoteMeta(s[i : i+size]))
			i += size
		}
	}
	if depth > 0 {
		return "", "{ does not close"
	}
	return b.String(), ""
}

// stars translates the run of stars at s[i:] and gives the length of what it
// has used up. Two or more cross slashes where they stand alone.
func stars(b *strings.Builder, s string, i int) int {
	end := i
	for end < len(s) && s[end] == '*' {
		end++
	}
	alone := end-i > 1 && (i == 0 || strings.IndexByte("/{,", s[i-1]) >= 0)
	switch {
	case alone && end < len(s) && s[end] == '/':
		b.WriteString("(?:.*/)?")
		end++
	case alone && (end == len(s) || strings.IndexByte(",}", s[end]) >= 0):
		b.WriteString(".*")
	default:
		b.WriteString("[^/]*")
	}
	return end - i
}

// bracket translates the bracket expression that s begins with and gives its
// length, 0 when it does not close.
func bracket(b *strings.Builder, s string) int {
	i := 1
	b.WriteByte('[')
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		b.WriteString("^/")
		i++
	}
	for first := true; i < len(s) && (first || s[i] != ']'); first = false {
		if end := strings.Index(s[i:], ":]"); end > 0 && strings.HasPrefix(s[i:], "[:") {
			b.WriteString(s[i : i+end+2])
			i += end + 2
			continue
		}
		if s[i] == '\\' && i+1 < len(s) {
			i++
		} else if s[i] == '-' {
			b.WriteByte('-')
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		b.WriteString(escaped(s[i : i+size]))
		i += size
	}
	if i >= len(s) {
		return 0
	}
	b.WriteByte(']')
	return i + 1
}

// escaped makes a character plain inside a bracket.
func escaped(c string) string {
	if strings.Contains(`\[]^-&~`, c) {
		return `\` + c
	}
	return c
}
