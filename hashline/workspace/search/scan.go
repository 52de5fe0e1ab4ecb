package search

import (
	"bytes"

	"github.com/hashline-go/hashline/snapshot"
)

// A scanner looks for a pattern in one text after another. It belongs to one
// goroutine.
type scanner struct {
	plan    *plan
	stopped func() bool
	// steps counts the work since the clock was last looked at.
	steps int
	// halted is set once stopped has said so.
	halted  bool
	scratch []byte
}

// scan counts the matching lines of a text and gives the rows to show for the
// first keep of them.
func (s *scanner) scan(text *snapshot.Text, keep int) (rows []Row, matches int) {
	var w rowWriter
	s.lines(text, func(n int, line []byte, start, end int) {
		matches++
		switch {
		case matches <= keep:
			w.add(text, s.plan.Context, n, preview(line, start, end))
		case matches == keep+1:
			// A line that matches is never shown as if it did not.
			w.until(n)
		}
	})
	w.finish(text, s.plan.Context)
	return w.rows, matches
}

// lines calls found for each matching line, with its number, its text and the
// place of the first match in it.
func (s *scanner) lines(text *snapshot.Text, found func(n int, line []byte, start, end int)) {
	data := text.Bytes()
	p := s.plan.pattern
	f, narrowed := p.needles.in(data, &s.scratch)
	at, n := text.Mark(), 1
	for at < len(data) {
		if narrowed {
			next := f.from(at)
			if next < 0 {
				return
			}
			if begin := bytes.LastIndexByte(data[at:next], '\n') + 1; begin > 0 {
				n += bytes.Count(data[at:at+begin], []byte{'\n'})
				at += begin
			}
		}
		line, after := data[at:], len(data)
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			after = at + i + 1
			line = bytes.TrimSuffix(line[:i], []byte{'\r'})
		}
		start, end, ok := p.find(line, s.stopped)
		if s.halt(len(line)) {
			return
		}
		if ok {
			found(n, line, start, end)
		}
		at, n = after, n+1
	}
}

// halt reports whether it is time to stop, after a line of so many bytes.
func (s *scanner) halt(size int) bool {
	s.steps += (size + 1) * s.plan.pattern.size
	if s.steps >= maxSteps {
		s.steps = 0
		s.halted = s.halted || s.stopped()
	}
	return s.halted
}

// A rowWriter collects matches and the lines around them.
type rowWriter struct {
	rows []Row
	// last is the last match, 0 before the first; limit is the line that rows
	// must not reach, 0 for none.
	last, limit int
}

func (w *rowWriter) until(n int) { w.limit = n }

// add appends match n after the context since the match before.
func (w *rowWriter) add(text *snapshot.Text, context, n int, row string) {
	if context > 0 {
		after := w.last
		if w.last > 0 {
			after = min(w.last+context, n-1)
			w.context(text, w.last+1, after)
		}
		w.context(text, max(after+1, n-context), n-1)
	}
	w.rows = append(w.rows, Row{Line: n, Match: true, Text: row})
	w.last = n
}

// finish appends the context after the last match.
func (w *rowWriter) finish(text *snapshot.Text, context int) {
	if w.last == 0 || context == 0 {
		return
	}
	end := w.last + context
	if w.limit > 0 {
		end = min(end, w.limit-1)
	}
	w.context(text, w.last+1, end)
}

func (w *rowWriter) context(text *snapshot.Text, first, last int) {
	if first > last {
		return
	}
	text.Rows(first, last)(func(n int, line []byte) bool {
		w.rows = append(w.rows, Row{Line: n, Text: preview(line, 0, 0)})
		return true
	})
}
