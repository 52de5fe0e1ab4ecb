//go:build unix

package search_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
	"github.com/hashline-go/hashline/hashline/workspace/search"
)

func TestSpecialFiles(t *testing.T) {
	root := tree(t, map[string]string{"a.txt": "x\n"})
	if err := syscall.Mkfifo(filepath.Join(root.Name(), "fifo"), 0o644); err != nil {
		t.Skipf("SKIPPED: cannot make a FIFO: %v", err)
	}
	require.NoError(t, root.Symlink("/dev/zero", "zero"))
	start := time.Now()
	require.Equal(t, "[a.txt#0002]\n1 | x\n\n[1 matches in 1 files]", render(t, root, search.Query{Pattern: "x"}))
	_, err := search.Run(context.Background(), root, gitignore.User{}, search.Query{Pattern: "x", Path: "fifo"}, lengthTag, nil)
	require.ErrorIs(t, err, hashline.NotRegular)
	require.Less(t, time.Since(start), time.Minute)
}

// TestSwaps exchanges files for a FIFO, a link out of the root and a folder while
// searches run: they must neither hang nor show what lies outside.
func TestSwaps(t *testing.T) {
	root := tree(t, map[string]string{"a": "x\n", "d/a": "x\n"})
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "a"), []byte("x secret\n"), 0o644))
	done := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		a, d := filepath.Join(root.Name(), "a"), filepath.Join(root.Name(), "d")
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			os.RemoveAll(a)
			switch i % 4 {
			case 0:
				syscall.Mkfifo(a, 0o644)
			case 1:
				os.Symlink(filepath.Join(outside, "a"), a)
			case 2:
				os.Mkdir(a, 0o755)
			case 3:
				os.WriteFile(a, []byte("x\n"), 0o644)
			}
			if i%2 == 0 {
				os.Rename(d, d+"2")
				os.Symlink(outside, d)
			} else {
				os.Remove(d)
				os.Rename(d+"2", d)
			}
		}
	}()
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
		require.NotContains(t, render(t, root, search.Query{Pattern: "x"}), "secret")
		r, err := search.Run(context.Background(), root, gitignore.User{}, search.Query{Pattern: "x", Path: "d/a"}, lengthTag, nil)
		if err == nil {
			text, _ := r.Render(0)
			require.NotContains(t, text, "secret")
		}
	}
	close(done)
	<-stopped
}

// TestDeepTree needs many open folders at once if it is done badly.
func TestDeepTree(t *testing.T) {
	root := tree(t, map[string]string{"a": "x\n"})
	at, err := root.OpenRoot(".")
	require.NoError(t, err)
	// The deepest have paths longer than the system takes.
	name := strings.Repeat("d", 20)
	for range 300 {
		require.NoError(t, at.Mkdir(name, 0o755))
		next, err := at.OpenRoot(name)
		require.NoError(t, err)
		at.Close()
		at = next
	}
	at.Close()
	start := time.Now()
	require.Equal(t, "a: 1\n\n[1 matches in 1 files; skipped: 1 too deep]", render(t, root, search.Query{Pattern: "x", Mode: search.Count}))
	require.Less(t, time.Since(start), time.Minute)
}

// TestUnreadable runs itself as another user where it is root, whom no mode keeps
// out.
func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		dir, err := os.MkdirTemp("", "unreadable")
		require.NoError(t, err)
		defer os.RemoveAll(dir)
		require.NoError(t, os.Chmod(dir, 0o777))
		binary, err := os.ReadFile("/proc/self/exe")
		if err != nil {
			t.Skipf("SKIPPED: as root this test needs /proc: %v", err)
		}
		self := filepath.Join(dir, "test")
		require.NoError(t, os.WriteFile(self, binary, 0o755))
		require.NoError(t, os.Chmod(self, 0o755))
		cmd := exec.Command(self, "-test.run=^TestUnreadable$", "-test.v")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.CombinedOutput()
		if errors.Is(err, fs.ErrPermission) {
			t.Skipf("SKIPPED: cannot become another user: %v", err)
		}
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "--- PASS: TestUnreadable")
		return
	}
	root := tree(t, map[string]string{"a": "x\n", "b": "x\n", "closed/c": "x\n", "unlisted/d": "x\n"})
	for name, mode := range map[string]os.FileMode{"b": 0, "closed": 0, "unlisted": 0o100} {
		require.NoError(t, root.Chmod(name, mode))
		defer root.Chmod(name, 0o700)
	}
	require.Equal(t, "a: 1\n\n[1 matches in 1 files; skipped: 3 unreadable]", render(t, root, search.Query{Pattern: "x", Mode: search.Count}))
	_, err := search.Run(context.Background(), root, gitignore.User{}, search.Query{Pattern: "x", Path: "closed/c"}, lengthTag, nil)
	require.ErrorIs(t, err, hashline.IO)
}
