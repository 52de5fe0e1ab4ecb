package search

import (
	"strconv"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// Shown says which lines of a file a text has shown, for a session's ledger.
type Shown struct {
	Path  string
	Tag   hashline.Tag
	Lines []hashline.Span
}

// Render gives the text for the agent (spec 8), without a line break at its
// end, and the lines it shows. It has at most budget bytes, 0 for no limit:
// rows that do not fit are left out from the end, and the last line says how
// many matches are shown. That line is never left out, however small the
// budget.
func (r *Result) Render(budget int) (string, []Shown) {
	w := &writer{result: r, budget: budget}
	w.reserve = len("\n\n") + len(r.lastLine(r.Matches, true))
	if r.Mode == Content {
		for i := range r.Files {
			if !w.file(&r.Files[i]) {
				break
			}
		}
	} else {
		for i := range r.Files {
			if !w.path(&r.Files[i]) {
				break
			}
		}
	}
	if w.text.Len() > 0 {
		w.text.WriteString("\n\n")
	}
	w.text.WriteString(r.lastLine(w.matches, w.matches < r.Matches))
	return w.text.String(), w.shown
}

// lastLine sums up the search.
func (r *Result) lastLine(shown int, cut bool) string {
	var b strings.Builder
	b.WriteByte('[')
	if cut {
		b.WriteString(strconv.Itoa(shown) + " of ")
	}
	b.WriteString(strconv.Itoa(r.Matches) + " matches in " + strconv.Itoa(r.Matched) + " files")
	if cut {
		b.WriteString("; narrow the pattern, path or glob")
	}
	if r.Stopped != "" {
		b.WriteString("; stopped after " + r.Stopped + ", not everything was searched")
	}
	if skipped := r.Skipped.text(r.Matches == 0); skipped != "" {
		b.WriteString("; skipped: " + skipped)
	}
	b.WriteByte(']')
	return b.String()
}

// text lists the reasons that apply. Hidden and ignored entries are everywhere
// and of interest only to one who found nothing.
func (s *Skipped) text(nothing bool) string {
	var list []string
	add := func(n int, what string) {
		if n > 0 {
			list = append(list, strconv.Itoa(n)+" "+what)
		}
	}
	add(s.Binary, "binary")
	add(s.TooLarge, "too large")
	add(s.NotUTF8, "not UTF-8")
	add(s.BadName, "bad name")
	add(s.Unreadable, "unreadable")
	add(s.TooDeep, "too deep")
	if nothing {
		add(s.Hidden, "hidden")
		add(s.Ignored, "ignored")
	}
	return strings.Join(list, ", ")
}

// A writer fills a text up to its budget.
type writer struct {
	result  *Result
	budget  int
	reserve int
	text    strings.Builder
	matches int
	shown   []Shown
}

// fits reports whether n more bytes leave room for the last line.
func (w *writer) fits(n int) bool {
	return w.budget <= 0 || w.text.Len()+n+w.reserve <= w.budget
}

// path writes a file's line in the modes that show no rows.
func (w *writer) path(f *File) bool {
	line := f.Path
	if w.result.Mode == Count {
		line += ": " + strconv.Itoa(f.Matches)
	}
	if w.text.Len() > 0 {
		line = "\n" + line
	}
	if !w.fits(len(line)) {
		return false
	}
	w.text.WriteString(line)
	w.matches += f.Matches
	return true
}

// file writes a file's header and rows, and reports whether all of it fitted.
func (w *writer) file(f *File) bool {
	head := hashline.Header(f.Path, f.Tag)
	if w.text.Len() > 0 {
		head = "\n\n" + head
	}
	room := len(more(f.Matches))
	seen := Shown{Path: f.Path, Tag: f.Tag}
	matches, complete := 0, true
	for rows := f.Rows; len(rows) > 0; {
		var unit []Row
		unit, rows = w.next(rows, seen.Lines)
		text := w.rows(unit, seen.Lines)
		if !w.fits(len(head) + len(text) + room) {
			complete = false
			break
		}
		w.text.WriteString(head)
		w.text.WriteString(text)
		head = ""
		for _, row := range unit {
			seen.Lines = appendLine(seen.Lines, row.Line)
			if row.Match {
				matches++
			}
		}
	}
	if matches == 0 {
		return complete
	}
	if left := f.Matches - matches; left > 0 {
		w.text.WriteString(more(left))
	}
	w.matches += matches
	w.shown = append(w.shown, seen)
	return complete
}

func more(n int) string { return "\n... +" + strconv.Itoa(n) + " more in this file" }

// next takes the rows that are shown together or not at all: a match with the
// context before it, or one row of the context after one.
func (w *writer) next(rows []Row, seen []hashline.Span) (unit, rest []Row) {
	follows := 0
	if len(seen) > 0 {
		follows = seen[len(seen)-1].Last + 1
	}
	if !rows[0].Match && rows[0].Line == follows && !w.leads(rows) {
		return rows[:1], rows[1:]
	}
	n := 0
	for n < len(rows)-1 && !rows[n].Match {
		n++
	}
	return rows[:n+1], rows[n+1:]
}

// leads reports whether the first row is context of the next match and not only
// of the one before.
func (w *writer) leads(rows []Row) bool {
	for _, row := range rows {
		if row.Match {
			return rows[0].Line >= row.Line-w.result.context
		}
	}
	return false
}

func (w *writer) rows(rows []Row, seen []hashline.Span) string {
	var b strings.Builder
	for _, row := range rows {
		if len(seen) > 0 && row.Line != seen[len(seen)-1].Last+1 && w.result.context > 0 {
			b.WriteString("\n--")
		}
		seen = []hashline.Span{{First: row.Line, Last: row.Line}}
		mark := " - "
		if row.Match {
			mark = " | "
		}
		b.WriteString("\n" + strconv.Itoa(row.Line) + mark + row.Text)
	}
	return b.String()
}

func appendLine(spans []hashline.Span, n int) []hashline.Span {
	if k := len(spans); k > 0 && spans[k-1].Last+1 == n {
		spans[k-1].Last = n
		return spans
	}
	return append(spans, hashline.Span{First: n, Last: n})
}
