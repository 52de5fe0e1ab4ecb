package commit

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// addToMemory adds one to the number that a session keeps.
func addToMemory(s *Store, root *os.Root, name string) error {
	m, err := s.Memory(context.Background(), root, name)
	if err != nil {
		return err
	}
	defer m.Release()
	data, err := m.Load()
	if err != nil {
		return err
	}
	n := 0
	if data != nil {
		if n, err = strconv.Atoi(string(data)); err != nil {
			return err
		}
	}
	return m.Save([]byte(strconv.Itoa(n + 1)))
}

func remembered(t *testing.T, s *Store, root *os.Root, name string) string {
	t.Helper()
	m, err := s.Memory(t.Context(), root, name)
	require.NoError(t, err)
	defer m.Release()
	data, err := m.Load()
	require.NoError(t, err)
	return string(data)
}

func TestMemoryLosesNothingBetweenProcesses(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	const times = 100
	var running []*exec.Cmd
	for range 3 {
		c := child("remember", s.Dir(), root.Name(), strconv.Itoa(times))
		require.NoError(t, c.Start())
		running = append(running, c)
	}
	for range times { // this process takes part, from one more goroutine
		require.NoError(t, addToMemory(s, root, "agent"))
	}
	for _, c := range running {
		require.NoError(t, c.Wait())
	}
	require.Equal(t, strconv.Itoa(4*times), remembered(t, s, root, "agent"))
	entries, err := os.ReadDir(filepath.Join(s.Dir(), memoryFolder))
	require.NoError(t, err)
	require.Len(t, entries, 2, "one file and its lock")
	for _, e := range entries {
		info, err := e.Info()
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode())
	}
}

func TestMemoriesAreApart(t *testing.T) {
	s, one, two := newStore(t), newRoot(t, nil), newRoot(t, nil)
	require.NoError(t, addToMemory(s, one, "a"))
	require.NoError(t, addToMemory(s, one, "a.b-c_D9"))
	require.Empty(t, remembered(t, s, two, "a"))
	list, err := s.Sessions(one)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "a.b-c_D9", list[0].Name)
	require.Equal(t, "a", list[1].Name)

	m, err := s.Memory(t.Context(), one, "a")
	require.NoError(t, err)
	gone, err := m.Forget()
	require.NoError(t, err)
	require.True(t, gone)
	gone, err = m.Forget()
	require.NoError(t, err)
	require.False(t, gone)
	m.Release()
	require.Empty(t, remembered(t, s, one, "a"))
	require.Equal(t, "1", remembered(t, s, one, "a.b-c_D9"))
}

func TestMemoryIsLocked(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	m, err := s.Memory(t.Context(), root, "a")
	require.NoError(t, err)
	s.Wait = 50 * time.Millisecond
	_, err = s.Memory(t.Context(), root, "a")
	require.ErrorIs(t, err, hashline.Locked)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = s.Memory(ctx, root, "a")
	require.ErrorIs(t, err, hashline.Cancelled)
	m.Release()
	s.Wait = time.Minute
	require.NoError(t, addToMemory(s, root, "a"))
}

func TestMemoryNames(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	for _, name := range []string{"", "a/b", "..\\x", "a b", "ä", "a\n", "a\x00", strings.Repeat("x", 65)} {
		_, err := s.Memory(t.Context(), root, name)
		require.ErrorIs(t, err, hashline.BadArgument, "%q", name)
	}
	require.NoError(t, addToMemory(s, root, ".."))
	require.NoError(t, addToMemory(s, root, strings.Repeat("x", 64)))
}

func TestMemoryIsBounded(t *testing.T) {
	s, root := newStore(t), newRoot(t, nil)
	m, err := s.Memory(t.Context(), root, "a")
	require.NoError(t, err)
	require.ErrorIs(t, m.Save(make([]byte, MaxMemory+1)), hashline.TooLarge)
	require.NoError(t, m.Save([]byte("kept")))
	m.Release()

	old := time.Now().Add(-MemoryAge - time.Hour)
	files, err := filepath.Glob(filepath.Join(s.Dir(), memoryFolder, "*"))
	require.NoError(t, err)
	for _, f := range files {
		require.NoError(t, os.Chtimes(f, old, old))
	}
	require.NoError(t, addToMemory(s, root, "b"))
	list, err := s.Sessions(root)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, "b", list[0].Name)
}
