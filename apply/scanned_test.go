package apply_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// agreeScanned applies operations to a text that is scanned, not held, and
// requires all that is made of the same text in memory: faults with their words,
// warnings, the new bytes, and every view of the new text.
func agreeScanned(t *testing.T, text string, ops []hashline.Op) {
	t.Helper()
	r := strings.NewReader(text)
	s := snapshot.NewScan(snapshot.XXH64, 1<<(len(text)%9))
	_, err := s.Write([]byte(text))
	require.NoError(t, err)
	far, err := s.Text(r)
	require.NoError(t, err)
	near := snapshot.New([]byte(text))

	require.Empty(t, cmp.Diff(apply.Check(near, ops), apply.Check(far, ops)), "%q %v", text, ops)
	want, wantErr := apply.Apply(near, ops)
	got, gotErr := apply.Apply(far, ops)
	require.Empty(t, cmp.Diff(wantErr, gotErr))
	require.NoError(t, far.Err())
	if wantErr != nil {
		return
	}
	require.Empty(t, cmp.Diff(want, got, cmpopts.IgnoreFields(apply.Edit{}, "Bytes")), "%q %v", text, ops)
	if !want.Changed {
		return
	}
	after, spliced := near.With(want.Bytes), far.Splice(got.Parts)
	require.Equal(t, string(want.Bytes), string(spliced.Slice(0, spliced.Size())))
	require.Equal(t, after.Lines(), spliced.Lines(), "%q %v", text, ops)
	require.Equal(t, after.Mark(), spliced.Mark())
	a := snapshot.Take("f", snapshot.XXH64, after)
	b := snapshot.Snapshot{Path: "f", Tag: a.Tag, Text: spliced}
	require.Empty(t, cmp.Diff(a.Preview(want.Focus, 0), b.Preview(got.Focus, 0)), "%q %v", text, ops)
	for n := 1; n <= after.Lines(); n++ {
		require.Equal(t, after.Start(n), spliced.Start(n), "%d %q %v", n, text, ops)
		require.Equal(t, string(after.Line(n)), string(spliced.Line(n)))
	}
}
