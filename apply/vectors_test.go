package apply_test

import (
	"errors"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/apply/applytest"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/snapshot"
)

// Steps 1 to 4 are not this package's.
var earlierSteps = map[hashline.Code]bool{
	hashline.Syntax: true, hashline.DuplicatePath: true, hashline.NotText: true, hashline.StaleTag: true,
}

func TestVectors(t *testing.T) {
	ran := 0
	for _, v := range hashlinetest.Vectors(t, "apply") {
		if earlierSteps[v.Expect.Code] {
			continue
		}
		ran++
		t.Run(v.ID, func(t *testing.T) {
			ops := applytest.Ops(string(v.Doc))
			text := snapshot.New(v.Text)
			edit, err := apply.Apply(text, ops)
			if !v.Expect.OK {
				var ds hashline.Diagnostics
				require.True(t, errors.As(err, &ds), v.Note)
				require.Equal(t, v.Expect.Code, ds[0].Code)
				return
			}
			require.NoError(t, err, v.Note)
			require.Equal(t, string(v.Expect.NewText), string(edit.Bytes), v.Note)
			require.Equal(t, v.Expect.Structural, edit.Structural)
			require.Equal(t, v.Expect.NoChange, !edit.Changed)
			if v.Expect.Summary != nil {
				require.Equal(t, *v.Expect.Summary, edit.Summary)
			}
			if want, shown := around(edit, 3), rowNumbers(v.Expect.Content); len(shown) > 0 && len(want) <= 40 {
				require.Empty(t, cmp.Diff(want, shown), "rows of the preview")
			}
		})
	}
	require.Greater(t, ran, 120)
}

var viewRow = regexp.MustCompile(`(?m)^([0-9]+):`)

// rowNumbers gives the numbers of the rows of a preview.
func rowNumbers(content string) (rows []int) {
	for _, m := range viewRow.FindAllStringSubmatch(content, -1) {
		n, _ := strconv.Atoi(m[1])
		rows = append(rows, n)
	}
	return rows
}

// around gives the rows that a preview with context shows when none is left
// out.
func around(e *apply.Edit, context int) (rows []int) {
	lines := snapshot.New(e.Bytes).Lines()
	for n := 1; n <= lines; n++ {
		for _, s := range e.Focus {
			if s.First-context <= n && n <= s.Last+context {
				rows = append(rows, n)
				break
			}
		}
	}
	return rows
}
