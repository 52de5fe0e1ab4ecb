package commit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// holdGuard has the history to itself, as a process that clears it up.
func holdGuard(t *testing.T, s *Store) (release func()) {
	f, err := os.OpenFile(filepath.Join(s.Dir(), historyFolder, guardFile), os.O_RDWR, 0)
	require.NoError(t, err)
	held, err := tryLockFile(f)
	require.NoError(t, err)
	require.False(t, held)
	return func() { f.Close() }
}

// TestGuardIsNotWaitedForLong has the history in the hands of one who was stopped.
func TestGuardIsNotWaitedForLong(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1"})
	require.NoError(t, commit(s, root, edit("a", "1", "2")))
	before := tree(t, root.Name())
	release := holdGuard(t, s)
	s.Wait = 300 * time.Millisecond

	start := time.Now()
	err := commit(s, root, edit("a", "2", "3"))
	require.ErrorIs(t, err, hashline.Locked)
	require.Contains(t, err.Error(), "gave up after 300ms")
	require.GreaterOrEqual(t, time.Since(start), s.Wait)

	_, err = s.Records(root, func(Record) bool { return true })
	require.ErrorIs(t, err, hashline.Locked)
	_, _, err = s.Usage()
	require.ErrorIs(t, err, hashline.Locked)

	s.Wait = time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = s.Commit(ctx, root, []Change{edit("a", "2", "3")})
	require.ErrorIs(t, err, hashline.Timeout)
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err = s.Commit(ctx, root, []Change{edit("a", "2", "3")})
	require.ErrorIs(t, err, hashline.Cancelled)
	s.Count("nothing") // it would wait for an hour
	require.Equal(t, before, tree(t, root.Name()))

	release()
	require.NoError(t, commit(s, root, edit("a", "2", "3")))
	counts, err := s.Counts()
	require.NoError(t, err)
	require.NotContains(t, fmt.Sprint(counts), "nothing")
}

// Whoever clears the history up for a moment is waited for.
func TestGuardIsWaitedFor(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1"})
	require.NoError(t, commit(s, root, edit("a", "1", "2")))
	time.AfterFunc(50*time.Millisecond, holdGuard(t, s))
	require.NoError(t, commit(s, root, edit("a", "2", "3")))
}
