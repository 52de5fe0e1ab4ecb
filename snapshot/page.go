package snapshot

import (
	"bytes"
	"strconv"

	"github.com/hashline-go/hashline/hashline"
)

func newRow(n int, line []byte) Row {
	head, more := clip(line)
	return Row{n, head, more}
}

// size is the least number of bytes that the row adds to a page.
func (r Row) size() int { return len("\n1:") + len(r.Head) }

// page is a view in the making: the header and the rows added so far, in
// ascending order.
type page struct {
	out     []byte
	lines   int // that were added, with those "…"
	rows    []hashline.Span
	clipped []hashline.Span
}

// newPage begins a page with room for some bytes of rows.
func newPage(header string, room int) *page {
	return &page{out: append(make([]byte, 0, len(header)+room), header...)}
}

// add appends a row, and a row "…" before it where lines are passed over.
func (p *page) add(r Row) {
	p.lines += p.linesFor(r.N)
	if p.leaves(r.N) {
		p.out = append(p.out, "\n…"...)
	}
	p.out = append(p.out, '\n')
	p.out = strconv.AppendInt(p.out, int64(r.N), 10)
	p.out = append(p.out, ':')
	p.out = appendClipped(p.out, r.Head, r.More)
	p.rows = extend(p.rows, r.N)
	if r.More > 0 {
		p.clipped = extend(p.clipped, r.N)
	}
}

// leaves reports whether lines are passed over where row n comes next.
func (p *page) leaves(n int) bool {
	k := len(p.rows)
	return k > 0 && p.rows[k-1].Last+1 < n
}

// linesFor is how many lines the page grows by with row n.
func (p *page) linesFor(n int) int {
	if p.leaves(n) {
		return 2
	}
	return 1
}

// drop removes the last row, and the row "…" before it.
func (p *page) drop() {
	// A row holds no line break.
	p.out = p.out[:bytes.LastIndexByte(p.out, '\n')]
	var n int
	p.rows, n = shrink(p.rows)
	if k := len(p.clipped); k > 0 && p.clipped[k-1].Last == n {
		p.clipped, _ = shrink(p.clipped)
	}
	if k := len(p.rows); k > 0 && p.rows[k-1].Last < n-1 {
		p.out = p.out[:len(p.out)-len("\n…")]
	}
}

// finish gives the view, with footer 6 where rows are clipped, and the given
// footer where it is not empty.
func (p *page) finish(footer string) View {
	return View{Text: string(appendFooters(p.out, p.clipped, footer)), Rows: p.rows, Clipped: p.clipped}
}

// size is the length of the view that finish would give.
func (p *page) size(footer string) int {
	var few [256]byte
	return len(p.out) + len(appendFooters(few[:0], p.clipped, footer))
}

func appendFooters(dst []byte, clipped []hashline.Span, footer string) []byte {
	if len(clipped) == 0 && footer == "" {
		return dst
	}
	dst = append(dst, '\n')
	if len(clipped) > 0 {
		dst = append(dst, "\n[cut rows: "...)
		dst = appendSpans(dst, clipped, ", ")
		dst = append(dst, "; their text is longer than shown]"...)
	}
	if footer != "" {
		dst = append(dst, '\n')
		dst = append(dst, footer...)
	}
	return dst
}
