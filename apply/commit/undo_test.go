package commit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// meanwhile has do run right before the file at path is replaced.
func meanwhile(t *testing.T, s *Store, path string, do func()) {
	ran := false
	s.noLease = true // do would wait for the commit that waits for it
	s.step = func(p string) {
		if p == path && !ran {
			ran = true
			do()
		}
	}
	t.Cleanup(func() {
		if !ran {
			t.Error("the step was not reached")
		}
	})
}

// A failure in the middle puts back what was written, byte for byte, with mode
// and time, and takes away what was made.
func TestFailureInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		name string
		// do is what a foreign writer does to b before it is replaced.
		do   func(t *testing.T, b string)
		want hashline.Code
	}{
		{"other bytes", func(t *testing.T, b string) { require.NoError(t, os.WriteFile(b, []byte("?"), 0o644)) }, hashline.ChangedDuringEdit},
		{"more bytes", func(t *testing.T, b string) { put(t, b, "2 and more") }, hashline.ChangedDuringEdit},
		{"replaced by equal bytes", func(t *testing.T, b string) {
			put(t, b+"2", "2")
			require.NoError(t, os.Rename(b+"2", b))
		}, hashline.ChangedDuringEdit},
		{"other mode", func(t *testing.T, b string) { require.NoError(t, os.Chmod(b, 0o600)) }, hashline.ChangedDuringEdit},
		{"gone", func(t *testing.T, b string) { require.NoError(t, os.Remove(b)) }, hashline.ChangedDuringEdit},
		{"folder", func(t *testing.T, b string) {
			require.NoError(t, os.Remove(b))
			require.NoError(t, os.Mkdir(b, 0o755))
		}, hashline.ChangedDuringEdit},
		{"link", func(t *testing.T, b string) {
			require.NoError(t, os.Rename(b, b+"2"))
			require.NoError(t, os.Symlink("b2", b))
		}, hashline.ChangedDuringEdit},
		{"folder moved", func(t *testing.T, b string) {
			require.NoError(t, os.Rename(filepath.Dir(b), filepath.Dir(b)+"2"))
			put(t, b, "2")
		}, hashline.ChangedDuringEdit},
		{"new file appears", func(t *testing.T, b string) { put(t, filepath.Join(filepath.Dir(b), "../new/f"), "theirs") }, hashline.Exists},
		{"new folder appears", func(t *testing.T, b string) {
			require.NoError(t, os.MkdirAll(filepath.Join(filepath.Dir(b), "../new/f/g"), 0o755))
		}, hashline.Exists},
		{"folder of a new file moved", func(t *testing.T, b string) {
			d := filepath.Join(filepath.Dir(b), "../new")
			require.NoError(t, os.Rename(d, d+"2"))
		}, hashline.ChangedDuringEdit},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"a": "1", "d/b": "2", "c": "3"}
			root, s := newRoot(t, files), newStore(t)
			require.NoError(t, os.Chmod(filepath.Join(root.Name(), "a"), 0o751))
			// What the foreign writer alone would have made of it.
			wantRoot := newRoot(t, files)
			require.NoError(t, os.Chmod(filepath.Join(wantRoot.Name(), "a"), 0o751))
			c.do(t, filepath.Join(wantRootWithNew(t, wantRoot, c.name), "d/b"))

			before := stamped(t, root.Name())["a"]
			meanwhile(t, s, "d/b", func() { c.do(t, filepath.Join(root.Name(), "d/b")) })
			err := commit(s, root, edit("a", "1", "x"), create("x/y/z", "x"), edit("c", "3", "x"), edit("d/b", "2", "x"), create("new/f", "x"))
			require.Equal(t, []hashline.Code{c.want}, codes(err), "%v", err)
			require.Contains(t, err.Error(), "already written were put back")
			same(t, tree(t, wantRoot.Name()), tree(t, root.Name()))
			same(t, before, stamped(t, root.Name())["a"])
		})
	}
}

// wantRootWithNew makes the folder that the commit makes for its new file, where
// the foreign writer moves it away.
func wantRootWithNew(t *testing.T, root *os.Root, name string) string {
	if name == "folder of a new file moved" {
		require.NoError(t, root.Mkdir("new", 0o755))
	}
	return root.Name()
}

// What another writer made of a file that we wrote is left, and said.
func TestTorn(t *testing.T) {
	root, s := newRoot(t, map[string]string{"a": "1", "b": "2", "c": "3"}), newStore(t)
	meanwhile(t, s, "c", func() {
		put(t, filepath.Join(root.Name(), "a"), "theirs")
		put(t, filepath.Join(root.Name(), "new"), "theirs")
		put(t, filepath.Join(root.Name(), "c"), "theirs")
	})
	err := commit(s, root, edit("a", "1", "x"), create("new", "x"), edit("b", "2", "x"), edit("c", "3", "x"))
	same(t, []hashline.Code{"torn", hashline.ChangedDuringEdit, hashline.ChangedDuringEdit, hashline.ChangedDuringEdit}, codes(err))
	require.ErrorIs(t, err, hashline.ChangedDuringEdit)
	torn, ok := errors.AsType[*Torn](err)
	require.True(t, ok)
	require.Contains(t, torn.Faults[0].Msg, "1 could be put back and 2 not")
	require.Equal(t, "new", torn.Faults[1].Path)
	require.Equal(t, "a", torn.Faults[2].Path)
	require.Contains(t, torn.Faults[2].Msg, "left as that writer made it")
	require.False(t, strings.Contains(err.Error(), "nothing was written"))
	same(t, map[string]string{"a": "theirs", "b": "2", "c": "theirs", "new": "theirs"}, contents(t, root.Name()))
}

// The folder that was made goes again only when nobody put anything into it.
func TestMadeFolderInUseStays(t *testing.T) {
	root, s := newRoot(t, map[string]string{"a": "1"}), newStore(t)
	meanwhile(t, s, "a", func() {
		put(t, filepath.Join(root.Name(), "n/e/theirs"), "theirs")
		put(t, filepath.Join(root.Name(), "a"), "theirs")
	})
	err := commit(s, root, create("n/e/w/f", "x"), edit("a", "1", "x"))
	same(t, []hashline.Code{hashline.ChangedDuringEdit}, codes(err))
	same(t, map[string]string{"a": "theirs", "n/e/theirs": "theirs"}, contents(t, root.Name()))
	require.NoFileExists(t, filepath.Join(root.Name(), "n/e/w"))
}
