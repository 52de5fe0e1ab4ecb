package apply_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// bigText is about 10 MB of lines of 30 to 89 bytes.
func bigText(size int) []byte {
	var b bytes.Buffer
	for n := 0; b.Len() < size; n++ {
		fmt.Fprintf(&b, "line %08d %s\n", n, strings.Repeat("x", 15+n*37%60))
	}
	return b.Bytes()
}

// spread makes operations of every kind with a span or an anchor, evenly over
// the lines.
func spread(count, lines int) []hashline.Op {
	ops := make([]hashline.Op, count)
	for i := range ops {
		n := 2 + i*(lines-4)/count
		o := hashline.Op{Span: hashline.Span{First: n, Last: n}, Body: []string{"a new row of some length", "and a second one"}}
		switch i % 4 {
		case 0:
			o.Kind = hashline.Replace
			if lines > 4*count {
				o.Span.Last++
			}
		case 1:
			o.Kind, o.Body = hashline.Delete, nil
		case 2:
			o.Kind = hashline.InsertBefore
		case 3:
			o.Kind = hashline.InsertAfter
		}
		o.Pos = hashline.Position{Line: 2 + 3*i, Column: 1}
		ops[i] = o
	}
	return ops
}

var sink []byte

// BenchmarkApply takes turns with a plain copy of the same bytes and reports
// how many times the copy's time it takes: with the line index given (x-copy),
// and with its making included (x-copy-index). The median of each is compared,
// so that what else the machine does counts little.
func BenchmarkApply(b *testing.B) {
	data := bigText(10_000_000)
	text := snapshot.New(data)
	for _, count := range []int{1, 100, 10_000, 100_000} {
		ops := spread(count, text.Lines())
		b.Run(fmt.Sprintf("ops=%d", count), func(b *testing.B) {
			b.ReportAllocs()
			var plain, spliced, indexed []time.Duration
			splice := func(text *snapshot.Text) {
				edit, err := apply.Apply(text, ops)
				if err != nil {
					b.Fatal(err.(hashline.Diagnostics)[0])
				}
				sink = edit.Bytes
			}
			for b.Loop() {
				plain = append(plain, timed(func() { sink = bytes.Clone(data) }))
				spliced = append(spliced, timed(func() { splice(text) }))
				indexed = append(indexed, timed(func() { splice(snapshot.New(data)) }))
			}
			copied := median(plain)
			b.ReportMetric(copied*1e6, "copy-µs")
			b.ReportMetric(median(spliced)/copied, "x-copy")
			b.ReportMetric(median(indexed)/copied, "x-copy-index")
		})
	}
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

func median(all []time.Duration) (seconds float64) {
	slices.Sort(all)
	return all[len(all)/2].Seconds()
}

// The new text is made in one allocation; what else there is grows with the
// operations, not with the file.
func TestAllocations(t *testing.T) {
	small, large := snapshot.New(bigText(100_000)), snapshot.New(bigText(1_000_000))
	ops := spread(50, small.Lines())
	run := func(text *snapshot.Text) float64 {
		return testing.AllocsPerRun(5, func() {
			edit, err := apply.Apply(text, ops)
			require.NoError(t, err)
			sink = edit.Bytes
		})
	}
	require.Equal(t, run(small), run(large))
	require.LessOrEqual(t, run(small), 150.0)
}
