package apply

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// clipAt is how many code points of a long row a view shows (spec 4).
const clipAt = 2000

// clip is a long line as a view shows it: its first code points and how many
// more there are.
type clip struct {
	head string
	more int
}

// clips maps the rows of a document that have the form of a clipped line to
// the line they stand for, 0 where there is none. The document's few such rows
// are looked up from the file's long lines rather than the other way round, so
// that the cost is one pass over the file however many of either there are.
type clips map[clip]int

func clippedLines(t *snapshot.Text, ops []hashline.Op) clips {
	var found clips
	for i := range ops {
		for _, row := range ops[i].Body {
			if c, ok := asClip(row); ok {
				if found == nil {
					found = clips{}
				}
				found[c] = 0
			}
		}
	}
	if found == nil {
		return nil
	}
	for n, line := range t.Rows(1, t.Lines()) {
		head, more := clipLine(line)
		if more == 0 {
			continue
		}
		// The conversion is part of the look-up, which copies nothing.
		if was, asked := found[clip{string(head), more}]; asked && was == 0 {
			found[clip{string(head), more}] = n
		}
	}
	return found
}

// fault says that the row is the clipped form of a line.
func (c clips) fault(row string) *hashline.Diagnostic {
	if c == nil {
		return nil
	}
	shown, ok := asClip(row)
	if !ok || c[shown] == 0 {
		return nil
	}
	return &hashline.Diagnostic{
		Code: hashline.ClippedRow,
		Msg:  fmt.Sprintf("is line %d as the view shortens it; the line has %d more characters, which would be lost", c[shown], shown.more),
		Hint: "leave that line out of the span, or change a part of it with replace" + reallyMeant,
	}
}

// asClip takes a row apart that has the form of a clipped line, with or without
// the number that the view puts in front of it: with it the loss would be the
// same.
func asClip(row string) (clip, bool) {
	rest, ok := strings.CutSuffix(row, " chars]")
	if !ok {
		return clip{}, false
	}
	const mark = "…[+"
	at := strings.LastIndex(rest, mark)
	if at < 0 {
		return clip{}, false
	}
	head, count := rest[:at], rest[at+len(mark):]
	more, err := strconv.Atoi(count)
	if err != nil || strconv.Itoa(more) != count {
		return clip{}, false
	}
	if _, text, ok := numbered(head); ok && utf8.RuneCountInString(head) > clipAt {
		head = text
	}
	if utf8.RuneCountInString(head) != clipAt {
		return clip{}, false
	}
	return clip{head, more}, true
}

// clipLine gives the part of a line that a view shows, and how many code points
// it leaves out.
func clipLine(line []byte) (head []byte, more int) {
	if len(line) <= clipAt {
		return line, 0
	}
	size := 0
	for range clipAt {
		if size == len(line) {
			return line, 0
		}
		_, n := utf8.DecodeRune(line[size:])
		size += n
	}
	return line[:size], utf8.RuneCount(line[size:])
}
