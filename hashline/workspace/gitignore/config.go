package gitignore

import (
	"path/filepath"
	"strings"
)

// maxIncludes is how deep config files may include one another, as in git.
const maxIncludes = 10

// fileCost is what reading a config file takes off the budget of bytes, besides
// its size.
const fileCost = 4096

// readConfig reads a config file of git and calls set for each value, with the
// key in lower case as "section.key"; sections with a subsection are passed
// over. Files named by include.path are read in their place, those of
// conditional includes are not. What cannot be read sets nothing.
func (u User) readConfig(file string, set func(key, value string)) {
	budget := maxFile
	u.readConfigFile(file, maxIncludes, &budget, set)
}

func (u User) readConfigFile(file string, depth int, budget *int, set func(key, value string)) {
	// Files that include one another many times over must not add up.
	if *budget < 0 || depth == 0 {
		return
	}
	text := readAt(file)
	*budget -= len(text) + fileCost
	parseConfig(string(text), func(key, value string) {
		if key == "include.path" {
			if path, ok := u.expand(value); ok {
				u.readConfigFile(join(filepath.Dir(file), path), depth-1, budget, set)
			}
			return
		}
		set(key, value)
	})
}

// parseConfig reads the syntax of git-config(1). A key without "=" is true. It
// stops at the first line that git would refuse.
func parseConfig(text string, set func(key, value string)) {
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\uFEFF")
	section := ""
	for text != "" {
		text = strings.TrimLeft(text, " \t\n\r\f\v")
		switch {
		case text == "":
			return
		case text[0] == '#' || text[0] == ';':
			_, text, _ = strings.Cut(text, "\n")
		case text[0] == '[':
			name, rest, ok := parseSection(text[1:])
			if !ok {
				return
			}
			section, text = name, rest
		default:
			end := strings.IndexFunc(text, func(r rune) bool { return !isKeyRune(r) })
			if end < 0 {
				end = len(text)
			}
			if end == 0 {
				return
			}
			key, value := strings.ToLower(text[:end]), "true"
			text = strings.TrimLeft(text[end:], " \t")
			if strings.HasPrefix(text, "=") {
				var ok bool
				if value, text, ok = parseValue(text[1:]); !ok {
					return
				}
			}
			if section != "" {
				set(section+"."+key, value)
			}
		}
	}
}

func isKeyRune(r rune) bool {
	return r == '-' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// parseSection reads a section's name up to its "]". The name is "" for one
// with a subsection.
func parseSection(text string) (name, rest string, ok bool) {
	end := strings.IndexAny(text, "]\"\n")
	if end < 0 || text[end] == '\n' {
		return "", "", false
	}
	if text[end] == ']' {
		return strings.ToLower(text[:end]), text[end+1:], true
	}
	for i := end + 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			rest, ok = strings.CutPrefix(text[i+1:], "]")
			return "", rest, ok
		}
	}
	return "", "", false
}

// parseValue reads the value after "=", up to and including the end of its
// line: quotes, escapes, comments, and lines that go on after a backslash.
func parseValue(text string) (value, rest string, ok bool) {
	text = strings.TrimLeft(text, " \t")
	var b strings.Builder
	kept := 0
	quoted := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\n':
			return b.String()[:kept], text[i+1:], !quoted
		case c == '"':
			quoted = !quoted
			kept = b.Len()
			continue
		case !quoted && (c == '#' || c == ';'):
			_, rest, _ = strings.Cut(text[i:], "\n")
			return b.String()[:kept], rest, true
		case c == '\\':
			if i++; i == len(text) {
				return "", "", false
			}
			switch text[i] {
			case '\n':
				continue
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'b':
				c = '\b'
			case '\\', '"':
				c = text[i]
			default:
				return "", "", false
			}
			b.WriteByte(c)
			kept = b.Len()
			continue
		}
		b.WriteByte(c)
		if quoted || c != ' ' && c != '\t' {
			kept = b.Len()
		}
	}
	return b.String()[:kept], "", !quoted
}
