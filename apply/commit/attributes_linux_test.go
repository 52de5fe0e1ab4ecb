package commit

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/hashline"
)

const nobody = 65534

// asUser runs do, with no more rights in the file system than an ordinary user
// has, and gives that user's number.
func asUser(t *testing.T, do func(uid int)) {
	if uid := os.Geteuid(); uid != 0 {
		do(uid)
		return
	}
	done := make(chan error, 1)
	go func() {
		defer close(done)
		// The thread is never given back, so that it ends with the goroutine.
		runtime.LockOSThread()
		unix.Setfsgid(nobody)
		unix.Setfsuid(nobody)
		if uid, _ := unix.SetfsuidRetUid(-1); uid != nobody {
			done <- fmt.Errorf("the user is %d", uid)
			return
		}
		do(nobody)
	}()
	require.NoError(t, <-done)
}

// shareState prepares the state folder, which stays root's, for asUser.
func shareState(t *testing.T, s *Store) {
	if os.Geteuid() != 0 {
		return
	}
	require.NoError(t, os.Chmod(filepath.Dir(filepath.Dir(s.Dir())), 0o755))
	require.NoError(t, os.Mkdir(s.Dir(), 0o755))
	for _, name := range []string{historyFolder, journalFolder} {
		require.NoError(t, os.Mkdir(filepath.Join(s.Dir(), name), 0o700))
		require.NoError(t, os.Chown(filepath.Join(s.Dir(), name), nobody, nobody))
	}
}

// unshareState gives root what asUser left in the state folder.
func unshareState(t *testing.T, s *Store) {
	if os.Geteuid() == 0 {
		for name := range tree(t, s.Dir()) {
			require.NoError(t, os.Lchown(filepath.Join(s.Dir(), name), 0, 0))
		}
	}
}

func needRoot(t *testing.T, why string) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can " + why)
	}
}

func TestModeIsKept(t *testing.T) {
	onDisk(t)
	s := newStore(t)
	for _, mode := range []fs.FileMode{0o644, 0o600, 0o755, 0o444, 0o400, 0o666, 0o000, 0o777,
		0o755 | fs.ModeSetuid, 0o755 | fs.ModeSetgid, 0o644 | fs.ModeSticky, 0o711 | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky} {
		if mode&0o400 == 0 && os.Geteuid() != 0 {
			continue // the file could not be compared
		}
		root := newRoot(t, map[string]string{"a": "1"})
		require.NoError(t, root.Chmod("a", mode))
		require.NoError(t, commit(s, root, edit("a", "1", "2")))
		info, err := root.Lstat("a")
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode())
	}
}

func TestOwnerIsKept(t *testing.T) {
	onDisk(t)
	needRoot(t, "give a file to another user")
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1"})
	require.NoError(t, root.Chown("a", 12345, 54321))
	require.NoError(t, root.Chmod("a", 0o751|fs.ModeSetuid|fs.ModeSetgid))
	require.NoError(t, commit(s, root, edit("a", "1", "2")))
	info, err := root.Lstat("a")
	require.NoError(t, err)
	uid, gid := owner(info)
	require.Equal(t, []int{12345, 54321}, []int{uid, gid})
	require.Equal(t, 0o751|fs.ModeSetuid|fs.ModeSetgid, info.Mode())
}

func TestOwnerCannotBeKept(t *testing.T) {
	onDisk(t)
	needRoot(t, "give a file to another user")
	for _, ids := range [][2]int{{0, 0}, {nobody, 0}, {0, nobody}, {12345, nobody}} {
		s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
		shareState(t, s)
		require.NoError(t, root.Chmod(".", 0o777))
		require.NoError(t, root.Chown("b", nobody, nobody))
		require.NoError(t, root.Chown("a", ids[0], ids[1]))
		require.NoError(t, root.Chmod("a", 0o666))
		before := stamped(t, root.Name())
		var err error
		asUser(t, func(int) { _, err = s.Commit(t.Context(), root, []Change{edit("b", "2", "x"), edit("a", "1", "x")}) })
		same(t, []hashline.Code{hashline.Attributes}, codes(err))
		same(t, before, stamped(t, root.Name()))
	}
}

