package workspace

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/search"
)

// A file that another program has to itself is waited for a moment.
func TestReadLeasedFile(t *testing.T) {
	w := open(t, map[string]string{"a": "found\n"})
	for _, held := range []time.Duration{50 * time.Millisecond, time.Minute} {
		h, err := os.OpenFile(filepath.Join(w.dir, "a"), os.O_RDWR, 0)
		require.NoError(t, err)
		fd := int(h.Fd())
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETSIG, int(unix.SIGURG)); err != nil {
			t.Skipf("SKIPPED: no leases here: %v", err)
		}
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_WRLCK); err != nil {
			t.Skipf("SKIPPED: no leases here: %v", err)
		}
		released := time.AfterFunc(held, func() { h.Close() })
		start := time.Now()
		res, err := w.Read(t.Context(), ReadArgs{Path: "a"})
		if held == time.Minute {
			require.ErrorIs(t, err, hashline.BusyFile)
			require.Less(t, time.Since(start), 10*time.Second)
			res, err := w.Grep(t.Context(), search.Query{Pattern: "found"})
			require.NoError(t, err)
			require.Contains(t, res.Content, "1 unreadable")
			released.Stop()
			require.NoError(t, h.Close())
			continue
		}
		require.NoError(t, err)
		require.Contains(t, res.Content, "1:found")
		_ = released
	}
}

// A name that is too long is that also below folders which are not there.
func TestLongNames(t *testing.T) {
	w := open(t, map[string]string{"d/a": "1\n"})
	long := strings.Repeat("n", 256)
	for _, path := range []string{long, "d/" + long, "p/q/" + long, "p/" + long + "/q", long + "/q"} {
		_, err := w.Write(t.Context(), WriteArgs{Path: path, Content: "x\n"})
		require.ErrorIs(t, err, hashline.BadPath, path)
	}
	_, err := w.Write(t.Context(), WriteArgs{Path: "p/q/" + long[:255], Content: "x\n"})
	require.NoError(t, err)
}

// A number that is too large for an int is not quoted as another.
func TestHugeSteps(t *testing.T) {
	w := open(t, nil)
	for n, want := range map[int]string{math.MaxInt: "steps is larger than can be counted", math.MinInt: "steps is smaller than can be counted", 100_001: "steps is 100001"} {
		_, err := w.Undo(t.Context(), UndoArgs{Steps: &n})
		require.ErrorIs(t, err, hashline.BadArgument)
		require.ErrorContains(t, err, want)
	}
}
