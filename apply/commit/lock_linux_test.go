package commit

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// kernelSays waits until the kernel's list of locks has a word in a line with
// our process, or until done.
func kernelSays(word string, done func() bool) {
	pid := strconv.Itoa(os.Getpid())
	for end := time.Now().Add(10 * time.Second); !done() && time.Now().Before(end); time.Sleep(time.Millisecond) {
		locks, err := os.ReadFile("/proc/locks")
		if err != nil {
			time.Sleep(time.Second) // that must do, then
			return
		}
		for line := range strings.Lines(string(locks)) {
			if f := strings.Fields(line); slices.Contains(f, word) && slices.Contains(f, pid) {
				return
			}
		}
	}
}

// Who waits for a lock gets it before one who has just let go of it.
func TestLocksAreHandedOver(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	other, err := Open(s.Dir())
	require.NoError(t, err)
	for range 5 {
		mine, err := s.Lock(context.Background(), root, []string{"a"})
		require.NoError(t, err)
		done := make(chan struct{})
		var first atomic.Bool
		go func() {
			defer close(done)
			theirs, err := other.Lock(context.Background(), root, []string{"a"})
			if err != nil {
				t.Error(err)
				return
			}
			first.Store(true) // under the lock
			theirs.Release()
		}()
		kernelSays("->", func() bool { return first.Load() })
		mine.Release()
		mine, err = s.Lock(context.Background(), root, []string{"a"})
		require.NoError(t, err)
		require.True(t, first.Load())
		mine.Release()
		<-done
	}
}
