package snapshot_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// show writes rows of rowsText as a view shows them: a number, or "" for a gap.
func show(rows ...string) string {
	for i, n := range rows {
		if n == "" {
			rows[i] = "…"
		} else {
			rows[i] = n + ":row" + n
		}
	}
	return strings.Join(rows, "\n")
}

func TestPreview(t *testing.T) {
	ten, hundred := rowsText(10), rowsText(100)
	var everyTenth []hashline.Span
	for n := 5; n <= 95; n += 10 {
		everyTenth = append(everyTenth, hashline.Span{First: n, Last: n})
	}
	for name, c := range map[string]struct {
		text   string
		focus  []hashline.Span
		budget int
		want   string
	}{
		"one row":        {ten, []hashline.Span{{First: 5, Last: 5}}, 0, show("2", "3", "4", "5", "6", "7", "8") + "\n\n[rows 2-8 of 10, around the change; read_file shows the others]"},
		"whole":          {ten, []hashline.Span{{First: 4, Last: 7}}, 0, show("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")},
		"cut of the top": {ten, []hashline.Span{{First: 0, Last: 0}, {First: 1, Last: 1}}, 0, show("1", "2", "3", "4") + "\n\n[rows 1-4 of 10, around the change; read_file shows the others]"},
		"cut of the end": {ten, []hashline.Span{{First: 10, Last: 10}, {First: 11, Last: 11}}, 0, show("7", "8", "9", "10") + "\n\n[rows 7-10 of 10, around the change; read_file shows the others]"},
		"cut of all":     {"", []hashline.Span{{First: 0, Last: 0}, {First: 1, Last: 1}}, 0, ""},
		"gap of one row": {rowsText(16), []hashline.Span{{First: 12, Last: 12}, {First: 4, Last: 4}}, 0,
			show("1", "2", "3", "4", "5", "6", "7", "", "9", "10", "11", "12", "13", "14", "15") + "\n\n[rows 1-15 of 16, around the change; read_file shows the others]"},
		"hunks that touch": {rowsText(16), []hashline.Span{{First: 4, Last: 4}, {First: 11, Last: 11}}, 0,
			show("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14") + "\n\n[rows 1-14 of 16, around the change; read_file shows the others]"},
		// 10 hunks of 7 rows have 4 places each: the row and the 3 above it.
		"ten hunks": {hundred, everyTenth, 0, show("2", "3", "4", "5", "", "12", "13", "14", "15", "", "22", "23", "24", "25", "", "32", "33", "34", "35", "",
			"42", "43", "44", "45", "", "52", "53", "54", "55", "", "62", "63", "64", "65", "", "72", "73", "74", "75", "", "82", "83", "84", "85", "", "92", "93", "94", "95") +
			"\n\n[rows 2-95 of 100, around the change; read_file shows the others]"},
		// 3 hunks have 13 places each; the first fills 7, the last gets the other 6.
		"places left go to the last": {hundred, []hashline.Span{{First: 5, Last: 5}, {First: 20, Last: 39}, {First: 60, Last: 80}}, 0,
			show("2", "3", "4", "5", "6", "7", "8", "", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "",
				"60", "61", "62", "63", "64", "65", "66", "67", "68", "69", "70", "71", "72", "73", "74", "75", "76", "77", "78", "79") +
				"\n\n[rows 2-79 of 100, around the change; read_file shows the others]"},
		"budget drops context from the bottom": {ten, []hashline.Span{{First: 5, Last: 5}}, 110, show("2", "3", "4", "5") + "\n\n[rows 2-5 of 10, around the change; read_file shows the others]"},
		"budget leaves the focus":              {ten, []hashline.Span{{First: 5, Last: 5}}, 90, show("5") + "\n\n[rows 5-5 of 10, around the change; read_file shows the others]"},
		"budget leaves nothing":                {ten, []hashline.Span{{First: 5, Last: 5}}, 1, "\n[0 of 10 rows; read_file shows the others]"},
		"no focus":                             {ten, nil, 0, show("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")},
	} {
		t.Run(name, func(t *testing.T) {
			v := take(c.text).Preview(c.focus, c.budget)
			if diff := cmp.Diff(c.want, tail(v)); diff != "" {
				t.Fatalf("%d bytes\n%s", len(v.Text), diff)
			}
		})
	}
}

