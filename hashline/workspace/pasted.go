package workspace

import (
	"strings"

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
	named, _, ok := hashline.ParseHeader(strings.TrimRight(header, "\r"))
	if !ok {
		return false
	}
	if p, err := hashline.CleanPath(named); err != nil || p != path {
		return false
	}
	rows := 0
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\r\n")
		_, _, numbered := hashline.ParseRow(line)
		switch {
		case line == "" || line == "…" || strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			// A blank line, a gap or a footer.
		case numbered:
			rows++
		default:
			return false
		}
	}
	return rows > 0
}
