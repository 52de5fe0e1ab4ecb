package apply_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/apply/applytest"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/snapshot"
)

// edits makes a few operations at random places of a real file; rows are lines
// of the same file.
func edits(r *rand.Rand, lines []applytest.Line) []hashline.Op {
	line := func() string {
		// A line that begins so must not come to the top.
		return strings.TrimPrefix(lines[r.IntN(len(lines))].Text, "\uFEFF")
	}
	var ops []hashline.Op
	step := 1 + len(lines)/(1+r.IntN(8))
	for n := 1 + r.IntN(step); n <= len(lines); n += 1 + r.IntN(step) {
		o := hashline.Op{Kind: hashline.Kind(1 + r.IntN(4)), Span: hashline.Span{First: n, Last: n}}
		if o.Destructive() {
			n = min(len(lines), n+r.IntN(4)*r.IntN(20))
			o.Span.Last = n
		}
		if o.Kind != hashline.Delete {
			for range 1 + r.IntN(4) {
				o.Body = append(o.Body, line())
			}
		}
		ops = append(ops, o)
	}
	if len(ops) == 0 || r.IntN(4) == 0 {
		ops = append(ops, hashline.Op{Kind: hashline.Append, Body: []string{line()}})
	}
	r.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
	applytest.Place(ops)
	return ops
}

// TestGoDistribution edits every text file of the Go distribution's sources in
// memory, and a sample of them with -short.
func TestGoDistribution(t *testing.T) {
	var names []string
	require.NoError(t, filepath.WalkDir(hashlinetest.GoSource(t), func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, name)
		}
		return err
	}))
	require.Greater(t, len(names), 5000)
	step := 6 // a sixth of them, which all tests together have the time for
	if testing.Short() {
		step = 20
	}
	r := rand.New(rand.NewPCG(5, 6))
	edited, refused, numbered := 0, 0, 0
	for i := 0; i < len(names); i += step {
		data, err := os.ReadFile(names[i])
		require.NoError(t, err)
		text, err := snapshot.Decode(data)
		if err != nil || text.Lines() == 0 {
			continue
		}
		_, lines := applytest.Lines(string(data))
		ops := edits(r, lines)
		edit, err := apply.Apply(text, ops)
		if err != nil {
			// Rows of such a file may end in a carriage return.
			require.ErrorIs(t, err, hashline.BadBody, names[i])
			refused++
			continue
		}
		want := applytest.Apply(string(data), ops)
		if string(edit.Bytes) != want.Text || !cmp.Equal(edit.Focus, want.Focus) || edit.Summary != want.Summary {
			t.Fatalf("%s: %v: %s", names[i], ops, cmp.Diff(want, resultOf(edit)))
		}
		require.True(t, applytest.Untouched(string(data), string(edit.Bytes), ops), names[i])
		for _, w := range edit.Warnings {
			if w.Code == hashline.NumberedRow {
				numbered++
			}
		}
		edited++
	}
	t.Logf("%d files edited, %d refused, %d rows with numbers", edited, refused, numbered)
	require.LessOrEqual(t, numbered, edited/1000, "rows that are taken for pasted ones")
	require.Greater(t, edited*step, 5000)
	require.Less(t, refused, 1+edited/100)
}
