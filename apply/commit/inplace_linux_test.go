package commit

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

func inPlace(path, old, new string) Change {
	c := edit(path, old, new)
	c.InPlace = true
	return c
}

func inode(t *testing.T, root *os.Root, name string) ID {
	i, err := Inspect(root, name)
	require.NoError(t, err)
	id, _ := i.ID()
	return id
}

// A file that cannot be replaced is overwritten: longer, shorter, to nothing and
// from nothing, with its mode; one that can be is replaced all the same.
func TestInPlace(t *testing.T) {
	onDisk(t)
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "plain": "1"})
	require.NoError(t, root.Link("a", "b"))
	require.NoError(t, root.Chmod("a", 0o751|fs.ModeSetuid|fs.ModeSetgid))
	id, plain := inode(t, root, "a"), inode(t, root, "plain")
	old := "1"
	for _, new := range []string{"longer than before", "short", "", "again", strings.Repeat("large", 100_000), "x"} {
		require.NoError(t, commit(s, root, inPlace("a", old, new)))
		for _, name := range []string{"a", "b"} {
			data, err := root.ReadFile(name)
			require.NoError(t, err)
			require.Equal(t, new, string(data))
		}
		require.Equal(t, id, inode(t, root, "a"))
		data, err := s.Image(history.Sum([]byte(old)))
		require.NoError(t, err)
		require.Equal(t, old, string(data))
		old = new
	}
	info, err := root.Lstat("a")
	require.NoError(t, err)
	require.Equal(t, 0o751|fs.ModeSetuid|fs.ModeSetgid, info.Mode())
	require.NoError(t, commit(s, root, inPlace("plain", "1", "2")))
	require.NotEqual(t, plain, inode(t, root, "plain"))
	require.Len(t, tree(t, root.Name()), 3)
}

func TestInPlaceWhereNoNameCanBeMade(t *testing.T) {
	onDisk(t)
	s, root := newStore(t), newRoot(t, map[string]string{"d/a": "1", "b": "2"})
	shareState(t, s)
	if os.Geteuid() == 0 {
		for _, name := range []string{".", "d", "d/a", "b"} {
			require.NoError(t, root.Chown(name, nobody, nobody))
		}
	}
	require.NoError(t, root.Chmod("d", 0o555))
	defer root.Chmod("d", 0o755)
	var err error
	asUser(t, func(int) {
		_, err = s.Commit(t.Context(), root, []Change{inPlace("d/a", "1", "one"), inPlace("b", "2", "two")})
	})
	require.NoError(t, err)
	same(t, map[string]string{"d/a": "one", "b": "two"}, contents(t, root.Name()))
}

