//go:build unix

package e2e

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/cmd/hashline/e2e/fakemodel"
)

var nextOffset = regexp.MustCompile(`\n\[rows ([0-9]+)-([0-9]+) of ([0-9]+); next offset ([0-9]+)\]$`)

// longAnswers: files of several kinds that no client shows whole, and a refusal
// that is long. The model goes on from where an answer ends.
var longAnswers = scenario{
	name: "long-answers",
	files: map[string]string{
		"long.txt":  strings.Repeat("The quick brown fox jumps over the lazy dog, and over a fence, and is gone.\n", 3000),
		"short.txt": strings.Repeat("x\n", 9000),
		"dense.txt": strings.Repeat("\t\"a\\b\", 'ö', \"漢字\"; <&> 🦊\n", 5000),
		"wide.txt":  strings.Repeat("wider ", 900) + "\n" + strings.Repeat(strings.Repeat("wide \"w\"\t", 170)+"\n", 59),
	},
	turns: func(p *player) []fakemodel.Turn {
		var refused strings.Builder
		refused.WriteString("[wide.txt#0000]\n")
		for n := 1; n <= 60; n += 3 {
			fmt.Fprintf(&refused, "CUT %d\n", n)
		}
		return []fakemodel.Turn{
			p.read("long.txt"),
			p.turn("read_file", func(told []string) map[string]any {
				return map[string]any{"path": "long.txt", "offset": offset(told[0])}
			}),
			p.read("short.txt"),
			p.read("dense.txt"),
			p.edit(func([]string) string { return refused.String() }),
			p.done(),
		}
	},
	check: func(t *testing.T, told []string) {
		require.Len(t, told, 5)
		for i, text := range told[:4] {
			require.NotZero(t, offset(text), "answer %d does not end with the way to go on: …%q", i, text[max(0, len(text)-200):])
		}
		require.Contains(t, told[1], fmt.Sprintf("]\n%d:The quick", offset(told[0])))
		require.True(t, strings.HasPrefix(told[4], rejected))
		require.Regexp(t, `rows; read_file shows the others\]`, told[4])
		for i, text := range told {
			require.Greater(t, len(text), 2_500, "answer %d", i)
			t.Logf("answer %d: %d bytes", i, len(text))
		}
	},
}

// offset is where an answer says that the next one begins, 0 where it says
// nothing.
func offset(text string) int {
	m := nextOffset.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[4])
	if err != nil {
		return 0
	}
	return n
}
