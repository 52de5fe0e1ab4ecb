package commit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// tries asks for locks as another process would, and waits for so long.
func tries(t *testing.T, s *Store, wait time.Duration, root *os.Root, paths ...string) error {
	t.Helper()
	other, err := Open(s.Dir())
	require.NoError(t, err)
	other.Wait = wait
	held, err := other.Lock(context.Background(), root, paths)
	if err == nil {
		held.Release()
	}
	return err
}

// requireFree requires that the locks can be had, even on a machine with much
// else to do.
func requireFree(t *testing.T, s *Store, root *os.Root, paths ...string) {
	t.Helper()
	require.NoError(t, tries(t, s, time.Minute, root, paths...))
}

// requireHeld requires that the locks cannot be had.
func requireHeld(t *testing.T, s *Store, root *os.Root, paths ...string) {
	t.Helper()
	require.ErrorIs(t, tries(t, s, 10*time.Millisecond, root, paths...), hashline.Locked, paths)
}

func TestOneFileOneLock(t *testing.T) {
	base := t.TempDir()
	put(t, filepath.Join(base, "sub/dir/f"), "1")
	require.NoError(t, os.Symlink("sub/dir", filepath.Join(base, "link")))
	require.NoError(t, os.Symlink(base, filepath.Join(t.TempDir(), "root")))
	wide := openRoot(t, base)
	nested := openRoot(t, filepath.Join(base, "sub"))
	linked := openRoot(t, filepath.Join(base, "link"))
	s := newStore(t)
	type name struct {
		root *os.Root
		path string
	}
	for _, names := range [][]name{
		{{wide, "sub/dir/f"}, {nested, "dir/f"}, {linked, "f"}, {wide, "link/f"}, {nested, "dir/F"}},
		{{wide, "sub/dir/new"}, {nested, "dir/new"}, {linked, "new"}, {linked, "NEW"}},
		{{wide, "sub/dir/n/e/w"}, {nested, "dir/n/e/w"}, {linked, "n/e/w"}, {linked, "N/e/W"}},
		{{linked, "f/below/a/file"}, {wide, "link/f/below/a/file"}},
		{{linked, "\u00e9"}, {wide, "link/e\u0301"}},
	} {
		for _, a := range names {
			held, err := s.Lock(context.Background(), a.root, []string{a.path})
			require.NoError(t, err)
			for _, b := range names {
				requireHeld(t, s, b.root, b.path)
			}
			held.Release()
			held.Release()
			requireFree(t, s, a.root, a.path)
		}
	}
}

func TestOtherFilesAreNotLocked(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "d/a": "1"})
	held, err := s.Lock(context.Background(), root, []string{"a"})
	require.NoError(t, err)
	defer held.Release()
	free := 0
	for i := range 20 {
		if tries(t, s, 2*time.Second, root, fmt.Sprintf("d/other%d", i)) == nil {
			free++
		}
	}
	// Two files share a lock once in 1024.
	require.GreaterOrEqual(t, free, 17)
}

// A set may be larger than the number of locks, and may name a file twice.
func TestManyFiles(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	paths := []string{"f1", "f1"}
	for i := range 2 * stripes {
		paths = append(paths, fmt.Sprintf("d%d/f%d", i%7, i))
	}
	held, err := s.Lock(context.Background(), root, paths)
	require.NoError(t, err)
	require.LessOrEqual(t, len(held.locks), stripes)
	requireHeld(t, s, root, "f1")
	held.Release()
	entries, err := os.ReadDir(filepath.Join(s.Dir(), lockFolder))
	require.NoError(t, err)
	require.LessOrEqual(t, len(entries), stripes)

	none, err := s.Lock(context.Background(), root, nil)
	require.NoError(t, err)
	none.Release()
}

