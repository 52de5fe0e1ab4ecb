package main

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot"
)

// zeros is a file of n bytes.
type zeros struct{ n int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.n == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), z.n)
	clear(p[:n])
	z.n -= n
	return int(n), nil
}

// Whatever the size is said to be, all is read, and files share the memory.
func TestTaggerReads(t *testing.T) {
	var g tagger
	for _, c := range []struct{ size, n int64 }{{0, 0}, {0, 5}, {5, 5}, {9, 5}, {5, 9}, {1 << 20, 1 << 20}, {0, 3 << 20}, {3, 3}} {
		text := strings.Repeat("x", int(c.n))
		require.NoError(t, g.read(strings.NewReader(text), c.size))
		require.True(t, string(g.data) == text, "%+v", c)
	}
	require.GreaterOrEqual(t, cap(g.data), 3<<20)
	require.Error(t, g.read(io.MultiReader(bytes.NewReader([]byte("x")), failingReader{}), 1))
}

// Tagging takes about as much memory as the largest file.
func TestTaggerMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short mode: reads 700 MB")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	g := tagger{scheme: snapshot.XXH64}
	const size = 200 << 20
	for range 3 {
		require.NoError(t, g.read(&zeros{size}, size))
		require.Len(t, g.data, size)
	}
	var d *hashline.Diagnostic
	require.True(t, errors.As(g.read(&zeros{1}, workspace.MaxFile+1), &d))
	require.Equal(t, hashline.TooLarge, d.Code)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(size+size/8))
}
