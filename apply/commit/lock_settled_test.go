package commit

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// Whoever takes locks to edit meets no edit that was interrupted, in whatever
// files, since he started.
func TestLockSettled(t *testing.T) {
	for published := range 4 {
		for _, paths := range [][]string{{"a"}, {"n/e/w", "b"}, {"other"}, nil} {
			s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
			old := tree(t, root.Name())
			crash(t, s, root, published, edit("a", "1", "one"), create("n/e/w", "new"), edit("b", "2", "two"))
			held, report, err := s.LockSettled(t.Context(), root, paths)
			require.NoError(t, err)
			if published == 0 {
				same(t, Report{Undone: []string{"a", "n/e/w", "b"}}, report)
				same(t, old, tree(t, root.Name()))
			} else {
				same(t, Report{Done: []string{"a", "n/e/w", "b"}}, report)
				same(t, map[string]string{"a": "one", "b": "two", "n/e/w": "new"}, contents(t, root.Name()))
			}
			held.Release()
			_, report, err = s.LockSettled(t.Context(), root, paths)
			require.NoError(t, err)
			same(t, Report{}, report)
		}
	}
}

// Commits that are under way keep nobody from other files.
func TestLockSettledBesideCommits(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
	asked := 0
	s.step = func(string) {
		held, report, err := s.LockSettled(t.Context(), root, []string{"b"})
		require.NoError(t, err)
		same(t, Report{}, report)
		held.Release()
		asked++
	}
	require.NoError(t, commit(s, root, edit("a", "1", "one"), create("n/e/w", "new")))
	require.NotZero(t, asked)
	same(t, map[string]string{"a": "one", "b": "2", "n/e/w": "new"}, contents(t, root.Name()))
}

// A journal that another process is just recovering is waited for, though the
// locks are free.
func TestLockSettledWaitsForARecovery(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
	crash(t, s, root, 1, edit("a", "1", "one"), edit("b", "2", "two"))
	journals, err := s.existing(journalFolder)
	require.NoError(t, err)
	defer journals.Close()
	names, err := slotNames(journals, "")
	require.NoError(t, err)
	sl, err := openSlot(journals, names[0], 0)
	require.NoError(t, err)
	require.NotNil(t, sl)

	s.Wait = 30 * time.Millisecond
	_, report, err := s.LockSettled(t.Context(), root, []string{"b"})
	require.ErrorIs(t, err, hashline.Locked)
	same(t, Report{}, report)
	// Other files need not wait.
	s.Wait = time.Minute
	held, _, err := s.LockSettled(t.Context(), root, []string{"c"})
	require.NoError(t, err)
	held.Release()

	var wg sync.WaitGroup
	wg.Go(func() {
		time.Sleep(20 * time.Millisecond)
		sl.close()
	})
	held, report, err = s.LockSettled(t.Context(), root, []string{"b"})
	wg.Wait()
	require.NoError(t, err)
	held.Release()
	same(t, Report{Done: []string{"a", "b"}}, report)
	same(t, map[string]string{"a": "one", "b": "two"}, contents(t, root.Name()))
}

// What cannot be recovered keeps nobody from working, and is told.
func TestLockSettledWhereRecoveryFails(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
	crash(t, s, root, 1, edit("a", "1", "one"), edit("b", "2", "two"))
	// No recovery does without the history.
	history := filepath.Join(s.Dir(), historyFolder)
	require.NoError(t, os.Rename(history, history+"-away"))
	require.NoError(t, os.WriteFile(history, nil, 0o600))
	held, report, err := s.LockSettled(t.Context(), root, []string{"a"})
	require.NoError(t, err)
	require.Len(t, report.Conflicts, 1)
	require.Contains(t, report.Conflicts[0].Msg, "an interrupted edit could not be brought to an end: ")
	held.Release()

	require.NoError(t, os.Remove(history))
	require.NoError(t, os.Rename(history+"-away", history))
	held, report, err = s.LockSettled(t.Context(), root, []string{"a"})
	require.NoError(t, err)
	held.Release()
	same(t, Report{Done: []string{"a", "b"}}, report)
}

func BenchmarkLockSettled(b *testing.B) {
	s, root := newStore(b), newRoot(b, map[string]string{"f": "1"})
	require.NoError(b, commit(s, root, edit("f", "1", "2")))
	for _, settled := range []bool{false, true} {
		b.Run(map[bool]string{false: "lock=plain", true: "lock=settled"}[settled], func(b *testing.B) {
			for b.Loop() {
				var held *Held
				var err error
				if settled {
					held, _, err = s.LockSettled(b.Context(), root, []string{"f"})
				} else {
					held, err = s.Lock(b.Context(), root, []string{"f"})
				}
				if err != nil {
					b.Fatal(err)
				}
				held.Release()
			}
		})
	}
}
