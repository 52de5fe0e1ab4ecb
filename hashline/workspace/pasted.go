package workspace

import (
	"strings"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

// pastedView refuses content that is a read view of this very file: its header
// and then numbered rows only (spec 8).
func pastedView(path string, args WriteArgs) error {
	if args.Expect != "" || !isView(path, args.Content) {
		return nil
	}
	return fault(hashline.PastedView, path, "the content is a view of this file, with its header and row numbers",
		"send the text alone, without the [path#TAG] line and the N: before each row; if it is really meant, give expect")
}

func isView(path, content string) bool {
	header, rest, _ := strings.Cut(strings.TrimPrefix(content, "\uFEFF"), "\n")
	header = strings.TrimSpace(header)
	at := strings.LastIndexByte(header, '#')
	if len(header) < 2 || header[0] != '[' || header[len(header)-1] != ']' || at < 1 {
		return false
	}
	if _, err := hashline.ParseTag(header[at+1 : len(header)-1]); err != nil {
		return false
	}
	if p, err := hashline.CleanPath(strings.TrimSpace(header[1:at])); err != nil || p != path {
		return false
	}
	rows := 0
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" || line == "…" || strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			// A blank line, a gap or a footer.
		case isRow(line):
			rows++
		default:
			return false
		}
	}
	return rows > 0
}

// isRow reports whether a line begins with a number and a colon.
func isRow(line string) bool {
	n := 0
	for n < len(line) && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	return n > 0 && n < len(line) && line[n] == ':' && utf8.ValidString(line)
}
