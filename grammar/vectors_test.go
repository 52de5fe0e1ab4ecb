package grammar_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

// TestVectors runs the recorded cases of the kind "parse".
func TestVectors(t *testing.T) {
	for _, v := range hashlinetest.Vectors(t, "parse") {
		t.Run(v.ID, func(t *testing.T) {
			doc, err := grammar.Parse(string(v.Doc))
			require.NotNil(t, doc)
			if !v.Expect.OK {
				require.ErrorIs(t, err, v.Expect.Code, "%s: %q", v.Note, v.Doc)
				return
			}
			require.NoError(t, err, "%s: %q", v.Note, v.Doc)
			if diff := cmp.Diff(v.Expect.Sections, hashlinetest.Sections(doc), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%q: sections (-want +got):\n%s", v.Doc, diff)
			}
			if got := len(hashline.DuplicatePaths(doc)) > 0; got != v.Expect.DuplicatePath {
				t.Errorf("duplicate path: %v, want %v", got, v.Expect.DuplicatePath)
			}
		})
	}
}
