package snapshot

import (
	"fmt"

	"github.com/hashline-go/hashline/hashline"
)

const (
	previewContext = 3
	liveContext    = 2
	chainHead      = 28
	chainTail      = 8
)

// Preview shows the rows that an edit touched, given as spans of this snapshot,
// the one after the edit, in any order, with 3 rows of context each side and at
// most 40 rows in all (spec 4, footer 3). For a cut the rows above and below the
// place it left are to be given. Lines out of range are passed over; where no
// line is left it is [Snapshot.Chain]. Where the budget is short, context rows
// are dropped before focus rows, from the bottom; a view without rows has
// footer 5.
func (s Snapshot) Preview(focus []hashline.Span, budget int) View {
	total := s.Text.Lines()
	focus = merge(focus, total)
	if len(focus) == 0 {
		return s.Chain(budget)
	}
	return s.bounded(choose(hunksOf(focus, previewContext, total)), budget, func(rows []hashline.Span) string {
		if len(rows) == 0 {
			return s.countFooter(rows)
		}
		return fmt.Sprintf("[rows %d-%d of %d, around the change; read_file shows the others]",
			rows[0].First, rows[len(rows)-1].Last, total)
	})
}

// Live shows the rows around the anchors of an edit that failed, given in any
// order, with 2 rows of context each side and at most 40 rows in all (spec 4,
// footer 5). Anchors out of range are passed over; where none is left it is
// [Snapshot.Chain]. Rows are dropped for the budget as in [Snapshot.Preview].
func (s Snapshot) Live(anchors []int, budget int) View {
	total := s.Text.Lines()
	spans := make([]hashline.Span, len(anchors))
	for i, n := range anchors {
		spans[i] = hashline.Span{First: n, Last: n}
	}
	focus := merge(spans, total)
	if len(focus) == 0 {
		return s.Chain(budget)
	}
	return s.bounded(choose(hunksOf(focus, liveContext, total)), budget, s.countFooter)
}

// Chain shows the first 28 and the last 8 rows of the file (spec 4, footer 5),
// without those from the bottom that the budget has no place for.
func (s Snapshot) Chain(budget int) View {
	total := s.Text.Lines()
	var picks []pick
	for n := 1; n <= min(total, chainHead); n++ {
		picks = append(picks, pick{n: n})
	}
	for n := max(chainHead, total-chainTail) + 1; n <= total; n++ {
		picks = append(picks, pick{n: n})
	}
	return s.bounded(picks, budget, s.countFooter)
}

func (s Snapshot) countFooter(rows []hashline.Span) string {
	return fmt.Sprintf("[%d of %d rows; read_file shows the others]", count(rows), s.Text.Lines())
}

// bounded shows the picked rows, without those that the budget has no place
// for. The footer is asked for with the rows that are shown, unless they are the
// whole file.
func (s Snapshot) bounded(picks []pick, budget int, footer func(rows []hashline.Span) string) View {
	rows := make([]Row, len(picks))
	room := 256
	for i, p := range picks {
		rows[i] = s.Text.Row(p.n)
		room += rows[i].size() + 16
	}
	for {
		p := newPage(s.Header(), room)
		for _, r := range rows {
			p.add(r)
		}
		foot := ""
		if !s.whole(p.rows) {
			foot = footer(p.rows)
		}
		if budget <= 0 || len(rows) == 0 || p.size(foot) <= budget {
			return p.finish(foot)
		}
		i := spare(picks)
		picks = append(picks[:i], picks[i+1:]...)
		rows = append(rows[:i], rows[i+1:]...)
	}
}

// spare gives the index of the row that can best be done without.
func spare(picks []pick) int {
	for i := len(picks) - 1; i >= 0; i-- {
		if !picks[i].focus {
			return i
		}
	}
	return len(picks) - 1
}
