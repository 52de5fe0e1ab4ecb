package workspace

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

func TestForgetRestoreFork(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: links need a privilege there")
	}
	d := atDesk(t, SessionConfig{})
	require.NoError(t, os.Symlink("f", filepath.Join(d.dir, "link")))
	reason := func(s *Session) string {
		t.Helper()
		_, err := s.Edit(t.Context(), "[f#0000]\nCUT 1\n")
		require.ErrorIs(t, err, hashline.StaleTag)
		return err.(*Refusal).Faults[0].Reason
	}
	view := d.says("read_file", `{"path": "link"}`)
	require.Equal(t, "unread", reason(d.Fork()), "a sub-agent was shown nothing")
	require.Equal(t, "unknown_tag", reason(d.Session))
	d.Forget("link")
	require.Equal(t, "unread", reason(d.Session), "it is forgotten by any of its names")
	d.Forget()
	require.Zero(t, d.Restore([]string{"no view", "[gone#0000]\n1:x", "[../f#0000]", "[link#0000]\n1:one"}))
	require.Equal(t, 1, d.Restore([]string{view}))
	require.Equal(t, "unknown_tag", reason(d.Session))

	// Without a ledger there is nothing to do.
	s := (&Workspace{d.core}).Session(SessionConfig{})
	s.Forget("f")
	s.Forget()
	require.Zero(t, s.Restore([]string{view}))
	require.Empty(t, reason(s.Fork()))
}
