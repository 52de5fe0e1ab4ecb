package snapshot_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// TestReadRandom compares windows and ranges under budgets with the longest
// view of the model that fits.
func TestReadRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 1500 {
		text := randomText(r, r.IntN(60), 1+r.IntN(60))
		if r.IntN(5) == 0 {
			text += strings.Repeat("é", 1990+r.IntN(20)) + "\n" + randomText(r, r.IntN(3), 10)
		}
		s, lines := take(text), modelLines(text)
		budget := r.IntN(900) - 20
		if r.IntN(4) == 0 {
			budget += 4000
		}
		if len(lines) == 0 {
			continue
		}
		offset, limit := 1+r.IntN(len(lines)), 1+r.IntN(len(lines))
		if r.IntN(3) == 0 {
			offset, limit = 1, math.MaxInt
		}
		var rows []int
		for n := offset; n <= len(lines) && n-offset < limit; n++ {
			rows = append(rows, n)
		}
		v, err := s.Read(offset, limit, budget)
		require.NoError(t, err)
		checkView(t, v, modelFit(s, lines, rows, budget, func(shown []int) string { return modelPageFooter(shown, rows, len(lines)) }))

		keep := map[int]bool{}
		var ranges []hashline.Span
		for range 1 + r.IntN(12) {
			first := 1 + r.IntN(len(lines))
			last := first + r.IntN(4)
			ranges = append(ranges, hashline.Span{First: first, Last: last})
			for n := first; n <= last; n++ {
				keep[n] = true
			}
		}
		rows = nil
		for n := 1; n <= len(lines); n++ {
			if keep[n] {
				rows = append(rows, n)
			}
		}
		v, err = s.ReadRanges(ranges, budget)
		require.NoError(t, err)
		checkView(t, v, modelFit(s, lines, rows, budget, func(shown []int) string {
			if len(rows) == len(lines) {
				return modelPageFooter(shown, rows, len(lines))
			}
			return modelRangesFooter(shown, rows, len(lines))
		}))
	}
}

// modelled is a view of the model.
type modelled struct {
	text          string
	rows, clipped []int
}

func newModelled(s snapshot.Snapshot, lines []modelLine, rows []int, footer string) modelled {
	v := modelled{text: modelView(s.Header(), lines, rows, footer)}
	for _, n := range rows {
		v.rows = append(v.rows, n)
		if text := lines[n-1].text; modelClip(text) != text {
			v.clipped = append(v.clipped, n)
		}
	}
	return v
}

func checkView(t *testing.T, got snapshot.View, want modelled) {
	t.Helper()
	if diff := cmp.Diff(want.text, got.Text); diff != "" {
		t.Fatal(diff)
	}
	if diff := cmp.Diff(want.rows, numbers(got.Rows)); diff != "" {
		t.Fatal(diff)
	}
	if diff := cmp.Diff(want.clipped, numbers(got.Clipped)); diff != "" {
		t.Fatal(diff)
	}
}

// modelFit shows as many of the first rows as the budget has a place for.
func modelFit(s snapshot.Snapshot, lines []modelLine, rows []int, budget int, footer func(shown []int) string) modelled {
	for k := len(rows); ; k-- {
		v := newModelled(s, lines, rows[:k], footer(rows[:k]))
		if budget <= 0 || len(v.text) <= budget || k == 0 {
			return v
		}
	}
}

func modelPageFooter(shown, rows []int, total int) string {
	switch {
	case len(shown) == total:
		return ""
	case len(shown) == 0 && rows[0] == total:
		return fmt.Sprintf("[row %d of %d does not fit the output limit]", total, total)
	case len(shown) == 0:
		return fmt.Sprintf("[row %d of %d does not fit the output limit; next offset %d]", rows[0], total, rows[0]+1)
	}
	b := shown[len(shown)-1]
	if b == total {
		return fmt.Sprintf("[rows %d-%d of %d]", shown[0], b, total)
	}
	return fmt.Sprintf("[rows %d-%d of %d; next offset %d]", shown[0], b, total, b+1)
}

func modelRangesFooter(shown, rows []int, total int) string {
	text, left := fmt.Sprintf("[rows %s of %d", modelList(shown, ","), total), rows[len(shown):]
	if len(shown) == 0 {
		text, left = fmt.Sprintf("[row %d of %d does not fit the output limit", rows[0], total), rows[1:]
	}
	if len(left) > 0 {
		parts := strings.Split(modelList(left, ","), ",")
		if len(parts) > 8 {
			parts = append(parts[:8], "…")
		}
		text += "; next ranges " + strings.Join(parts, ",")
	}
	return text + "]"
}
