//go:build unix

package own_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/own"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, syscall.Mkfifo(at("fifo"), 0o600))
	require.NoError(t, os.Mkdir(at("folder"), 0o700))
	for _, name := range []string{"fifo", "folder"} {
		for _, flag := range []int{os.O_RDONLY, os.O_WRONLY | os.O_CREATE | os.O_APPEND, os.O_RDWR | os.O_CREATE} {
			start := time.Now()
			_, err := own.Open(root, name, flag)
			require.ErrorIs(t, err, own.ErrOdd, "%s %x", name, flag)
			require.Less(t, time.Since(start), 5*time.Second)
		}
	}
	f, err := own.Open(root, "new", os.O_RDWR|os.O_CREATE)
	require.NoError(t, err)
	info, err := f.Stat()
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	require.NoError(t, f.Close())
	_, err = own.Open(root, "none", os.O_RDONLY)
	require.ErrorIs(t, err, os.ErrNotExist)
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can give files away")
	}
	require.NoError(t, os.Lchown(at("new"), 1000, 1000))
	_, err = own.Open(root, "new", os.O_RDONLY)
	require.ErrorIs(t, err, own.ErrForeign)
	require.NoError(t, os.Lchown(at("folder"), 1000, 1000))
	_, err = own.Folder(root, "folder")
	require.ErrorIs(t, err, own.ErrForeign)
	require.ErrorIs(t, own.Trust(root, "folder"), own.ErrForeign)
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	require.NoError(t, own.Trust(root, "folder"))
	require.NoError(t, root.Mkdir("folder", 0o700))
	for mode, refused := range map[os.FileMode]bool{0o700: false, 0o755: false, 0o750: false, 0o770: true, 0o702: true, 0o777: true} {
		require.NoError(t, root.Chmod("folder", mode))
		sub, err := own.Folder(root, "folder")
		terr := own.Trust(root, "folder")
		if refused {
			require.ErrorIs(t, err, own.ErrForeign, "%v", mode)
			require.ErrorIs(t, terr, own.ErrForeign, "%v", mode)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, terr)
		require.NoError(t, sub.Close())
		info, err := root.Lstat("folder")
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	}
}
