package snapshot_test

import (
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

func TestClip(t *testing.T) {
	for name, c := range map[string]struct{ line, want string }{
		"empty":            {"", ""},
		"2,000 bytes":      {strings.Repeat("x", 2000), strings.Repeat("x", 2000)},
		"2,000 characters": {strings.Repeat("😀", 2000), strings.Repeat("😀", 2000)},
		"2,001 bytes":      {strings.Repeat("x", 2001), strings.Repeat("x", 2000) + "…[+1 chars]"},
		"2,010 characters": {strings.Repeat("é", 2010), strings.Repeat("é", 2000) + "…[+10 chars]"},
		"clipped already":  {strings.Repeat("x", 2000) + "…[+1 chars]", strings.Repeat("x", 2000) + "…[+11 chars]"},
		"no utf-8":         {strings.Repeat("\xff", 2001), strings.Repeat("\xff", 2000) + "…[+1 chars]"},
	} {
		t.Run(name, func(t *testing.T) {
			got, clipped := snapshot.Clip([]byte(c.line))
			require.Equal(t, c.want, got)
			require.Equal(t, c.want != c.line, clipped)
		})
	}
}

// TestViewsAreCheap shows rows of huge files. What a view allocates grows with
// what is shown and asked for: converting a 50 MB line to anything would take
// more than is allowed here.
func TestViewsAreCheap(t *testing.T) {
	const size = 50 << 20
	line := snapshot.New([]byte(strings.Repeat("é", size/2)))
	blanks := snapshot.New([]byte(strings.Repeat("\n", 10_000_000)))
	var many []hashline.Span
	var anchors []int
	for n := 1; n < 200_000; n += 2 {
		many = append(many, hashline.Span{First: n, Last: n})
		anchors = append(anchors, n)
	}
	for name, c := range map[string]struct {
		text *snapshot.Text
		want string
		view func(s snapshot.Snapshot) (snapshot.View, error)
	}{
		"read a long line":    {line, "…[+26212400 chars]", func(s snapshot.Snapshot) (snapshot.View, error) { return s.Read(1, math.MaxInt, 0) }},
		"read it in no space": {line, "[row 1 of 1 does not", func(s snapshot.Snapshot) (snapshot.View, error) { return s.Read(1, math.MaxInt, 100) }},
		"preview of a long line": {line, "[cut rows: 1;", func(s snapshot.Snapshot) (snapshot.View, error) {
			return s.Preview([]hashline.Span{{First: 1, Last: 1}}, 0), nil
		}},
		"read empty lines":      {blanks, "of 10000000; next offset ", func(s snapshot.Snapshot) (snapshot.View, error) { return s.Read(1, math.MaxInt, 48<<10) }},
		"read the last of them": {blanks, "[rows 9999999-10000000 of 10000000]", func(s snapshot.Snapshot) (snapshot.View, error) { return s.Read(9_999_999, 99, 48<<10) }},
		"ranges of empty lines": {blanks, "; next ranges ", func(s snapshot.Snapshot) (snapshot.View, error) { return s.ReadRanges(many[:1000], 9<<10) }},
		"ranges without end": {blanks, "; next ranges ", func(s snapshot.Snapshot) (snapshot.View, error) {
			return s.ReadRanges([]hashline.Span{{First: 2, Last: math.MaxInt}}, 48<<10)
		}},
		"preview of empty lines": {blanks, "[rows 1-40 of 10000000, ", func(s snapshot.Snapshot) (snapshot.View, error) {
			return s.Preview([]hashline.Span{{First: math.MinInt, Last: math.MaxInt}}, 0), nil
		}},
		"preview of many spans": {blanks, "[rows 1-79 of 10000000, ", func(s snapshot.Snapshot) (snapshot.View, error) { return s.Preview(many, 0), nil }},
		"live snapshot of many": {blanks, "[40 of 10000000 rows", func(s snapshot.Snapshot) (snapshot.View, error) { return s.Live(anchors, 0), nil }},
		"chain of empty lines":  {blanks, "[36 of 10000000 rows", func(s snapshot.Snapshot) (snapshot.View, error) { return s.Chain(0), nil }},
		"anchors out of the number": {blanks, "[36 of 10000000 rows", func(s snapshot.Snapshot) (snapshot.View, error) {
			return s.Live([]int{math.MinInt, math.MaxInt}, 0), nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			v, err := c.view(snapshot.Snapshot{Path: "a", Text: c.text})
			runtime.ReadMemStats(&after)
			require.NoError(t, err)
			require.Contains(t, v.Text, c.want)
			require.LessOrEqual(t, len(v.Text), 48<<10)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(32<<20))
			require.Less(t, time.Since(start), time.Minute)
		})
	}
}

// TestViewAllocations bounds what views allocate. They grow with what is shown,
// not with the file.
func TestViewAllocations(t *testing.T) {
	s := take(rowsText(100_000))
	focus, anchors := []hashline.Span{{First: 500, Last: 520}}, []int{500, 520}
	for name, c := range map[string]struct {
		most float64
		view func()
	}{
		"Read":    {20, func() { _, _ = s.Read(500, 2000, 0) }},
		"Preview": {30, func() { s.Preview(focus, 48<<10) }},
		"Live":    {30, func() { s.Live(anchors, 48<<10) }},
		"Chain":   {25, func() { s.Chain(48 << 10) }},
	} {
		if n := testing.AllocsPerRun(20, c.view); n > c.most {
			t.Errorf("%s: %v allocations, more than %v", name, n, c.most)
		} else {
			t.Logf("%s: %v allocations", name, n)
		}
	}
	if n := testing.AllocsPerRun(20, func() { snapshot.New(s.Text.Bytes()) }); n > 2 {
		t.Errorf("New: %v allocations", n)
	}
}
