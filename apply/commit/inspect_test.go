package commit

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

func TestInspect(t *testing.T) {
	root := newRoot(t, map[string]string{"a": "1", "d/b": "22", "one": "1", "ro": "1"})
	at := func(name string) string { return filepath.Join(root.Name(), name) }
	require.NoError(t, os.Link(at("one"), at("d/two")))
	require.NoError(t, os.Symlink("a", at("link")))
	require.NoError(t, os.Chmod(at("ro"), 0o444))

	type facts struct {
		Type            fs.FileMode
		Size            int64
		Links           uint64
		Mount, ReadOnly bool
	}
	for name, want := range map[string]facts{
		"a":     {Size: 1, Links: 1},
		"d/b":   {Size: 2, Links: 1},
		"one":   {Size: 1, Links: 2},
		"d/two": {Size: 1, Links: 2},
		"link":  {Type: fs.ModeSymlink, Size: 1, Links: 1},
		"ro":    {Size: 1, Links: 1, ReadOnly: true},
	} {
		i, err := Inspect(root, name)
		require.NoError(t, err)
		got := facts{i.Mode().Type(), i.Size(), i.Links, i.MountPoint, i.ReadOnly}
		if d := want != got; d && name != "link" || name == "link" && got.Type != want.Type {
			t.Errorf("%s: want %+v, got %+v", name, want, got)
		}
	}
	id := func(name string) ID {
		i, err := Inspect(root, name)
		require.NoError(t, err)
		got, ok := i.ID()
		require.True(t, ok)
		return got
	}
	require.Equal(t, id("one"), id("d/two"))
	require.NotEqual(t, id("one"), id("a"))

	i, err := Inspect(root, "d")
	require.NoError(t, err)
	require.True(t, i.IsDir())
	_, err = Inspect(root, "d/nope")
	require.ErrorIs(t, err, hashline.NotFound)
	_, err = Inspect(root, "../x")
	require.ErrorIs(t, err, hashline.OutsideRoot)
}
