package fuzz

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/snapshot"
)

// FuzzView: in every kind of view of any text, each row "N:text" is line N of
// the text or its shortened form, "…" stands where lines are passed over and
// nowhere else, Rows and Clipped name the rows as they are shown, and the footer
// counts them right; a view with rows fits its budget, and bounded views have at
// most 40. Bytes that are no text are refused, as are rows that do not exist.
func FuzzView(f *testing.F) {
	for i, v := range hashlinetest.Vectors(f, "view", "chain", "apply") {
		f.Add(v.Text, 1+i%7, 1+i%50, i*13%900, []byte{byte(i), byte(i * 7), byte(i * 31)})
	}
	f.Fuzz(func(t *testing.T, data []byte, offset, limit, budget int, places []byte) {
		text, err := snapshot.Decode(data)
		want, isText := textOf(string(data))
		if isText != (err == nil) {
			t.Fatalf("text is %v, got %v", isText, err)
		}
		if err != nil {
			if !errors.Is(err, hashline.NotText) {
				t.Fatal(err)
			}
			return
		}
		c := viewCheck{t, snapshot.Take("dir/a b.txt", snapshot.XXH64, text), textLines(want), budget}
		total := len(c.lines)

		v, err := c.s.Read(offset, limit, budget)
		if bad := offset < 1 || limit < 1 || offset > max(total, 1); bad != (err != nil) {
			t.Fatalf("offset %d, limit %d of %d lines: %v", offset, limit, total, err)
		}
		if err == nil {
			c.check("Read", v, false)
		}
		// Two places make a span, the second as its length.
		var spans []hashline.Span
		var anchors []int
		bad := len(places) < 2
		for i := 0; i+1 < len(places); i += 2 {
			first := int(places[i]) - 2
			spans = append(spans, hashline.Span{First: first, Last: first + int(places[i+1])%32 - 1})
			anchors = append(anchors, first, int(places[i+1]))
			bad = bad || first < 1 || places[i+1]%32 == 0 || first > max(total, 1)
		}
		v, err = c.s.ReadRanges(spans, budget)
		if bad != (err != nil) {
			t.Fatalf("ranges %v of %d lines: %v", spans, total, err)
		}
		if err == nil {
			c.check("ReadRanges", v, false)
		}
		c.check("Preview", c.s.Preview(spans, budget), true)
		c.check("Live", c.s.Live(anchors, budget), true)
		c.check("Chain", c.s.Chain(budget), true)
	})
}

type viewCheck struct {
	t      *testing.T
	s      snapshot.Snapshot
	lines  []string
	budget int
}

func (c viewCheck) check(kind string, v snapshot.View, bounded bool) {
	c.t.Helper()
	fail := func(format string, args ...any) {
		c.t.Helper()
		c.t.Fatalf("%s: %s\n%q", kind, fmt.Sprintf(format, args...), v.Text)
	}
	parts := strings.Split(v.Text, "\n")
	if parts[0] != c.s.Header() {
		fail("header %q", parts[0])
	}
	var rows, clipped []int
	gap := false
	at := 1
	for ; at < len(parts) && parts[at] != ""; at++ {
		if parts[at] == "…" {
			if gap || len(rows) == 0 {
				fail("a gap with no row before it")
			}
			gap = true
			continue
		}
		number, text, _ := strings.Cut(parts[at], ":")
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(c.lines) {
			fail("row %q", parts[at])
		}
		if want := shortened(c.lines[n-1]); text != want {
			fail("row %d is %q, want %q", n, text, want)
		} else if want != c.lines[n-1] {
			clipped = append(clipped, n)
		}
		if k := len(rows); k > 0 && (n <= rows[k-1] || gap != (n > rows[k-1]+1)) {
			fail("row %d after row %d, with a gap: %v", n, rows[k-1], gap)
		}
		rows = append(rows, n)
		gap = false
	}
	if gap {
		fail("a gap with no row after it")
	}
	if got, want := fmt.Sprint(linesOf(v.Rows)), fmt.Sprint(rows); got != want {
		fail("Rows are %s, shown are %s", got, want)
	}
	if got, want := fmt.Sprint(linesOf(v.Clipped)), fmt.Sprint(clipped); got != want {
		fail("Clipped are %s, shown shortened are %s", got, want)
	}
	if c.budget > 0 && len(rows) > 0 && len(v.Text) > c.budget {
		fail("%d bytes in a budget of %d", len(v.Text), c.budget)
	}
	if bounded && len(rows) > 40 {
		fail("%d rows", len(rows))
	}
	footers := parts[min(at+1, len(parts)):]
	if (len(footers) > 0) != (at < len(parts)) {
		fail("a blank line without a footer")
	}
	if len(clipped) > 0 {
		if len(footers) == 0 || !strings.HasPrefix(footers[0], fmt.Sprintf("[cut rows: %d", clipped[0])) {
			fail("no footer names the cut rows")
		}
		footers = footers[1:]
	}
	if whole := len(rows) == len(c.lines); whole != (len(footers) == 0) || len(footers) > 1 {
		fail("footers %q", footers)
	}
	if len(footers) == 1 && !c.counts(footers[0], rows) {
		fail("the footer %q is wrong for rows %v", footers[0], rows)
	}
}

// counts reports whether a footer tells the truth about the rows.
func (c viewCheck) counts(footer string, rows []int) bool {
	total := len(c.lines)
	if len(rows) == 0 {
		return footer == fmt.Sprintf("[0 of %d rows; read_file shows the others]", total) ||
			strings.HasPrefix(footer, "[row ") && strings.Contains(footer, fmt.Sprintf(" of %d does not fit the output limit", total))
	}
	a, b := rows[0], rows[len(rows)-1]
	plain := fmt.Sprintf("[rows %d-%d of %d", a, b, total)
	switch {
	case footer == fmt.Sprintf("[%d of %d rows; read_file shows the others]", len(rows), total),
		footer == plain+", around the change; read_file shows the others]",
		footer == fmt.Sprintf("%s; next offset %d]", plain, b+1) && len(rows) == b-a+1 && b < total,
		footer == plain+"]" && len(rows) == b-a+1:
		return true
	}
	list, rest, _ := strings.Cut(strings.TrimPrefix(footer, "[rows "), fmt.Sprintf(" of %d", total))
	spans, err := snapshot.ParseRanges(list)
	if err != nil || fmt.Sprint(linesOf(spans)) != fmt.Sprint(rows) {
		return false
	}
	next, cut := strings.CutPrefix(rest, "; next ranges ")
	first, _, _ := strings.Cut(strings.TrimRight(next, "]"), ",")
	left, err := snapshot.ParseRanges(first)
	return rest == "]" || cut && err == nil && left[0].First > b
}

func linesOf(spans []hashline.Span) []int {
	var all []int
	for _, s := range spans {
		for n := s.First; n <= s.Last; n++ {
			all = append(all, n)
		}
	}
	return all
}

func textLines(text string) []string {
	text = strings.TrimPrefix(text, "\uFEFF")
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for i, line := range lines {
		if cut, ok := strings.CutSuffix(line, "\n"); ok {
			lines[i] = strings.TrimSuffix(cut, "\r")
		}
	}
	return lines
}

func shortened(line string) string {
	if runes := []rune(line); len(runes) > 2000 {
		return fmt.Sprintf("%s…[+%d chars]", string(runes[:2000]), len(runes)-2000)
	}
	return line
}
