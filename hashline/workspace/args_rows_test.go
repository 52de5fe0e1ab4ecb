package workspace

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// askings are the ways in which other tools ask for the rows A to B, C in number;
// those that begin with "=" ask for all rows from the first on or to the last.
var askings = []string{
	`"start_line": A, "end_line": B`, `"startLine": A, "endLine": B`, `"start_line": "A", "end_line": "B"`, `"from": A, "to": B`,
	`"start": A, "end": B`, `"line_start": A, "line_end": B`, `"first": A, "last": B`, `"offset": A, "end_line": B`, `"offset": A, "lines": C`,
	`"begin": A, "until": B`, `"start_line": A, "limit": C`, `"start_line": A, "num_lines": C`, `"line": A, "count": C`, `"lines": "A-B"`,
	`"lines": [A, B]`, `"view_range": [A, B]`, `"view_range": "[A:B]"`, `"range": "A:B"`, `"line_range": "A - B"`, `"Offset": A, "Limit": C`,
	`"start_line_one_indexed": A, "end_line_one_indexed_inclusive": B`, `"start_line": A, "end_line": B, "max_lines": 99`, `"ranges": null, "from_line": A, "to_line": B`,
	`=1 "head": B`, `=1 "rows": B`, `"rows": "A-B"`, `=1 "end_line": B`, `=1 "max_lines": B`, `=T "start_line": A`, `=T "start_line": A, "end_line": -1`, `=T "view_range": [A, -1]`,
	`=T "from": A`, `=T "line_range": "A-"`,
}

// Whoever asks for rows in the words of other tools is told one call that shows just
// these, in one hint.
func TestRowsInOtherWords(t *testing.T) {
	const rows = 40
	var text strings.Builder
	for i := range rows {
		fmt.Fprintf(&text, "row %d\n", i+1)
	}
	w := open(t, map[string]string{"f": text.String()})
	fragment := regexp.MustCompile(`write ("\w+": (?:"[^"]*"|\d+)(?:, "\w+": \d+)*)`)
	r := rand.New(rand.NewPCG(5, 6))
	for _, asking := range askings {
		for range 5 {
			a := 1 + r.IntN(rows)
			b := a + r.IntN(rows-a+1)
			words := strings.NewReplacer("A", fmt.Sprint(a), "B", fmt.Sprint(b), "C", fmt.Sprint(b-a+1)).Replace(asking)
			if rest, ok := strings.CutPrefix(words, "=1 "); ok {
				words, a = rest, 1
			} else if rest, ok := strings.CutPrefix(words, "=T "); ok {
				words, b = rest, rows
			}
			for _, more := range []string{"", `, "explanation": "x"`} {
				got := w.Call(t.Context(), "read_file", fmt.Appendf(nil, `{"path": "f", %s%s}`, words, more))
				require.False(t, got.OK, words)
				require.Len(t, got.Faults, 1, got.Content)
				m := fragment.FindStringSubmatch(got.Faults[0].Hint)
				require.NotNil(t, m, got.Content)
				got = w.Call(t.Context(), "read_file", fmt.Appendf(nil, `{"path": "f", %s}`, m[1]))
				require.True(t, got.OK, got.Content)
				shown := regexp.MustCompile(`(?m)^(\d+):row`).FindAllStringSubmatch(got.Content, -1)
				require.Equal(t, fmt.Sprint(a, b, b-a+1), fmt.Sprint(shown[0][1], " ", shown[len(shown)-1][1], " ", len(shown)), "%s: %s", words, m[0])
			}
		}
	}
}

// What cannot be told is not guessed: there is still only one hint, which excludes no
// other.
func TestRowsThatCannotBeTold(t *testing.T) {
	tool := toolNamed(t, "read_file")
	for words, hint := range map[string]string{
		`"start_line": 9, "end_line": 5`:                    `say once which rows are meant`,
		`"start_line": 0, "end_line": 5`:                    `say once which rows are meant`,
		`"start_line": "x", "end_line": 5`:                  `say once which rows are meant`,
		`"start": 1, "from": 5`:                             `say once which rows are meant`,
		`"range": "1-2", "lines": "4-5"`:                    `say once which rows are meant`,
		`"start_line": 1, "end_line": 5, "ranges": "7-9"`:   `say once which rows are meant`,
		`"start_line": 1, "ranges": "7-9"`:                  `leave it out, since ranges`,
		`"end_line": 4, "ranges": "7-9"`:                    `leave it out, since ranges`,
		`"start_line": 1, "offset": 3`:                      `leave it out, since offset`,
		`"view_range": [1, 2], "offset": 3`:                 `leave it out, since offset`,
		`"tail": 20`:                                        `"limit": 1, which says how many rows there are`,
		`"lines": {"from": 1}`:                              `the argument is called`,
		`"start_line": 99999999999999999999, "end_line": 2`: `say once which rows are meant`,
	} {
		all, err := members([]byte(`{"path": "f", ` + words + `}`))
		require.NoError(t, err)
		before := maps.Clone(all)
		_, err = tool.decode(all)
		require.Error(t, err, words)
		require.Contains(t, err.Error(), hint, words)
		require.Len(t, faultsOf(err), 1, words)
		require.Equal(t, map[string]json.RawMessage(before), all)
	}
}
