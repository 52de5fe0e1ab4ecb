package workspace_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// A read of 10,000 lines, alone and with a ledger that records it.
func BenchmarkSessionRead(b *testing.B) {
	root := b.TempDir()
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "\tline %d of a file that is read again and again\n", i)
	}
	require.NoError(b, os.WriteFile(filepath.Join(root, "f"), []byte(text.String()), 0o644))
	ws, err := workspace.Open(root, workspace.Config{State: filepath.Join(b.TempDir(), "state")})
	require.NoError(b, err)
	defer ws.Close()
	for _, kind := range []string{"none", "one", "stub"} {
		cfg := workspace.SessionConfig{OutputLimit: 1 << 20, StubReads: kind == "stub"}
		if kind != "none" {
			cfg.Ledger = ledger.New(nil)
		}
		s := ws.Session(cfg)
		b.Run("lines=10000/ledger="+kind, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				res, err := s.Read(b.Context(), workspace.ReadArgs{Path: "f"})
				if err != nil || res.Content == "" {
					b.Fatal(err)
				}
			}
		})
	}
}

// What a session keeps that has read 2,000 files of 300 lines, and what it costs
// to keep that from one process to the next.
func BenchmarkSessionMemory(b *testing.B) {
	root := b.TempDir()
	const files = 2000
	for i := range files {
		var text strings.Builder
		for n := range 300 {
			fmt.Fprintf(&text, "\tline %d of the file %d\n", n, i)
		}
		require.NoError(b, os.WriteFile(filepath.Join(root, fmt.Sprintf("f%d", i)), []byte(text.String()), 0o644))
	}
	ws, err := workspace.Open(root, workspace.Config{State: filepath.Join(b.TempDir(), "state")})
	require.NoError(b, err)
	defer ws.Close()
	l := ledger.New(nil)
	s := ws.Session(workspace.SessionConfig{Ledger: l})
	before := heap()
	for i := range files {
		_, err := s.Read(b.Context(), workspace.ReadArgs{Path: fmt.Sprintf("f%d", i)})
		require.NoError(b, err)
	}
	kept := heap() - before
	var saved bytes.Buffer
	require.NoError(b, l.Save(&saved))
	data := saved.Bytes()
	b.Run("files=2000/do=save", func(b *testing.B) {
		for b.Loop() {
			saved.Reset()
			require.NoError(b, l.Save(&saved))
		}
		b.ReportMetric(float64(kept), "kept-B")
		b.ReportMetric(float64(len(data)), "saved-B")
	})
	b.Run("files=2000/do=load", func(b *testing.B) {
		for b.Loop() {
			_, err := ledger.Load(bytes.NewReader(data), nil)
			require.NoError(b, err)
		}
	})
	runtime.KeepAlive(l)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