func TestLive(t *testing.T) {
	ten := rowsText(10)
	for name, c := range map[string]struct {
		text    string
		anchors []int
		budget  int
		want    string
	}{
		"both ends of a span":   {ten, []int{8, 3}, 0, show("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")},
		"gap":                   {ten, []int{9, 2}, 0, show("1", "2", "3", "4", "", "7", "8", "9", "10") + "\n\n[8 of 10 rows; read_file shows the others]"},
		"out of range":          {ten, []int{-1, 0, 9, 11, 999999999}, 0, show("7", "8", "9", "10") + "\n\n[4 of 10 rows; read_file shows the others]"},
		"none in range":         {ten, []int{0, 11}, 0, show("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")},
		"empty file":            {"", []int{0, 1}, 0, ""},
		"budget keeps anchors":  {ten, []int{2, 9}, 85, show("1", "2", "", "9") + "\n\n[3 of 10 rows; read_file shows the others]"},
		"budget leaves one":     {ten, []int{2, 9}, 68, show("2") + "\n\n[1 of 10 rows; read_file shows the others]"},
		"budget leaves nothing": {ten, []int{2, 9}, 60, "\n[0 of 10 rows; read_file shows the others]"},
	} {
		t.Run(name, func(t *testing.T) {
			v := take(c.text).Live(c.anchors, c.budget)
			if diff := cmp.Diff(c.want, tail(v)); diff != "" {
				t.Fatalf("%d bytes\n%s", len(v.Text), diff)
			}
		})
	}
}

func TestStructural(t *testing.T) {
	for lines, want := range map[int]string{0: "0", 7: "7"} {
		v := take(rowsText(lines)).Structural()
		if diff := cmp.Diff("\n[structural edit: "+want+" lines now; read this file before editing it again]", tail(v)); diff != "" {
			t.Error(diff)
		}
		if len(v.Rows)+len(v.Clipped) > 0 {
			t.Errorf("rows %v, clipped %v", v.Rows, v.Clipped)
		}
	}
}

// TestBoundedRandom compares previews, live snapshots and chain snapshots, with
// and without a budget, with the model.
func TestBoundedRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 1000 {
		text := randomText(r, r.IntN(400), 1+r.IntN(12))
		if r.IntN(8) == 0 {
			text += "\n" + strings.Repeat("é", 1990+r.IntN(20)) + "\n" + randomText(r, 1+r.IntN(9), 10)
		}
		s, lines := take(text), modelLines(text)
		budget := 0
		if r.IntN(2) == 0 {
			budget = 1 + r.IntN(600)
		}
		focus := map[int]bool{}
		var spans []hashline.Span
		var anchors []int
		width := 1 + r.IntN(1+r.IntN(60))
		for range r.IntN(1 + r.IntN(70)) {
			first := r.IntN(len(lines)+4) - 1
			span := hashline.Span{First: first, Last: first + r.IntN(width)}
			spans = append(spans, span)
			for n := span.First; n <= span.Last; n++ {
				anchors = append(anchors, n)
				if n >= 1 && n <= len(lines) {
					focus[n] = true
				}
			}
		}
		count := func(rows []int) string {
			return wholeOr(len(lines), rows, fmt.Sprintf("[%d of %d rows; read_file shows the others]", len(rows), len(lines)))
		}
		around := func(rows []int) string {
			if len(rows) == 0 {
				return count(rows)
			}
			return wholeOr(len(lines), rows, fmt.Sprintf("[rows %d-%d of %d, around the change; read_file shows the others]",
				rows[0], rows[len(rows)-1], len(lines)))
		}
		chain := modelDrop(s, lines, modelChain(len(lines)), nil, budget, count)
		preview, live := chain, chain
		if len(focus) > 0 {
			preview = modelDrop(s, lines, modelChoice(len(lines), focus, 3), focus, budget, around)
			live = modelDrop(s, lines, modelChoice(len(lines), focus, 2), focus, budget, count)
		}
		checkView(t, s.Preview(spans, budget), preview)
		checkView(t, s.Live(anchors, budget), live)
		checkView(t, s.Chain(budget), chain)
	}
}

// modelDrop drops rows, context before focus and each from the bottom, until
// the view fits.
func modelDrop(s snapshot.Snapshot, lines []modelLine, rows []int, focus map[int]bool, budget int, footer func([]int) string) modelled {
	for {
		v := newModelled(s, lines, rows, footer(rows))
		if budget <= 0 || len(v.text) <= budget || len(rows) == 0 {
			return v
		}
		drop := len(rows) - 1
		for i, n := range rows {
			if !focus[n] {
				drop = i
			}
		}
		if focus[rows[drop]] {
			drop = len(rows) - 1
		}
		rows = append(append([]int(nil), rows[:drop]...), rows[drop+1:]...)
	}
}
