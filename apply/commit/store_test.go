package commit

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

func TestDefaultDir(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Setenv("LocalAppData", `C:\Users\u\AppData\Local`)
		dir, err := DefaultDir()
		require.NoError(t, err)
		require.Equal(t, `C:\Users\u\AppData\Local\hashline`, dir)
		return
	}
	for _, c := range []struct{ xdg, home, want string }{
		{"", "/home/u", "/home/u/.local/state/hashline"},
		{"/state", "/home/u", "/state/hashline"},
		{"relative", "/home/u", "/home/u/.local/state/hashline"},
		{"/state", "", "/state/hashline"},
		{"", "", ""},
		{"", "relative", ""},
	} {
		t.Setenv("XDG_STATE_HOME", c.xdg)
		t.Setenv("HOME", c.home)
		dir, err := DefaultDir()
		require.Equal(t, c.want, dir)
		require.Equal(t, c.want == "", err != nil)
	}
}

// The folder is made when it is needed, for its owner alone.
func TestStateFolderIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a/b/state")
	s, err := Open(dir)
	require.NoError(t, err)
	require.NoDirExists(t, dir)
	root := newRoot(t, nil)
	held, err := s.Lock(context.Background(), root, []string{"f"})
	require.NoError(t, err)
	held.Release()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: no mode bits")
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "..": 0o700, "locks": 0o700} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, want, info.Mode().Perm(), name)
	}
	locks, err := os.ReadDir(filepath.Join(dir, "locks"))
	require.NoError(t, err)
	require.Len(t, locks, 1)
	info, err := locks[0].Info()
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
}

func TestStateFolderOfOthersIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: no mode bits, no owners")
	}
	for name, prepare := range map[string]func(dir string) error{
		"link": func(dir string) error {
			return symlinkTo(dir, filepath.Join(filepath.Dir(dir), "elsewhere"))
		},
		"link to nowhere": func(dir string) error { return os.Symlink("nowhere", dir) },
		"file":            func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"group writes":    func(dir string) error { return mkdirMode(dir, 0o720) },
		"others write":    func(dir string) error { return mkdirMode(dir, 0o702) },
		"sticky":          func(dir string) error { return mkdirMode(dir, 0o777|os.ModeSticky) },
		"other owner": func(dir string) error {
			if os.Geteuid() != 0 {
				return errSkip
			}
			if err := mkdirMode(dir, 0o700); err != nil {
				return err
			}
			return os.Chown(dir, 12345, 12345)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "state")
			early, err := Open(dir)
			require.NoError(t, err)
			if err := prepare(dir); err == errSkip {
				t.Skip("SKIPPED: only root can give a folder to another user")
			} else {
				require.NoError(t, err)
			}
			before := tree(t, filepath.Dir(dir))
			s, err := Open(dir)
			require.ErrorIs(t, err, hashline.Denied)
			require.Nil(t, s)
			// A folder that came after Open is refused as well.
			_, err = early.Lock(context.Background(), newRoot(t, nil), []string{"f"})
			require.ErrorIs(t, err, hashline.Denied)
			same(t, before, tree(t, filepath.Dir(dir)))
		})
	}
	// Others may look at a folder that was made by hand; what is in it is closed.
	dir := filepath.Join(t.TempDir(), "state")
	require.NoError(t, mkdirMode(dir, 0o755))
	_, err := Open(dir)
	require.NoError(t, err)
	_, err = Open("")
	require.ErrorIs(t, err, hashline.BadArgument)
}

const errSkip = hashline.Code("skip")

func symlinkTo(dir, to string) error {
	if err := mkdirMode(to, 0o700); err != nil {
		return err
	}
	return os.Symlink(to, dir)
}

func mkdirMode(dir string, mode os.FileMode) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return os.Chmod(dir, mode)
}
