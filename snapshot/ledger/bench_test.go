package ledger_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// BenchmarkShown compares what a read of 10,000 lines costs: rendering it, and
// recording it, with and without computing its identity.
func BenchmarkShown(b *testing.B) {
	var lines []string
	for i := range 10000 {
		lines = append(lines, fmt.Sprintf("\tif err := step(%d); err != nil { // as good a line as any", i))
	}
	t := snapshot.New([]byte(strings.Join(lines, "\n")))
	v := ledger.VersionOf(snapshot.XXH64, t)
	s := snapshot.Snapshot{Path: "f", Tag: v.Tag, Text: t}
	all := rows(1, 10000)
	var apart []hashline.Span
	for n := 1; n <= 10000; n += 10 {
		apart = append(apart, hashline.Span{First: n, Last: n})
	}
	l := ledger.New(nil)
	for _, f := range []struct {
		name string
		do   func()
	}{
		{"render", func() { _, _ = s.Read(1, math.MaxInt, 0) }},
		{"record", func() { l.Shown("f", v, all, noon) }},
		{"record-new", func() { ledger.New(nil).Shown("f", v, all, noon) }},
		{"identify-and-record", func() { l.Shown("f", ledger.VersionOf(snapshot.XXH64, snapshot.New(t.Bytes())), all, noon) }},
		{"record-1000-apart", func() { l.Shown("f", v, apart, noon) }},
		{"judge", func() { l.Judge("f", v.Tag, v, cut(1, 9999)) }},
	} {
		b.Run("do="+f.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f.do()
			}
		})
	}
}

// BenchmarkOutside is what an outside change of a large file costs, and a
// corrected document.
func BenchmarkOutside(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		old := numbered(n)
		now, _ := replaced(old, n/2, n/2, "x", "y")
		v0, v1 := of(old), of(now)
		doc := &hashline.Document{Sections: []hashline.Section{{Path: "f", Tag: v0.Tag, Ops: cut(n-5, n-3)}}}
		b.Run(fmt.Sprintf("lines=%d/do=diff", n), func(b *testing.B) {
			for b.Loop() {
				l := ledger.New(nil)
				l.Shown("f", v0, rows(1, n), noon)
				l.Observe("f", v1)
			}
		})
		b.Run(fmt.Sprintf("lines=%d/do=correct", n), func(b *testing.B) {
			l := ledger.New(nil)
			l.Shown("f", v0, rows(1, n), noon)
			for b.Loop() {
				l.Correct(doc, []ledger.Live{{Path: "f", Version: v1}})
			}
		})
		b.Run(fmt.Sprintf("lines=%d/do=tag", n), func(b *testing.B) {
			for b.Loop() {
				snapshot.XXH64.Tag(v1.Text.Bytes())
			}
		})
	}
}
