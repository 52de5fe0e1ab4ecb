package apply

import (
	"fmt"
	"strings"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// clips maps the rows of a document that have the form of a clipped line to
// the line they stand for, 0 where there is none. The document's few such rows
// are looked up from the file's long lines rather than the other way round, so
// that the cost is one pass over the file however many of either there are.
type clips map[string]int

func clippedLines(t *snapshot.Text, ops []hashline.Op) clips {
	var found clips
	for i := range ops {
		for _, row := range ops[i].Body {
			for _, shown := range asClip(row) {
				if found == nil {
					found = clips{}
				}
				found[shown] = 0
			}
		}
	}
	if found == nil {
		return nil
	}
	for row := range t.ShownRows(1, t.Lines()) {
		if row.More > 0 {
			shown := row.Shown()
			if was, asked := found[shown]; asked && was == 0 {
				found[shown] = row.N
			}
		}
	}
	return found
}

// fault says that the row is the clipped form of a line.
func (c clips) fault(row string) *hashline.Diagnostic {
	if c == nil {
		return nil
	}
	for _, shown := range asClip(row) {
		if n := c[shown]; n > 0 {
			return &hashline.Diagnostic{
				Code: hashline.ClippedRow,
				Msg:  fmt.Sprintf("is line %d as the view shortens it: the rest of the line would be lost", n),
				Hint: "leave that line out of the span" + reallyMeant,
			}
		}
	}
	return nil
}

// asClip gives the row if it has the form of a clipped line, and without the
// number that the view puts in front of it, if it has one: the loss would be
// the same.
func asClip(row string) []string {
	if !strings.HasSuffix(row, " chars]") || !strings.Contains(row, "…[+") {
		return nil
	}
	if _, text, ok := hashline.ParseRow(row); ok {
		return []string{row, text}
	}
	return []string{row}
}
