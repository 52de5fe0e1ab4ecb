package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// TestLive: the files of a document are read as an edit would read them, and
// refused for what an edit would refuse them for.
func TestLive(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.txt": "one\n", "b/c.txt": "two\n", ".git/config": "x\n", "secret": "hidden\n", "locked": "x\n", "bytes": "\x00"} {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	w, err := Open(dir, Config{State: filepath.Join(t.TempDir(), "state"), Deny: []string{"secret"}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	require.NoError(t, os.Symlink("a.txt", filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink("secret", filepath.Join(dir, "way")))
	require.NoError(t, os.Chmod(filepath.Join(dir, "locked"), 0o444))
	live := w.Session(SessionConfig{}).Live()
	snap, err := live(filepath.Join(w.Root(), "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "a.txt", snap.Path)
	require.Equal(t, "[a.txt#16DF]", snap.Header())
	require.Equal(t, "one\n", string(snap.Text.Bytes()))
	_, err = live("b/c.txt")
	require.NoError(t, err)
	for path, code := range map[string]hashline.Code{
		"link": hashline.DuplicatePath, ".git/config": hashline.Denied, "secret": hashline.Denied, "way": hashline.Denied,
		"locked": hashline.ReadOnly, "bytes": hashline.NotText, "b": hashline.NotRegular, "../x": hashline.OutsideRoot, "b/d.txt": hashline.NotFound,
	} {
		snap, err := live(path)
		require.ErrorIs(t, err, code, path)
		require.Nil(t, snap.Text, path)
	}
	_, err = live("b/c.tx")
	require.ErrorContains(t, err, "close names: b/c.txt")
}
