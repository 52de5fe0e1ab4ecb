package commit

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/hashline"
)

// A file that somebody has open for writing is refused, with nothing written;
// one that is only read is not.
func TestBusyFile(t *testing.T) {
	mapped := func(flags, prot, how int) func(*testing.T, string) func() {
		return func(t *testing.T, f string) func() {
			fd, err := unix.Open(f, flags, 0)
			require.NoError(t, err)
			m, err := unix.Mmap(fd, 0, 3, prot, how)
			require.NoError(t, err)
			unix.Close(fd)
			return func() { unix.Munmap(m) }
		}
	}
	opened := func(flags int) func(*testing.T, string) func() {
		return func(t *testing.T, f string) func() {
			h, err := os.OpenFile(f, flags, 0)
			require.NoError(t, err)
			return func() { h.Close() }
		}
	}
	for name, c := range map[string]struct {
		hold func(t *testing.T, f string) (letGo func())
		busy bool
	}{
		"read":               {opened(os.O_RDONLY), false},
		"write":              {opened(os.O_WRONLY), true},
		"append":             {opened(os.O_RDWR | os.O_APPEND), true},
		"mapped for reading": {mapped(unix.O_RDONLY, unix.PROT_READ, unix.MAP_SHARED), false},
		"mapped privately":   {mapped(unix.O_RDONLY, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE), false},
		"mapped for writing": {mapped(unix.O_RDWR, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED), true},
		"leased as we lease it": {func(t *testing.T, f string) func() {
			h, err := os.Open(f)
			require.NoError(t, err)
			leased, _ := takeLease(h)
			require.True(t, leased)
			return func() { h.Close() }
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, root *os.Root) {
				needLease(t, root)
				s := newStore(t)
				for _, name := range []string{"a", "b", "c"} {
					put(t, filepath.Join(root.Name(), name), "old")
				}
				before := stamped(t, root.Name())
				freeB := c.hold(t, filepath.Join(root.Name(), "b"))
				freeC := c.hold(t, filepath.Join(root.Name(), "c"))
				all := []Change{edit("a", "old", "new"), create("n/e/w", "new"), edit("b", "old", "new"), edit("c", "old", "new")}
				err := commit(s, root, all...)
				if !c.busy {
					require.NoError(t, err)
					return
				}
				require.Equal(t, []hashline.Code{hashline.BusyFile, hashline.BusyFile}, codes(err), "%v", err)
				same(t, before, stamped(t, root.Name()))
				freeB()
				// One that is about to close the file is waited for.
				time.AfterFunc(3*time.Millisecond, freeC)
				require.NoError(t, commit(s, root, all...))
			})
		})
	}
}

// Nobody who listens hears of our leases, and a child that is being started
// while we write does not make a file busy.
func TestLeasesAreQuiet(t *testing.T) {
	root, s := newRoot(t, map[string]string{"f": "0"}), newStore(t)
	needLease(t, root)
	heard := make(chan os.Signal, 100)
	signal.Notify(heard, syscall.SIGIO)
	defer signal.Stop(heard)
	end := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-end:
				return
			default:
			}
			if err := exec.Command("true").Run(); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for n := range 100 {
		old := string(rune('0' + n%10))
		require.NoError(t, commit(s, root, edit("f", old, string(rune('0'+(n+1)%10)))))
	}
	close(end)
	wg.Wait()
	wrote := make(chan error, 1)
	s.step = func(step string) {
		if step == "exchange f" {
			go func() { wrote <- os.Truncate(filepath.Join(root.Name(), "f"), 0) }()
			kernelSays(t, "BREAKING", func() bool { return len(wrote) > 0 })
			require.Empty(t, wrote, "there was no lease")
		}
	}
	same(t, []hashline.Code{hashline.BusyFile}, codes(commit(s, root, edit("f", "0", "1"))))
	require.NoError(t, <-wrote)
	same(t, map[string]string{"f": ""}, contents(t, root.Name()))
	require.Empty(t, heard)
}

// Writers meet in whatever way they reach a folder.
func TestLocksMeetThroughMounts(t *testing.T) {
	needRoot(t, "mount")
	base := t.TempDir()
	put(t, filepath.Join(base, "a/d/f"), "1")
	require.NoError(t, os.Mkdir(filepath.Join(base, "bound"), 0o755))
	if err := unix.Mount(filepath.Join(base, "a/d"), filepath.Join(base, "bound"), "", unix.MS_BIND, ""); err != nil {
		t.Skipf("SKIPPED: cannot mount here: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(filepath.Join(base, "bound"), unix.MNT_DETACH) })
	s := newStore(t)
	hold(t, s, openRoot(t, filepath.Join(base, "a")), "d/f")
	for _, way := range []struct{ root, path string }{{"bound", "f"}, {".", "bound/f"}, {".", "a/d/f"}, {"a/d", "f"}, {"bound", "F"}} {
		requireHeld(t, s, openRoot(t, filepath.Join(base, way.root)), way.path)
	}
}
