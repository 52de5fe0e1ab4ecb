package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// visible replaces what would steer a terminal or hide what is there by its
// escape, such as \x1b or \u202e: control characters except tab and line feed,
// those of the range U+0080 to U+009F included, the embeddings, overrides and
// isolates of bidirectional text, and bytes that are no UTF-8.
func visible(text string) string {
	if strings.IndexFunc(text, hidden) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == utf8.RuneError && size == 1, hidden(r) && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[at])
		case hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(text[at : at+size])
		}
		at += size
	}
	return b.String()
}

// hidden reports whether a terminal would not show a rune but obey it.
func hidden(r rune) bool {
	switch {
	case r == '\t', r == '\n':
		return false
	case r < 0x20, 0x7F <= r && r <= 0x9F, 0x202A <= r && r <= 0x202E, 0x2066 <= r && r <= 0x2069:
		return true
	}
	return false
}