func TestFolderWithoutPermission(t *testing.T) {
	onDisk(t)
	for _, mode := range []fs.FileMode{0o555, 0o600, 0o000} {
		s, root := newStore(t), newRoot(t, map[string]string{"d/a": "1", "b": "2"})
		shareState(t, s)
		if os.Geteuid() == 0 {
			for _, name := range []string{".", "d", "d/a", "b"} {
				require.NoError(t, root.Chown(name, nobody, nobody))
			}
		}
		before := stamped(t, root.Name())
		require.NoError(t, root.Chmod("d", mode))
		for _, c := range []Change{edit("d/a", "1", "x"), create("d/new", "x"), create("d/n/e/w", "x")} {
			var err error
			asUser(t, func(int) {
				_, err = s.Commit(t.Context(), root, []Change{edit("b", "2", "x"), create("n/e/w", "x"), c})
			})
			require.Equal(t, []hashline.Code{hashline.Denied}, codes(err), "%v %s", mode, c.Path)
			require.Contains(t, err.Error(), "permission denied")
			require.Contains(t, err.Error(), c.Path+": ")
		}
		require.NoError(t, root.Chmod("d", 0o755))
		same(t, before, stamped(t, root.Name()))
	}
}

func TestNewFilesFollowTheUmask(t *testing.T) {
	onDisk(t)
	for _, mask := range []int{0o022, 0o077, 0o002, 0} {
		s, root := newStore(t), newRoot(t, nil)
		old := syscall.Umask(mask)
		err := commit(s, root, create("d/f", "x"))
		syscall.Umask(old)
		require.NoError(t, err)
		d, err := root.Lstat("d")
		require.NoError(t, err)
		f, err := root.Lstat("d/f")
		require.NoError(t, err)
		require.Equal(t, []fs.FileMode{0o777 &^ fs.FileMode(mask), 0o666 &^ fs.FileMode(mask)}, []fs.FileMode{d.Mode().Perm(), f.Mode().Perm()})
	}
}

// While it is written, the new version is as closed as can be.
func TestTemporaryFile(t *testing.T) {
	onDisk(t)
	root := newRoot(t, map[string]string{"a": "1"})
	require.NoError(t, root.Chmod("a", 0o777))
	d := &folder{path: ".", root: root}
	name := tempName()
	h, err := d.create(name, 0o600)
	require.NoError(t, err)
	defer h.Close()
	require.Regexp(t, `^\.hashline-[0-9a-f]{16}\.tmp$`, name)
	info, err := h.Stat()
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode())
	require.NoError(t, root.Remove(name))

	// Before the rename it has all attributes, and its bytes.
	s := newStore(t)
	s.step = func(path string) {
		if path != "" {
			return
		}
		temps := tree(t, root.Name())
		delete(temps, "a")
		require.Len(t, temps, 2)
		for name, what := range temps {
			require.Regexp(t, `^\.hashline-[0-9a-f]{16}\.tmp$`, name)
			require.Contains(t, []string{"-rwxrwxrwx new", "-rw-r--r-- other"}, what)
		}
	}
	require.NoError(t, commit(s, root, edit("a", "1", "new"), create("b", "other")))
}

func TestMountPoint(t *testing.T) {
	onDisk(t)
	needRoot(t, "mount")
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "other": "1", "d/f": "1", "b": "2"})
	at := func(name string) string { return filepath.Join(root.Name(), name) }
	for from, to := range map[string]string{"other": "a", "d": "d"} {
		if err := unix.Mount(at(from), at(to), "", unix.MS_BIND, ""); err != nil {
			t.Skipf("SKIPPED: cannot mount here: %v", err)
		}
		t.Cleanup(func() { unix.Unmount(at(to), unix.MNT_DETACH) })
	}
	for name, want := range map[string]bool{"a": true, "d": true, "other": false, "d/f": false, ".": false} {
		i, err := Inspect(root, name)
		require.NoError(t, err)
		require.Equal(t, want, i.MountPoint, name)
	}
	err := commit(s, root, edit("b", "2", "x"), edit("a", "1", "x"))
	same(t, []hashline.Code{hashline.MountPoint}, codes(err))
	same(t, map[string]string{"a": "1", "other": "1", "d/f": "1", "b": "2"}, contents(t, root.Name()))
	require.NoError(t, commit(s, root, edit("d/f", "1", "x")))
}

// A FIFO in the place of a file or of a folder stops nobody.
func TestFIFO(t *testing.T) {
	onDisk(t)
	root, s := newRoot(t, map[string]string{"a": ""}), newStore(t)
	require.NoError(t, unix.Mkfifo(filepath.Join(root.Name(), "fifo"), 0o644))
	i, err := Inspect(root, "fifo")
	require.NoError(t, err)
	require.Equal(t, fs.ModeNamedPipe, i.Mode().Type())
	same(t, []hashline.Code{hashline.ChangedDuringEdit}, codes(commit(s, root, edit("fifo", "", "x"))))
	same(t, []hashline.Code{hashline.Exists}, codes(commit(s, root, create("fifo", "x"))))
	same(t, []hashline.Code{hashline.Exists}, codes(commit(s, root, create("fifo/x", "x"))))
}
