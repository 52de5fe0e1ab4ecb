package commit

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// useAll uses all of the state folder, and gives the first error.
func useAll(t *testing.T, s *Store, root *os.Root) error {
	data, err := root.ReadFile("a")
	require.NoError(t, err)
	if err := commit(s, root, edit("a", string(data), string(data)+"x")); err != nil {
		return err
	}
	if _, err := s.Records(root, func(Record) bool { return true }); err != nil {
		return err
	}
	if _, err := s.Recover(t.Context(), root); err != nil {
		return err
	}
	m, err := s.Memory(t.Context(), root, "s")
	if err != nil {
		return err
	}
	defer m.Release()
	if _, err := m.Load(); err != nil {
		return err
	}
	return m.Save([]byte("{}"))
}

// Every folder and every file in the state folder is refused where another user
// owns it, and every folder where others can write to it. Others have no way in.
func TestStateOfOthers(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1"})
	require.NoError(t, useAll(t, s, root))
	require.NoError(t, useAll(t, s, root))
	folders := 0
	for name := range tree(t, s.Dir()) {
		at := filepath.Join(s.Dir(), name)
		info, err := os.Lstat(at)
		require.NoError(t, err)
		if !info.IsDir() {
			require.Equal(t, fs.FileMode(0o600), info.Mode(), name)
			continue
		}
		folders++
		require.Equal(t, fs.FileMode(0o700)|fs.ModeDir, info.Mode(), name)
		require.NoError(t, os.Chmod(at, 0o777))
		same(t, []hashline.Code{hashline.Denied}, codes(useAll(t, s, root)))
		require.NoError(t, os.Chmod(at, 0o755))
		require.NoError(t, useAll(t, s, root))
		info, err = os.Lstat(at)
		require.NoError(t, err)
		require.Equal(t, fs.FileMode(0o700)|fs.ModeDir, info.Mode(), name)
	}
	require.Greater(t, folders, 4)
	needRoot(t, "chown")
	for name := range tree(t, s.Dir()) {
		at := filepath.Join(s.Dir(), name)
		if filepath.Dir(name) == "history/objects" || filepath.Dir(name) == "locks" {
			continue // one of many, see below
		}
		require.NoError(t, os.Lchown(at, 1000, 1000))
		err := useAll(t, s, root)
		if name == "history/counts" || name == "history/grown" || name == "history/pruned" {
			require.NoError(t, err, name)
		} else if filepath.Dir(name) == "history/records" {
			same(t, []hashline.Code{hashline.NoUndo}, codes(err))
		} else {
			same(t, []hashline.Code{hashline.Denied}, codes(err))
		}
		require.NoError(t, os.Lchown(at, 0, 0))
		require.NoError(t, useAll(t, s, root))
	}
	for name := range tree(t, filepath.Join(s.Dir(), "locks")) {
		require.NoError(t, os.Lchown(filepath.Join(s.Dir(), "locks", name), 1000, 1000))
	}
	same(t, []hashline.Code{hashline.Denied}, codes(useAll(t, s, root)))
}

// Nothing waits for a FIFO that stands where one of our files belongs.
func TestStateOfFIFOs(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1"})
	require.NoError(t, useAll(t, s, root))
	require.NoError(t, useAll(t, s, root))
	for name, what := range tree(t, s.Dir()) {
		if what[0] == 'd' {
			continue
		}
		at := filepath.Join(s.Dir(), name)
		require.NoError(t, os.Rename(at, at+".away"))
		require.NoError(t, syscall.Mkfifo(at, 0o600))
		done := make(chan error, 1)
		go func() { done <- useAll(t, s, root) }()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("waits for %s", name)
		}
		_ = os.Remove(at)
		require.NoError(t, os.Rename(at+".away", at))
		require.NoError(t, useAll(t, s, root))
	}
}
