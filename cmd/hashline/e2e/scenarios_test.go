//go:build unix

package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/cmd/hashline/e2e/fakemodel"
)

const rejected = "edit rejected, nothing was written\n"

var scenarios = []scenario{outsideChange, oneTurn, movedLine, longAnswers}

// numbered makes rows "line 1" to "line n".
func numbered(n int) []string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf("line %d", i+1)
	}
	return rows
}

func file(rows []string) string { return strings.Join(rows, "\n") + "\n" }

// replaced gives rows with some, counted from 1, replaced by others.
func replaced(rows []string, from, to int, by ...string) []string {
	out := append([]string{}, rows[:from-1]...)
	return append(append(out, by...), rows[to:]...)
}

// outsideChange: after an edit somebody else changes the file, so that the next
// one is refused; the model sends the corrected document.
var outsideChange = scenario{
	name:  "outside-change",
	files: map[string]string{"a.txt": file(numbered(12))},
	want: map[string]string{"a.txt": file(append([]string{"by somebody else", "too"},
		replaced(replaced(numbered(12), 2, 2, "second"), 8, 9, "eighth and ninth")...))},
	turns: func(p *player) []fakemodel.Turn {
		return []fakemodel.Turn{
			p.read("a.txt"),
			p.edit(under("PUT 2:\n+second")),
			p.outside(p.edit(under("PUT 8.=9:\n+eighth and ninth")), "a.txt", func(s string) string {
				return "by somebody else\ntoo\n" + s
			}),
			p.edit(corrected),
			p.done(),
		}
	},
	check: func(t *testing.T, told []string) {
		require.Len(t, told, 4)
		require.True(t, strings.HasPrefix(told[2], rejected), told[2])
		require.Contains(t, told[2], "a.txt: stale_tag: ")
	},
}

// oneTurn: two edits of one file in one turn, which clients may send at once. One
// wins, the other is sent again, and neither is lost.
var oneTurn = scenario{
	name:  "one-turn",
	files: map[string]string{"b.txt": file(numbered(10))},
	want:  map[string]string{"b.txt": file(replaced(replaced(numbered(10), 3, 3, "third"), 8, 8, "eighth"))},
	turns: func(p *player) []fakemodel.Turn {
		operations := []string{"PUT 3:\n+third", "PUT 8:\n+eighth"}
		return []fakemodel.Turn{
			p.read("b.txt"),
			{Calls: []fakemodel.Call{
				p.call("edit", document(under(operations[0]))), p.call("edit", document(under(operations[1]))),
			}},
			p.edit(func(told []string) string {
				for i, text := range told[1:] {
					if strings.HasPrefix(text, rejected) {
						return header(text) + "\n" + operations[i]
					}
				}
				return "none was refused"
			}),
			p.done(),
		}
	},
	check: func(t *testing.T, told []string) {
		require.Len(t, told, 4)
		refused := 0
		for _, text := range told {
			if strings.HasPrefix(text, rejected) {
				refused++
				require.Contains(t, text, "b.txt: stale_tag: ")
			}
		}
		require.Equal(t, 1, refused)
	},
}

// movedLine: the model copies the new tag but counts from its old view. It is
// refused, and sends the number that the refusal shows; the second time it meant
// the number, and sends the same again.
var movedLine = scenario{
	name:  "moved-line",
	files: map[string]string{"c.txt": file(numbered(30))},
	want: map[string]string{"c.txt": file(replaced(replaced(replaced(numbered(30),
		26, 26, "the row that is 29 now"), 20, 20, "twentieth"), 2, 2, "a", "b", "c", "d"))},
	turns: func(p *player) []fakemodel.Turn {
		again := ""
		return []fakemodel.Turn{
			p.read("c.txt"),
			p.edit(under("PUT 2:\n+a\n+b\n+c\n+d")),
			p.edit(under("PUT 20:\n+twentieth")),
			p.edit(func(told []string) string {
				last := told[len(told)-1]
				return fmt.Sprintf("%s\nPUT %s:\n+twentieth", header(last), numberOf(last, "line 20"))
			}),
			p.edit(func(told []string) string {
				again = under("PUT 29:\n+the row that is 29 now")(told)
				return again
			}),
			p.edit(func([]string) string { return again }),
			p.done(),
		}
	},
	check: func(t *testing.T, told []string) {
		require.Len(t, told, 6)
		for _, i := range []int{2, 4} {
			require.True(t, strings.HasPrefix(told[i], rejected), told[i])
			require.Contains(t, told[i], "c.txt: moved_line: ")
		}
	},
}

// numberOf finds the number of a row in an answer.
func numberOf(text, row string) string {
	m := regexp.MustCompile(`(?m)^([0-9]+):` + regexp.QuoteMeta(row) + `$`).FindStringSubmatch(text)
	if m == nil {
		return "0"
	}
	return m[1]
}
