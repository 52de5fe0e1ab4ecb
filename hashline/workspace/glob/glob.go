// Package glob matches paths against patterns such as *.go, src/**/*.ts and
// *.{md,txt}, as the tool grep takes them (spec 8) and the policy of a workspace
// (spec 12).
package glob

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

// maxLength is the length of a glob in bytes.
const maxLength = 4096

// Glob selects paths that are relative to a root, clean, and written with "/". It
// knows *, ?, **, [a-z], [!a-z], {a,b} and \; without a "/" it is matched against
// the last name of a path, else against all of it; "/" at its end stands for
// "/**"; one that begins with "!" selects what the rest does not. It becomes a
// regular expression, so that no glob can take exponential time, and may be used
// by several goroutines.
type Glob struct {
	re *regexp.Regexp
	// suffix is what a glob such as "*.go" comes down to, "" for others.
	suffix   string
	byName   bool
	negative bool
	// folder is what the matches of a glob with "/" begin with: whole names, as
	// folded gives them.
	folder string
}

// Compile reads a glob that tells upper and lower case apart. What is wrong with
// it is a [hashline.BadPattern] diagnostic.
func Compile(text string) (*Glob, error) { return compile(text, false) }

// CompileFold reads a glob that does not.
func CompileFold(text string) (*Glob, error) { return compile(text, true) }

func compile(text string, fold bool) (*Glob, error) {
	switch {
	case text == "":
		return nil, bad(text, "empty")
	case len(text) > maxLength:
		return nil, bad(text, fmt.Sprintf("longer than %d bytes", maxLength))
	case !utf8.ValidString(text):
		return nil, bad(text, "not UTF-8")
	}
	g := &Glob{}
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
	if s, ok := strings.CutPrefix(rest, "*"); ok && g.byName && !fold && !special(s) {
		g.suffix = s
		return g, nil
	}
	for names := rest; !g.byName; {
		name, below, more := strings.Cut(names, "/")
		if !more || special(name) {
			break
		}
		g.folder += folded(name) + "/"
		names = below
	}
	expr, fault := translate(rest)
	if fault != "" {
		return nil, bad(text, fault)
	}
	flags := "s"
	if fold {
		flags = "si"
	}
	re, err := regexp.Compile(`^(?` + flags + `:` + expr + `)$`)
	if err != nil {
		return nil, bad(text, "a bracket holds a range that ends before it begins, or an unknown class")
	}
	g.re = re
	return g, nil
}

// special reports whether a part of a glob holds more than plain characters.
func special(s string) bool { return strings.ContainsAny(s, `*?[]{}\`) }

func bad(text, fault string) error {
	return &hashline.Diagnostic{
		Code: hashline.BadPattern, Msg: fmt.Sprintf("glob %.80q: %s", text, fault),
		Hint: `write a glob such as *.go, src/**/*.ts or *.{md,txt}; \ makes a special character plain`,
	}
}

// Match reports whether the glob selects a path.
func (g *Glob) Match(file string) bool {
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

// MayMatchBelow reports whether there can be a path below a folder that the glob
// selects. It may say so where there cannot, never the other way round.
func (g *Glob) MayMatchBelow(folder string) bool {
	if g.byName || g.negative {
		return true
	}
	folder = folded(folder) + "/"
	return strings.HasPrefix(folder, g.folder) || strings.HasPrefix(g.folder, folder)
}

// folded makes one form of all that differ in case only.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, s)
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
