//go:build unix

package beneath_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/beneath"
)

// TestEnter would wait for ever for a FIFO that took a folder's place.
func TestEnter(t *testing.T) {
	base := t.TempDir()
	root, err := os.OpenRoot(base)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	require.NoError(t, root.MkdirAll("d/sub", 0o755))
	require.NoError(t, root.WriteFile("file", nil, 0o644))
	require.NoError(t, root.Symlink("d", "link"))
	require.NoError(t, root.Symlink(t.TempDir(), "out"))
	if err := syscall.Mkfifo(filepath.Join(base, "fifo"), 0o644); err != nil {
		t.Skipf("SKIPPED: cannot make a FIFO: %v", err)
	}

	sub, err := beneath.Enter(root, "d")
	require.NoError(t, err)
	_, err = sub.Stat("sub")
	require.NoError(t, err)
	require.NoError(t, sub.Close())

	for name, want := range map[string]error{
		"fifo": syscall.ENOTDIR, "file": syscall.ENOTDIR, "none": os.ErrNotExist, "link": beneath.ErrMoved,
	} {
		_, err := beneath.Enter(root, name)
		require.ErrorIs(t, err, want, name)
	}
	_, err = beneath.Enter(root, "out")
	require.Error(t, err)
}
