package workspace

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

// A commit that could not put everything back is a failure of the system whatever
// its cause was, since a refusal says that nothing was changed; the file is shown as
// it is, once.
func TestTornCommit(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	pl, err := d.resolve("f")
	require.NoError(t, err)
	targets := []*target{{place: pl, section: &hashline.Section{Path: "f", Ops: []hashline.Op{{Kind: hashline.Delete, Span: hashline.Span{First: 5, Last: 5}}}}}}
	why := &hashline.Diagnostic{Code: hashline.ChangedDuringEdit, Path: "f", Msg: "its bytes changed"}
	left := &hashline.Diagnostic{Code: hashline.ChangedDuringEdit, Path: "f", Msg: "it holds what came of that", Hint: "hashline show 1 --before f prints it"}
	err = d.refuseCommit(targets, &commit.Torn{Faults: hashline.Diagnostics{why, left}})
	var r *Refusal
	require.True(t, errors.As(err, &r))
	require.Equal(t, hashline.IO, r.Code())
	require.NotContains(t, r.Content, "nothing was written")
	require.True(t, strings.HasPrefix(r.Content, `edit failed in the middle, and not all could be put back
io: the commit failed in the middle; look at each file named here before you go on
f: changed_during_edit: its bytes changed
f: changed_during_edit: it holds what came of that; hashline show 1 --before f prints it

Live snapshot to retry from:
[f#`+d.tag()+`]
3:three
`), r.Content)
	require.Equal(t, 1, strings.Count(r.Content, "5:five"))
	for _, f := range r.Faults[1:] {
		require.Equal(t, d.tag(), f.Live.String())
	}
}
