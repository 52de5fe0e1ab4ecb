package fuzz_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/apply/applytest"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/snapshot"
)

// FuzzApply: operations applied to a text give what the naive model gives, or
// are refused with the faults that it finds; the text in front of the first and
// behind the last operation is there byte for byte; the original is not written
// to. The document is read line by line, and lines that are no operations or
// rows are passed over.
func FuzzApply(f *testing.F) {
	for _, v := range hashlinetest.Vectors(f, "apply") {
		if len(v.Text)+len(v.Doc) < 2000 {
			f.Add(v.Text, string(v.Doc))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, doc string) {
		text, err := snapshot.Decode(data)
		ops := applytest.Ops(doc)
		if err != nil || len(ops) == 0 || len(ops) > 200 || len(data) > 1<<16 {
			t.Skip("no text, or no operations of a useful number")
		}
		original := string(text.Bytes())
		faults := apply.Check(text, ops)
		edit, err := apply.Apply(text, ops)
		require.Equal(t, original, string(text.Bytes()), "the original was written to")
		if !wellFormed(ops) {
			require.NotEmpty(t, faults)
			require.Nil(t, edit)
			return
		}
		want := applytest.Check(original, ops)
		require.Len(t, faults, min(len(want), apply.MaxFaults))
		for i, d := range faults {
			require.Equal(t, want[i].Code, d.Code)
			require.Equal(t, ops[want[i].Op].Pos.Line+1+want[i].Row, d.Pos.Line)
		}
		if len(faults) > 0 {
			require.Nil(t, edit)
			require.ErrorIs(t, err, faults[0].Code)
			return
		}
		require.NoError(t, err)
		got := applytest.Result{
			Text: string(edit.Bytes), Summary: edit.Summary, Focus: edit.Focus, Structural: edit.Structural,
			Added: edit.Added, Removed: edit.Removed,
		}
		if diff := cmp.Diff(applytest.Apply(original, ops), got); diff != "" {
			t.Fatal(diff)
		}
		require.True(t, applytest.Untouched(original, got.Text, ops))
		require.Equal(t, got.Text != original, edit.Changed)
		require.NoError(t, snapshot.CheckUTF8(edit.Bytes), "the result is no text")
	})
}

// wellFormed reports whether the grammar could have made the operations.
func wellFormed(ops []hashline.Op) bool {
	for _, o := range ops {
		if o.Kind != hashline.Append && o.Span.First < 1 || o.Span.Last < o.Span.First && o.Destructive() ||
			(o.Kind == hashline.Delete) != (len(o.Body) == 0) {
			return false
		}
	}
	return true
}
