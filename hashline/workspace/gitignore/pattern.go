package gitignore

import (
	"bytes"
	"strings"
)

// A pattern is one line of an ignore file.
type pattern struct {
	// prefix is what the path must begin with, literally, before rest is
	// matched; kept apart because git keeps it apart, which shows: "a**/b"
	// matches as if "**" stood alone.
	prefix string
	// suffix is what follows the star of a pattern such as "*.o".
	suffix string
	rest   program
	form   form

	negated  bool
	onlyDirs bool
	// anywhere: the pattern has no slash and is matched against the last name
	// of a path alone.
	anywhere bool
	fold     bool
}

// form tells how the part after the literal prefix is matched.
type form uint8

const (
	literal form = iota
	endsWith
	wildcard
)

// special are the bytes that make a pattern more than a literal.
const special = `*?[\`

// parseFile reads the lines of an ignore file and appends at most room
// patterns to list. Patterns that can match nothing are left out.
func parseFile(list []pattern, text []byte, fold bool, room int) []pattern {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	for len(text) > 0 && len(list) < room {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		line = bytes.TrimSuffix(line, []byte{'\r'})
		// git reads the file as C strings.
		line, _, _ = bytes.Cut(line, []byte{0})
		if len(line) == 0 || line[0] == '#' || len(line) > maxPattern {
			continue
		}
		if p, ok := parsePattern(trimBlanks(string(line)), fold); ok {
			list = append(list, p)
		}
	}
	return list
}

// trimBlanks removes spaces at the end, except those after a backslash.
func trimBlanks(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			if i++; i == len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}

// parsePattern reads one line, its line end and trailing blanks removed.
func parsePattern(line string, fold bool) (p pattern, ok bool) {
	p.fold = fold
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.onlyDirs = strings.CutSuffix(line, "/")
	p.anywhere = !strings.Contains(line, "/")
	if !p.anywhere {
		line = strings.TrimPrefix(line, "/")
	}
	if line == "" {
		return p, false
	}
	cut := strings.IndexAny(line, special)
	switch {
	case cut < 0:
		p.prefix = line
		return p, true
	case p.anywhere && line[0] == '*' && !strings.ContainsAny(line[1:], special):
		p.form, p.suffix = endsWith, line[1:]
		return p, true
	}
	p.form = wildcard
	// A literal head is cut off only where git cuts it off, in patterns with a
	// slash.
	if !p.anywhere {
		p.prefix, line = line[:cut], line[cut:]
	}
	p.rest, ok = compile(line, fold)
	return p, ok
}

// matches reports whether the pattern matches a path that is relative to the
// folder of its ignore file; name is the path's last name.
func (p *pattern) matches(path, name string, isDir bool) bool {
	if p.onlyDirs && !isDir {
		return false
	}
	if p.anywhere {
		path = name
	}
	if p.form == endsWith {
		return len(p.suffix) <= len(path) && p.same(path[len(path)-len(p.suffix):], p.suffix)
	}
	if len(p.prefix) > len(path) || !p.same(path[:len(p.prefix)], p.prefix) {
		return false
	}
	path = path[len(p.prefix):]
	if p.form == literal {
		return path == ""
	}
	return p.rest.match(path)
}

// same compares two strings of one length.
func (p *pattern) same(a, b string) bool {
	if a == b {
		return true
	}
	if !p.fold {
		return false
	}
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

// lower folds ASCII letters, the only ones that git folds.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
