package search_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/search"
)

// Whatever the budget, the text keeps to it, consists of whole rows of the full
// text, and its last line counts the matches that it shows.
func TestBudget(t *testing.T) {
	files := map[string]string{}
	for i := range 12 {
		files[fmt.Sprintf("f%02d.txt", i)] = repeat(40, func(n int) string {
			if n%(2+i%5) == 0 {
				return "needle " + strings.Repeat("é", n) + "\n"
			}
			return "hay " + strconv.Itoa(n) + "\n"
		})
	}
	root := tree(t, files)
	for _, mode := range []search.Mode{search.Content, search.FilesWithMatches, search.Count} {
		for context := range 3 {
			r := run(t, root, search.Query{Pattern: "needle", Mode: mode, Context: context, MaxPerFile: 5, MaxResults: 40})
			full, _ := r.Render(0)
			rows := map[string]bool{"": true, "--": true}
			for _, row := range strings.Split(full, "\n") {
				rows[row] = true
			}
			lastLine, _ := r.Render(1)
			least := len(lastLine) + len(strconv.Itoa(r.Matches)) + 1
			for budget := least; budget < len(full)+10; budget += 7 {
				text, shown := r.Render(budget)
				require.LessOrEqual(t, len(text), budget)
				checkText(t, text, mode, r, shown, rows)
			}
			text, _ := r.Render(1)
			require.True(t, strings.HasPrefix(text, "[0 of "), text)
			require.NotContains(t, text, "\n")
		}
	}
}

// checkText reads a text back and compares it with what it says of itself.
func checkText(t *testing.T, text string, mode search.Mode, r *search.Result, shown []search.Shown, rows map[string]bool) {
	t.Helper()
	all := strings.Split(text, "\n")
	matches := 0
	lines := map[string][]int{}
	header := ""
	for _, row := range all[:len(all)-1] {
		if strings.HasPrefix(row, "... +") {
			continue
		}
		require.True(t, rows[row], "row %q is not one of the full text", row)
		switch {
		case strings.HasPrefix(row, "["):
			header = row
		case mode == search.Content:
			if n, _, ok := strings.Cut(row, " "); ok {
				line, err := strconv.Atoi(n)
				require.NoError(t, err)
				lines[header] = append(lines[header], line)
				if strings.HasPrefix(row, n+" | ") {
					matches++
				}
			}
		case row != "":
			for _, f := range r.Files {
				if path, _, _ := strings.Cut(row, ": "); path == f.Path {
					matches += f.Matches
				}
			}
		}
	}
	want := fmt.Sprintf("[%d of %d matches in %d files; narrow the pattern, path or glob]", matches, r.Matches, r.Matched)
	if matches == r.Matches {
		want = fmt.Sprintf("[%d matches in %d files]", r.Matches, r.Matched)
	}
	require.Equal(t, want, all[len(all)-1])
	got := map[string][]int{}
	for _, s := range shown {
		for _, span := range s.Lines {
			for n := span.First; n <= span.Last; n++ {
				got[hashline.Header(s.Path, s.Tag)] = append(got[hashline.Header(s.Path, s.Tag)], n)
			}
		}
	}
	if diff := cmp.Diff(lines, got); diff != "" {
		t.Fatalf("lines shown (-text +returned):\n%s\n%s", diff, text)
	}
}

func TestShown(t *testing.T) {
	root := tree(t, map[string]string{"a": "x\n\nx\n\n\n\nx\n", "b": "x"})
	_, shown := run(t, root, search.Query{Pattern: "x", Context: 1}).Render(0)
	want := []search.Shown{
		{Path: "a", Tag: 10, Lines: []hashline.Span{{First: 1, Last: 4}, {First: 6, Last: 7}}},
		{Path: "b", Tag: 1, Lines: []hashline.Span{{First: 1, Last: 1}}},
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
}

func TestPreview(t *testing.T) {
	x, e := strings.Repeat("x", 1000), strings.Repeat("é", 1000)
	tests := []struct {
		name, line, pattern, want string
	}{
		{"200 characters are shown whole", e[:400], "é", e[:400]},
		{"a match within the first 200", "NEEDLE" + x, "NEEDLE", "NEEDLE" + x[:194] + "…"},
		{"a match that ends at 200", x[:194] + "NEEDLE" + x, "NEEDLE", x[:194] + "NEEDLE" + "…"},
		{"a match that ends at 201", x[:195] + "NEEDLE" + x, "NEEDLE", "…" + x[:97] + "NEEDLE" + x[:97] + "…"},
		{"in the middle", e + "NEEDLE" + e, "NEEDLE", "…" + e[:194] + "NEEDLE" + e[:194] + "…"},
		{"at the end", e + "NEEDLE", "NEEDLE", "…" + e[:388] + "NEEDLE"},
		{"near the end", e + "NEEDLEé", "NEEDLE", "…" + e[:386] + "NEEDLEé"},
		{"longer than there is room", x + e, "é+", "…" + e[:400] + "…"},
		{"as long as the line", e, "é+", e[:400] + "…"},
		{"empty, at the end", x, "$", "…" + x[:200]},
		{"characters of four bytes", strings.Repeat("𝄞", 500) + "NEEDLE", "NEEDLE", "…" + strings.Repeat("𝄞", 194) + "NEEDLE"},
		{"a lone CR is content", "a\rNEEDLE", "NEEDLE", "a\rNEEDLE"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, map[string]string{"a": test.line + "\n" + "tail\n"})
			r := run(t, root, search.Query{Pattern: test.pattern, MaxPerFile: 1})
			require.Len(t, r.Files, 1)
			if diff := cmp.Diff(test.want, r.Files[0].Rows[0].Text); diff != "" {
				t.Errorf("preview (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("context rows show their beginning", func(t *testing.T) {
		root := tree(t, map[string]string{"a": x + "\nNEEDLE\n"})
		r := run(t, root, search.Query{Pattern: "NEEDLE", Context: 1})
		if diff := cmp.Diff([]search.Row{{Line: 1, Text: x[:200] + "…"}, {Line: 2, Match: true, Text: "NEEDLE"}}, r.Files[0].Rows); diff != "" {
			t.Errorf("rows (-want +got):\n%s", diff)
		}
	})
}
