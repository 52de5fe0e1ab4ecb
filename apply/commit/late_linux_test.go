package commit

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// lateBytes lists what the history has of replaced files.
func lateBytes(t *testing.T, s *Store) (all []string) {
	names, err := filepath.Glob(filepath.Join(s.Dir(), "history/late/*"))
	require.NoError(t, err)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		all = append(all, string(data))
	}
	return all
}

func holdOpen(t *testing.T, path string) (write func(string)) {
	h, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	require.NoError(t, err)
	t.Cleanup(func() { h.Close() })
	return func(s string) {
		_, err := h.WriteString(s)
		require.NoError(t, err)
	}
}

// Without leases, what a program writes to a replaced file that it has open is
// there for a day.
func TestLateWritesAreKept(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "gone": "2"})
	s.noLease = true
	at := func(name string) string { return filepath.Join(root.Name(), name) }
	first, second := holdOpen(t, at("a")), holdOpen(t, at("gone"))
	require.NoError(t, commit(s, root, edit("a", "1", "one"), Change{Path: "gone", Old: []byte("2"), Remove: true}))
	require.Equal(t, []string{"1", "2"}, lateBytes(t, s))
	first(" late")
	second(" later")
	require.Equal(t, []string{"1 late", "2 later"}, lateBytes(t, s))
	same(t, map[string]string{"a": "one"}, contents(t, root.Name()))
	for want, data := range map[string]string{"1": "1", "2": "2"} {
		image, err := s.Image(history.Sum([]byte(data)))
		require.NoError(t, err)
		require.Equal(t, want, string(image))
	}

	// Their own times do not count.
	names, err := filepath.Glob(filepath.Join(s.Dir(), "history/late/*"))
	require.NoError(t, err)
	for _, name := range names {
		require.NoError(t, os.Chtimes(name, time.Unix(0, 0), time.Unix(0, 0)))
	}
	prune := func(now time.Time) {
		p, err := s.past(t.Context(), 0, true)
		require.NoError(t, err)
		defer p.close()
		require.NoError(t, p.history.Prune(now, nil))
	}
	prune(time.Now().Add(history.LateAge - time.Hour))
	require.Len(t, lateBytes(t, s), 2)
	prune(time.Now().Add(history.LateAge + time.Hour))
	require.Len(t, lateBytes(t, s), 2, "one look at the clock is not enough")
	prune(time.Now().Add(2*history.LateAge + 2*time.Hour))
	require.Empty(t, lateBytes(t, s))
	_, err = s.Image(history.Sum([]byte("1")))
	require.NoError(t, err)
}

// A lease says that there can be no late writes.
func TestNothingIsKeptWithLeases(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1"})
	needLease(t, root)
	require.NoError(t, commit(s, root, edit("a", "1", "one")))
	require.Empty(t, lateBytes(t, s))
	crash(t, s, root, 1, edit("a", "one", "two"))
	same(t, Report{Done: []string{"a"}}, recovered(t, s, root))
	require.Empty(t, lateBytes(t, s))
	// Who opened the file between the kill and the recovery is not lost either.
	tr := crash(t, s, root, 1, edit("a", "two", "three"))
	write := holdOpen(t, filepath.Join(root.Name(), tr.files[0].stageName))
	same(t, Report{Done: []string{"a"}}, recovered(t, s, root))
	write(" late")
	require.Equal(t, []string{"two late"}, lateBytes(t, s))
}

// Where the history lies on another file system there is no way; nothing else
// changes.
func TestLateElsewhere(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1"})
	s.noLease = true
	s.dir = filepath.Join(smallDisk(t, 256), "state")
	require.NoError(t, commit(s, root, edit("a", "1", "one")))
	require.Empty(t, lateBytes(t, s))
	same(t, map[string]string{"a": "one"}, contents(t, root.Name()))
	info, err := root.Lstat("a")
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o644), info.Mode())
}
