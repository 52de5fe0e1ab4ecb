package commit

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// Waiting for a session in vain leaves no more than one goroutine behind, and
// nothing once it is free.
func TestGivingUpASessionLeavesNothing(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	owner, err := Open(s.Dir())
	require.NoError(t, err)
	m, err := owner.Memory(t.Context(), root, "a")
	require.NoError(t, err)
	before := runtime.NumGoroutine()
	s.Wait = 5 * time.Millisecond
	for range 20 {
		_, err := s.Memory(t.Context(), root, "a")
		require.ErrorIs(t, err, hashline.Locked)
	}
	goroutines(t, before+1)
	m.Release()
	s.Wait = time.Minute
	require.NoError(t, addToMemory(s, root, "a"))
	goroutines(t, before)
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Empty(t, s.gates)
}

// What was not used for long goes, but not while somebody has it.
func TestHeldSessionIsNotPruned(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	require.NoError(t, addToMemory(s, root, "a"))
	other, err := Open(s.Dir())
	require.NoError(t, err)
	m, err := other.Memory(t.Context(), root, "a")
	require.NoError(t, err)
	old := time.Now().Add(-MemoryAge - time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(s.Dir(), memoryFolder, m.file+memorySuffix), old, old))

	require.NoError(t, addToMemory(s, root, "b"))
	s.Wait = 20 * time.Millisecond
	_, err = s.Memory(t.Context(), root, "a")
	require.ErrorIs(t, err, hashline.Locked)
	data, err := m.Load()
	require.NoError(t, err)
	require.Equal(t, "1", string(data))
	m.Release()

	s.Wait = time.Minute
	// The wait that was given up may have the lock for an instant.
	for end := time.Now().Add(time.Minute); ; {
		require.NoError(t, addToMemory(s, root, "b"))
		left, err := filepath.Glob(filepath.Join(s.Dir(), memoryFolder, m.file+".*"))
		require.NoError(t, err)
		if len(left) == 0 {
			break
		}
		require.True(t, time.Now().Before(end), left)
	}
}

// A session has one owner at a time, whatever is pruned meanwhile.
func TestPruningMakesNoSecondOwner(t *testing.T) {
	dir, root := newStore(t).Dir(), newRoot(t, nil)
	const stores, times = 4, 50
	old := time.Now().Add(-MemoryAge - time.Hour)
	var inside, taken, pruned atomic.Int32
	var wg sync.WaitGroup
	for range stores {
		s, err := Open(dir)
		require.NoError(t, err)
		s.Wait = time.Minute
		wg.Go(func() {
			defer taken.Add(times)
			for range times {
				m, err := s.Memory(t.Context(), root, "a")
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two owners")
				}
				err = m.Save([]byte("x"))
				if err == nil {
					err = m.dir.Chtimes(m.file+memorySuffix, old, old)
				}
				if err != nil {
					t.Error(err)
				}
				for n := pruned.Load(); pruned.Load() < n+2; { // at least once meanwhile
					time.Sleep(50 * time.Microsecond)
				}
				inside.Add(-1)
				m.Release()
			}
		})
	}
	s, err := Open(dir)
	require.NoError(t, err)
	s.Wait = time.Minute
	b, err := s.Memory(t.Context(), root, "b")
	require.NoError(t, err)
	for taken.Load() < stores*times {
		b.prune(time.Now().Add(-MemoryAge))
		pruned.Add(1)
	}
	b.Release()
	wg.Wait()
}