func TestOverlappingSets(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	other, err := Open(s.Dir())
	require.NoError(t, err)
	sets := [][]string{{"a", "b", "c", "d"}, {"d", "c", "b", "a"}, {"c", "a"}, {"b", "d"}}
	busy := map[string]int{}
	var mu sync.Mutex
	enter := func(set []string, by int) {
		mu.Lock()
		defer mu.Unlock()
		for _, p := range set {
			if by > 0 && busy[p] > 0 {
				t.Errorf("two owners of %s", p)
			}
			busy[p] += by
		}
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 100 {
				set := sets[i%len(sets)]
				held, err := []*Store{s, other}[i%2].Lock(context.Background(), root, set)
				if err != nil {
					t.Error(err)
					return
				}
				enter(set, 1)
				enter(set, -1)
				held.Release()
			}
		})
	}
	wg.Wait()
}

func TestLockCancelled(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	held, err := s.Lock(context.Background(), root, []string{"b"})
	require.NoError(t, err)

	for _, waiter := range []*Store{s, func() *Store { o, _ := Open(s.Dir()); return o }()} {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		_, err = waiter.Lock(ctx, root, []string{"a", "b"})
		require.ErrorIs(t, err, hashline.Cancelled)

		ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
		_, err = waiter.Lock(ctx, root, []string{"a", "b"})
		cancel()
		require.ErrorIs(t, err, hashline.Timeout)
		requireFree(t, s, root, "a") // a refused call keeps no lock
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = s.Lock(ctx, root, []string{"free"})
	require.ErrorIs(t, err, hashline.Cancelled)

	held.Release()
	requireFree(t, s, root, "a", "b")
}

// Whoever waits for the lock of a file in a folder that is then made gets the
// lock that the file has from then on.
func TestFolderMadeWhileWaiting(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	first, err := s.Lock(context.Background(), root, []string{"d/f"})
	require.NoError(t, err)
	got := make(chan *Held)
	go func() {
		held, err := s.Lock(context.Background(), root, []string{"d/f"})
		if err != nil {
			t.Error(err)
		}
		got <- held
	}()
	time.Sleep(20 * time.Millisecond)
	_, err = s.Commit(context.Background(), root, []Change{create("d/f", "1")})
	require.NoError(t, err)
	first.Release()
	second := <-got
	requireHeld(t, s, root, "d/f")
	second.Release()
	requireFree(t, s, root, "d/f")
}

// goroutines waits until there are at most so many: one that is done takes a
// moment to end.
func goroutines(t *testing.T, most int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > most; {
		require.True(t, time.Now().Before(end), "%d goroutines, not %d", runtime.NumGoroutine(), most)
		time.Sleep(time.Millisecond)
	}
}

// Waiting in vain leaves no more than one goroutine a lock behind, and none once
// the lock is free.
func TestGivingUpLeavesNothing(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	owner, err := Open(s.Dir())
	require.NoError(t, err)
	held, err := owner.Lock(context.Background(), root, []string{"a"})
	require.NoError(t, err)
	before := runtime.NumGoroutine()
	s.Wait = 5 * time.Millisecond
	for range 20 {
		_, err := s.Lock(context.Background(), root, []string{"a"})
		require.ErrorIs(t, err, hashline.Locked)
	}
	goroutines(t, before+1)
	held.Release()
	s.Wait = time.Minute
	held, err = s.Lock(context.Background(), root, []string{"a"})
	require.NoError(t, err)
	held.Release()
	goroutines(t, before)
}

// A removed state folder is made again, and does not lock anybody out or in.
func TestStateFolderRemoved(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	held, err := s.Lock(context.Background(), root, []string{"a"})
	require.NoError(t, err)
	if err := os.RemoveAll(s.Dir()); err != nil {
		t.Skipf("SKIPPED: the system does not let go of it: %v", err)
	}
	held.Release()
	held, err = s.Lock(context.Background(), root, []string{"a"})
	require.NoError(t, err)
	requireHeld(t, s, root, "a")
	held.Release()
}
