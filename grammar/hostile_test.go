package grammar_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

// fill repeats a text up to nearly a megabyte.
func fill(head, unit string) string {
	return head + strings.Repeat(unit, (7<<17-len(head))/len(unit))
}

// TestHostile: whatever the text, both readings end soon and hold little
// memory. The bounds are wide, since the machine may be busy; what they are
// there to catch is time that grows with the square of the size.
func TestHostile(t *testing.T) {
	const header = "[a#0000]\n"
	for _, c := range []struct {
		name, doc string
		code      hashline.Code // of one of the faults, "" for none
	}{
		{"100 MB", strings.Repeat("x", 100<<20), hashline.TooLarge},
		{"sections", fill("", header), hashline.TooLarge},
		{"sections with operations", fill("", header+"CUT 1\n"), hashline.TooLarge},
		{"bad sections", fill("", "[a#]\n"), hashline.BadTag},
		{"bad sections with operations", fill("", "[a#]\nCUT 0\n"), hashline.BadTag},
		{"operations", fill(header, "CUT 1\n"), hashline.TooLarge},
		{"operations after faults", fill(header+strings.Repeat("CUT 0\n", 9), "CUT 1\n"), hashline.TooLarge},
		{"operations between faults", fill(header, "CUT 1\nCUT 0\n"), hashline.ZeroLine},
		{"bodies", fill(header, "PUT 1:\n+\n"), hashline.TooLarge},
		{"rows", fill(header+"PUT 1:\n", "+\n"), ""},
		{"blank lines", fill(header+"CUT 1\n", "\n"), ""},
		{"blank lines only", fill("", "\r\n"), hashline.EmptyDocument},
		{"faulty lines", fill(header, "x\n"), hashline.UnknownLine},
		{"faulty lines between rows", fill(header+"PUT 1:\n", "x\n+y\n"), hashline.MissingPlus},
		{"minus rows", fill(header+"PUT 1:\n", "-\n+y\n\n"), hashline.MinusRow},
		{"rows after blank lines", fill(header+"PUT 1:\n", "\n+\n"), hashline.BlankBeforeRow},
		{"rows without a section", fill("", "+\n\n"), hashline.OutsideSection},
		{"fences", fill(header, "```\n"), hashline.UnknownLine},
		{"fences and text", fill(header, "```\nx\n"), hashline.UnknownLine},
		{"fences outside", fill("", "```\n~~~\n"), hashline.UnknownLine},
		{"patch lines", fill("", "*** Begin Patch\n"), hashline.Truncated},
		{"diff", fill("", "@@ -1 +1 @@\n-a\n+b\n"), hashline.UnknownLine},
		{"diffs in sections", fill("", header+"@@\n"), hashline.UnknownLine},
		{"a long number", fill(header+"CUT ", "9"), ""},
		{"a long zero", fill(header+"CUT ", "0"), hashline.ZeroLine},
		{"a long reversed span", header + "CUT " + strings.Repeat("9", 1<<20) + "-" + strings.Repeat("0", 1<<20) + "1", hashline.ReversedSpan},
		{"numbers", fill(header+"CUT ", "1 "), hashline.TrailingText},
		{"colons", fill(header+"PUT 1", ":"), hashline.TrailingText},
		{"blanks", fill(header+"PUT", " "), hashline.BadSpan},
		{"a long fence", fill("", "`"), hashline.Truncated},
		{"a long header", fill("[", "#"), hashline.BadHeader},
		{"a long keyword", fill(header, "PUT"), hashline.UnknownLine},
		{"byte-order marks", fill(header, "\uFEFF"), hashline.UnknownLine},
		{"one row", fill(header+"PUT 1:\n+", "x"), ""},
		{"carriage returns", fill(header+"PUT 1:\n+x", "\r"), ""},
		{"NULs", fill("", "\x00"), hashline.UnknownLine},
		{"lines of hashes", fill(header+"PUT 1:\n+\n", strings.Repeat("[#", 490)+"\n"), hashline.MissingPlus},
		{"lines of headers", fill(header+"PUT 1:\n+\n", "x"+strings.Repeat("[a#000]", 140)+"\n"), hashline.MissingPlus},
		{"lines of dress", fill(header+"PUT 1:\n+\n", "x"+strings.Repeat("1:`- ", 190)+"\n"), hashline.MissingPlus},
		{"lines of numbers", fill(header, strings.Repeat("1:", 490)+"\n"), hashline.ViewRow},
		{"places of words", fill(header, "PUT "+strings.Repeat("line ", 190)+"\n"), hashline.BadSpan},
		{"places in lists", fill(header, "CUT "+strings.Repeat("1,", 480)+"\n"), hashline.TrailingText},
		{"a long list", fill(header+"CUT ", "1,"), hashline.TrailingText},
		{"escaped line breaks", fill(header, `CUT 1\n`), hashline.TrailingText},
		{"lines of escaped line breaks", fill(header, strings.Repeat(`CUT 1\n`, 140)+"\n"), hashline.TrailingText},
		{"wide letters", fill(header, strings.Repeat("\uFF21", 330)+"\n"), hashline.UnknownLine},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, err := grammar.Parse(c.doc)
			strict := time.Since(start)
			runtime.ReadMemStats(&after)
			_, complete := grammar.ParsePrefix(c.doc)
			both := time.Since(start)
			if c.code == "" {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, c.code)
				require.LessOrEqual(t, len(err.(hashline.Diagnostics)), grammar.MaxFaults)
				require.Less(t, len(err.Error()), 10_000)
			}
			require.Equal(t, err == nil, complete)
			require.Less(t, both, time.Minute)
			allocated := (after.TotalAlloc - before.TotalAlloc) >> 20
			require.Less(t, allocated, uint64(1024), "MiB allocated")
			t.Logf("strict %v, both %v, %d MiB allocated", strict.Round(time.Millisecond), both.Round(time.Millisecond), allocated)
		})
	}
}

// TestParallel: parsers may run side by side, the first use included.
func TestParallel(t *testing.T) {
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				if _, err := grammar.Parse(bodies(3, 2, 10)); err != nil {
					t.Error(err)
				}
				if _, err := grammar.Parse("[a#0000]\nCUT 0\n"); !isCode(err, hashline.ZeroLine) {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}
