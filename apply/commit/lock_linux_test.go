package commit

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// kernelSays waits until the kernel's list of locks has a word in a line with
// our process, or until done. Where the list does not tell of us it skips.
func kernelSays(t *testing.T, word string, done func() bool) {
	t.Helper()
	if err := kernelTells(); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	for end := time.Now().Add(time.Minute); !done() && !kernelLists(word); time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end), "the kernel does not say %s", word)
	}
}

// kernelLists reports whether the kernel's list of locks has a word in a line with
// our process.
func kernelLists(word string) bool {
	pid := strconv.Itoa(os.Getpid())
	locks, _ := os.ReadFile("/proc/locks")
	for line := range strings.Lines(string(locks)) {
		if f := strings.Fields(line); slices.Contains(f, word) && slices.Contains(f, pid) {
			return true
		}
	}
	return false
}

// kernelTells says why the kernel's list of locks does not tell of our process.
var kernelTells = sync.OnceValue(func() error {
	f, err := os.CreateTemp("", "lock")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := lockFile(f); err != nil {
		return err
	}
	if !kernelLists("FLOCK") {
		return errors.New("/proc/locks does not list the locks of this process")
	}
	return nil
})

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
		kernelSays(t, "->", func() bool { return first.Load() })
		mine.Release()
		mine, err = s.Lock(context.Background(), root, []string{"a"})
		require.NoError(t, err)
		require.True(t, first.Load())
		mine.Release()
		<-done
	}
}
