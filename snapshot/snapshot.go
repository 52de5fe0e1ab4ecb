package snapshot

import (
	"fmt"

	"github.com/hashline-go/hashline/hashline"
)

// Snapshot is one state of a file, as the agent is shown it (spec 4). Its
// methods make the views: a header and numbered rows, bounded in rows or in
// bytes. A view never ends in a line break.
//
// Every budget is the most bytes that the whole view may have; one below 1 is no
// limit. Whole rows are dropped until the view fits, and its footer says what is
// shown. The header and the footers always stand, also where they alone are
// over the budget.
//
// A Snapshot may be copied and used by several goroutines.
type Snapshot struct {
	// Path stands in the header, relative to the workspace root, with "/".
	Path string
	// Tag stands in the header.
	Tag hashline.Tag
	// Text is the file's text.
	Text *Text
	// MaxRows bounds the rows that [Snapshot.Read] and [Snapshot.ReadRanges]
	// show, those "…" included, as the budget bounds bytes. Optional; 0 is no
	// bound.
	MaxRows int
}

// Take makes the snapshot of a text under a path, and computes its tag.
func Take(path string, scheme Scheme, t *Text) Snapshot {
	return Snapshot{Path: path, Tag: scheme.tagOf(t), Text: t}
}

// Header gives the line "[path#TAG]".
func (s Snapshot) Header() string { return hashline.Header(s.Path, s.Tag) }

// View is what an agent is shown of a file. It shares no memory with the text.
type View struct {
	// Text is the view: header, rows and footers, without a final line break.
	Text string
	// Rows holds the lines that are shown, ascending, in as few spans as
	// possible.
	Rows []hashline.Span
	// Clipped holds those of them that are shown shortened (see [Clip]).
	Clipped []hashline.Span
}

// Structural gives the view after an edit that replaced or cut too much to show
// it: the header and the number of lines (spec 4, footer 4).
func (s Snapshot) Structural() View {
	return View{Text: fmt.Sprintf("%s\n\n[structural edit: %d lines now; read this file before editing it again]",
		s.Header(), s.Text.Lines())}
}

// whole reports whether the rows are all lines of the file.
func (s Snapshot) whole(rows []hashline.Span) bool {
	total := s.Text.Lines()
	return total == 0 || len(rows) == 1 && rows[0] == hashline.Span{First: 1, Last: total}
}

// bad makes a refusal of an argument that names rows. It gives the line count,
// so that the agent can ask again.
func (s Snapshot) bad(hint, format string, args ...any) error {
	lines := "lines"
	if s.Text.Lines() == 1 {
		lines = "line"
	}
	return &hashline.Diagnostic{
		Code: hashline.BadArgument,
		Path: s.Path,
		Msg:  fmt.Sprintf(format, args...) + fmt.Sprintf("; the file has %d %s", s.Text.Lines(), lines),
		Hint: hint,
	}
}