func TestInPlaceOnAMountPoint(t *testing.T) {
	onDisk(t)
	needRoot(t, "mount")
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "other": "1"})
	at := func(name string) string { return filepath.Join(root.Name(), name) }
	if err := unix.Mount(at("other"), at("a"), "", unix.MS_BIND, ""); err != nil {
		t.Skipf("SKIPPED: cannot mount here: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(at("a"), unix.MNT_DETACH) })
	require.NoError(t, commit(s, root, inPlace("a", "1", "2")))
	same(t, map[string]string{"a": "2", "other": "2"}, contents(t, root.Name()))
}

// A commit that fails after a file was overwritten puts its bytes and its time
// back.
func TestInPlaceIsPutBack(t *testing.T) {
	onDisk(t)
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2", "c": "3"})
	for _, name := range []string{"a", "b"} {
		require.NoError(t, root.Link(name, name+"2"))
	}
	before := stamped(t, root.Name())
	meanwhile(t, s, "b", func() { put(t, filepath.Join(root.Name(), "b"), "theirs") })
	err := commit(s, root, inPlace("a", "1", "one"), inPlace("b", "2", "two"), edit("c", "3", "three"))
	same(t, []hashline.Code{hashline.ChangedDuringEdit}, codes(err))
	require.Contains(t, err.Error(), "the 2 file(s) already written were put back")
	after := stamped(t, root.Name())
	for _, name := range []string{"a", "a2", "c"} {
		require.Equal(t, before[name], after[name])
	}
	same(t, map[string]string{"a": "1", "a2": "1", "b": "theirs", "b2": "theirs", "c": "3"}, contents(t, root.Name()))
}

func TestInPlaceRefusals(t *testing.T) {
	onDisk(t)
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1234"})
	require.NoError(t, root.Link("a", "b"))
	before := stamped(t, root.Name())
	same(t, []hashline.Code{hashline.ChangedDuringEdit}, codes(commit(s, root, inPlace("a", "5678", "x"))))
	s.copyTo = 3
	same(t, []hashline.Code{hashline.TooLarge}, codes(commit(s, root, inPlace("a", "1234", "x"))))
	s.copyTo = maxCopied
	h, err := os.OpenFile(filepath.Join(root.Name(), "b"), os.O_RDWR, 0)
	require.NoError(t, err)
	if leased, busy := takeLease(h); leased || !busy {
		t.Log("no leases here")
	} else {
		same(t, []hashline.Code{hashline.BusyFile}, codes(commit(s, root, inPlace("a", "1234", "x"))))
	}
	require.NoError(t, h.Close())
	same(t, before, stamped(t, root.Name()))
}

// All names of a file share a lock, whatever folders they lie in, so that those
// who overwrite it through different ones lose nothing and meet no refusal.
func TestNamesOfOneFileShareALock(t *testing.T) {
	onDisk(t)
	s, root := newStore(t), newRoot(t, map[string]string{"d/a": "0", "e/other": "0"})
	require.NoError(t, root.Mkdir("f", 0o755))
	require.NoError(t, root.Link("d/a", "f/b"))
	held, err := s.Lock(t.Context(), root, []string{"e/other", "f/b"})
	require.NoError(t, err)
	requireHeld(t, s, root, "d/a")
	held.Release()

	var wg sync.WaitGroup
	for i := range 4 {
		own, err := Open(s.Dir())
		require.NoError(t, err)
		own.NoSync, own.Wait = true, time.Minute
		// In either order, so that they could wait for one another.
		names := [][]string{{"d/a", "e/other"}, {"e/other", "f/b"}}[i%2]
		wg.Go(func() {
			for range 25 {
				if err := countInPlace(own, root, names); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	same(t, map[string]string{"d/a": "100", "f/b": "100", "e/other": "100"}, contents(t, root.Name()))
}

func countInPlace(s *Store, root *os.Root, names []string) error {
	held, err := s.Lock(context.Background(), root, names)
	if err != nil {
		return err
	}
	defer held.Release()
	var changes []Change
	for _, name := range names {
		old, err := root.ReadFile(name)
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(string(old))
		if err != nil {
			return err
		}
		changes = append(changes, inPlace(name, string(old), strconv.Itoa(n+1)))
	}
	_, err = s.Commit(context.Background(), root, changes)
	return err
}

func TestMountPointsOfOneFileShareALock(t *testing.T) {
	onDisk(t)
	needRoot(t, "mount")
	s, root := newStore(t), newRoot(t, map[string]string{"d/a": "1", "e/b": "1", "other": "1"})
	for _, to := range []string{"d/a", "e/b"} {
		at := filepath.Join(root.Name(), to)
		if err := unix.Mount(filepath.Join(root.Name(), "other"), at, "", unix.MS_BIND, ""); err != nil {
			t.Skipf("SKIPPED: cannot mount here: %v", err)
		}
		t.Cleanup(func() { unix.Unmount(at, unix.MNT_DETACH) })
	}
	held, err := s.Lock(t.Context(), root, []string{"d/a"})
	require.NoError(t, err)
	defer held.Release()
	requireHeld(t, s, root, "e/b")
}
