package commit

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkCommit edits one file under its lock, and for comparison writes one
// in place.
func BenchmarkCommit(b *testing.B) {
	for _, size := range []int{10 << 10, 10 << 20} {
		a := bytes.Repeat([]byte("a line of text, as long as lines are\n"), size/37)
		z := append(bytes.Clone(a), 'z')
		b.Run(fmt.Sprintf("how=plain/size=%d", size), func(b *testing.B) {
			name := filepath.Join(b.TempDir(), "f")
			b.SetBytes(int64(size))
			for b.Loop() {
				if err := os.WriteFile(name, a, 0o644); err != nil {
					b.Fatal(err)
				}
			}
		})
		for _, sync := range []bool{false, true} {
			b.Run(fmt.Sprintf("how=commit/sync=%v/size=%d", sync, size), func(b *testing.B) {
				s, root := newStore(b), newRoot(b, map[string]string{"d/f": string(a)})
				s.NoSync = !sync
				old, next := a, z
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					held, err := s.Lock(context.Background(), root, []string{"d/f"})
					if err != nil {
						b.Fatal(err)
					}
					if _, err := s.Commit(context.Background(), root, []Change{{Path: "d/f", Old: old, New: next}}); err != nil {
						b.Fatal(err)
					}
					held.Release()
					old, next = next, old
				}
			})
		}
	}
}
