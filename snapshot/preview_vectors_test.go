package snapshot_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

// TestPreviewVectors takes the rows that an edit touched from its summary.
func TestPreviewVectors(t *testing.T) {
	checked := 0
	for _, v := range hashlinetest.Vectors(t, "apply") {
		if v.Expect.Content == "" || v.Expect.NoChange {
			continue
		}
		checked++
		checkPreview(t, v.ID, v.Path, len(modelLines(string(v.Text))), v.Expect.NewText, v.Expect.Structural,
			strings.ReplaceAll(v.Expect.Content, "{NEWTAG}", snapshotOf(t, v.Path, v.Expect.NewText).Tag.String()))
	}
	for _, v := range hashlinetest.Vectors(t, "multi") {
		if v.Expect.Content == "" {
			continue
		}
		// None of these answers has a footer, so blank lines part the files.
		parts := strings.Split(v.Expect.Content, "\n\n")
		require.Len(t, parts, len(v.Expect.NewFiles))
		for i, f := range v.Expect.NewFiles {
			old := ""
			for _, g := range v.Files {
				if g.Path == f.Path {
					old = string(g.Text)
				}
			}
			checked++
			checkPreview(t, v.ID, f.Path, len(modelLines(old)), f.NewText, false,
				strings.ReplaceAll(parts[i], "{NEWTAG:"+f.Path+"}", snapshotOf(t, f.Path, f.NewText).Tag.String()))
		}
	}
	require.Greater(t, checked, 90)
}

func checkPreview(t *testing.T, id, path string, oldLines int, newText []byte, structural bool, content string) {
	t.Helper()
	summary, want, _ := strings.Cut(content, "\n")
	s := snapshotOf(t, path, newText)
	got := s.Preview(focusOf(t, summary, oldLines), 0)
	if structural {
		got = s.Structural()
	}
	if diff := cmp.Diff(want, got.Text); diff != "" {
		t.Errorf("%s: %s\n%s", id, summary, diff)
	}
}

var summarised = regexp.MustCompile(`^(PUT|CUT) ([<>]?)(\$|\d+)(?:\.=(\d+))?:? \((?:\d+ → (\d+) line\(s\)|\+(\d+) line\(s\)|\d+ lines?|no change)\)$`)

// focusOf lays out the new file from the summary of an edit: which rows were
// written, and where the edges of the cuts fall.
func focusOf(t *testing.T, summary string, oldLines int) []hashline.Span {
	t.Helper()
	type change struct{ first, last, rows int }
	replaced, cut := map[int]change{}, map[int]change{}
	before, after, end := map[int]int{}, map[int]int{}, 0
	for op := range strings.SplitSeq(summary, "; ") {
		m := summarised.FindStringSubmatch(op)
		require.NotNil(t, m, op)
		number := func(i, other int) int {
			if n, err := strconv.Atoi(m[i]); err == nil {
				return n
			}
			return other
		}
		first := number(3, 0)
		last := number(4, first)
		switch {
		case m[3] == "$":
			end += number(6, 0)
		case m[2] == "<":
			before[first] += number(6, 0)
		case m[2] == ">":
			after[first] += number(6, 0)
		case m[1] == "CUT":
			cut[first] = change{first, last, 0}
		default:
			replaced[first] = change{first, last, number(5, last-first+1)}
		}
	}
	row := 0
	var focus []hashline.Span
	write := func(n int) {
		focus = append(focus, hashline.Span{First: row + 1, Last: row + n})
		row += n
	}
	touch := func(n int) { focus = append(focus, hashline.Span{First: n, Last: n}) }
	for n := 1; n <= oldLines; {
		c, isCut := cut[n]
		r, isReplaced := replaced[n]
		if isCut {
			touch(row)
		}
		write(before[n])
		last := n
		switch {
		case isCut:
			last = c.last
		case isReplaced:
			write(r.rows)
			last = r.last
		default:
			row++
		}
		write(after[last])
		if isCut {
			touch(row + 1)
		}
		n = last + 1
	}
	write(before[oldLines+1])
	write(end)
	return focus
}
