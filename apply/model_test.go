package apply_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/apply/applytest"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// faultsOf gives diagnostics in the model's form. The operations have the
// positions of [applytest.Place].
func faultsOf(ops []hashline.Op, ds hashline.Diagnostics) []applytest.Fault {
	index := map[int]int{}
	for i, o := range ops {
		index[o.Pos.Line] = i
	}
	var all []applytest.Fault
	for _, d := range ds {
		f := applytest.Fault{Code: d.Code, Row: -1, Other: -1}
		line := d.Pos.Line
		if d.Pos.Column == 2 {
			for ; index[line] == 0 && line != ops[0].Pos.Line; line-- {
				f.Row++
			}
		}
		f.Op = index[line]
		if d.Related.IsValid() {
			f.Other = index[d.Related.Line]
		}
		all = append(all, f)
	}
	return all
}

func resultOf(e *apply.Edit) applytest.Result {
	return applytest.Result{
		Text: string(e.Bytes), Summary: e.Summary, Focus: e.Focus, Structural: e.Structural,
		Added: e.Added, Removed: e.Removed,
	}
}

// agree checks and applies operations, and requires what the model says. It
// gives the code of the first fault, or "".
func agree(t *testing.T, text string, ops []hashline.Op) hashline.Code {
	t.Helper()
	data := []byte(text)
	snap := snapshot.New(data)
	faults := apply.Check(snap, ops)
	if len(text)%3 == 0 {
		agreeScanned(t, text, ops)
	}
	require.Empty(t, cmp.Diff(applytest.Check(text, ops), faultsOf(ops, faults)), "%q %v", text, ops)
	edit, err := apply.Apply(snap, ops)
	require.Equal(t, text, string(data), "the original was written to")
	if len(faults) > 0 {
		require.Nil(t, edit)
		require.Empty(t, cmp.Diff(faults, err))
		return faults[0].Code
	}
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(applytest.Apply(text, ops), resultOf(edit)), "%q %+v", text, ops)
	require.True(t, applytest.Untouched(text, string(edit.Bytes), ops))
	require.Equal(t, string(edit.Bytes) != text, edit.Changed)
	require.LessOrEqual(t, cap(edit.Bytes), max(len(edit.Bytes), cap(data)))
	if !edit.Changed && len(data) > 0 {
		require.Same(t, &data[0], &edit.Bytes[0])
	}
	return ""
}

func TestAgreesWithTheModel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	seen := map[hashline.Code]int{}
	for range 6_000 {
		text := applytest.Text(r)
		seen[agree(t, text, applytest.Valid(r, text))]++
		seen[agree(t, text, applytest.Any(r, text))]++
	}
	t.Log(seen)
	require.Greater(t, seen[""], 4_000)
	for _, c := range []hashline.Code{hashline.OutOfRange, hashline.Overlap, hashline.AnchorInside, hashline.PastedRow, hashline.BadBody} {
		require.Greater(t, seen[c], 75, c)
	}
}
