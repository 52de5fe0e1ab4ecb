package apply

import (
	"bytes"
	"strings"

	"github.com/hashline-go/hashline/snapshot"
)

const (
	// near is how many lines the cursor walks rather than asks the Text's
	// index for.
	near = 64
	// stride is how many bytes it counts the line ends of at once.
	stride = 256
)

// cursor finds the offsets of lines that are asked for in ascending order. All
// its walks together pass over the text at most twice, however long its lines
// are.
type cursor struct {
	t *snapshot.Text
	// line begins at from and ends, terminator included, at to; to is -1 while
	// it is not known.
	line, from, to int
}

func newCursor(t *snapshot.Text) *cursor {
	return &cursor{t: t, line: 1, from: t.Mark(), to: -1}
}

// start gives the offset of line n, which must not lie above the last line
// asked for; the line after the last begins at the end of the text.
func (c *cursor) start(n int) int {
	if !c.t.InMemory() {
		c.line = n
		return c.t.Start(n)
	}
	if n > c.line+near {
		c.line, c.from, c.to = n, c.t.Start(n), -1
	}
	data := c.t.Bytes()
	// Counting is quicker than finding one line end after the other. It may
	// stop within a line, but only above n.
	for n-c.line > 1 && len(data)-c.from > stride {
		ends := bytes.Count(data[c.from:c.from+stride], []byte{'\n'})
		if c.line+ends >= n {
			break
		}
		c.line, c.from, c.to = c.line+ends, c.from+stride, -1
	}
	for c.line < n {
		c.line, c.from, c.to = c.line+1, c.end(), -1
	}
	return c.from
}

// end gives the offset just past the line that was last asked for.
func (c *cursor) end() int {
	if !c.t.InMemory() {
		return c.t.Start(min(c.line, c.t.Lines()) + 1)
	}
	if c.to < 0 {
		c.to = len(c.t.Bytes())
		if i := bytes.IndexByte(c.t.Bytes()[c.from:], '\n'); i >= 0 {
			c.to = c.from + i + 1
		}
	}
	return c.to
}

// termBefore gives the terminator that ends at an offset where a line begins
// or the text ends: "" at the very start and after a last line without one.
func termBefore(t *snapshot.Text, at int) string {
	text := t.Slice(max(t.Mark(), at-len("\r\n")), at)
	switch {
	case bytes.HasSuffix(text, []byte("\r\n")):
		return "\r\n"
	case bytes.HasSuffix(text, []byte("\n")):
		return "\n"
	}
	return ""
}

// isRow reports whether the line that begins at an offset is row.
func isRow(t *snapshot.Text, at int, row string) bool {
	_, same := cutRow(t.Slice(at, min(at+len(row)+len("\r\n"), t.Size())), row)
	return same
}

// cutRow reports whether the first line of text is row, and gives the text
// below that line. It costs no more than the row is long.
func cutRow(text []byte, row string) (rest []byte, ok bool) {
	if len(text) < len(row) || string(text[:len(row)]) != row {
		return nil, false
	}
	rest = text[len(row):]
	switch {
	case len(rest) == 0:
		return rest, len(row) > 0
	case rest[0] == '\n':
		// Behind "\r" it would end the line together with that.
		return rest[1:], !strings.HasSuffix(row, "\r")
	case len(rest) > 1 && rest[0] == '\r' && rest[1] == '\n':
		return rest[2:], true
	}
	return nil, false
}

// sameRows reports whether the lines between two offsets are exactly the rows.
func sameRows(t *snapshot.Text, from, to int, rows []string) bool {
	size := 0
	for _, row := range rows {
		size += len(row)
	}
	if to-from < size || to-from > size+len("\r\n")*len(rows) {
		return false
	}
	text := t.Slice(from, to)
	for _, row := range rows {
		var ok bool
		if text, ok = cutRow(text, row); !ok {
			return false
		}
	}
	return len(text) == 0
}
