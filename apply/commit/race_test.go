package commit

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// A reader sees the old file or the new one, never a part of either.
func TestReaderSeesWholeFiles(t *testing.T) {
	version := func(n int) []byte { return bytes.Repeat(fmt.Appendf(nil, "%08d\n", n), 10_000) }
	root, s := newRoot(t, map[string]string{"f": string(version(0))}), newStore(t)
	var done atomic.Bool
	var versions atomic.Int32
	var reads int
	seen := map[string]bool{}
	var wg sync.WaitGroup
	wg.Go(func() {
		for !done.Load() {
			b, err := root.ReadFile("f")
			if err != nil || len(b) != 90_000 || !bytes.Equal(b, bytes.Repeat(b[:9], 10_000)) {
				t.Errorf("a torn file: %d bytes, %v", len(b), err)
				return
			}
			reads++
			seen[string(b[:9])] = true
			versions.Store(int32(len(seen)))
		}
	})
	for n, end := 0, time.Now().Add(time.Minute); n < 200 || versions.Load() < 2 && time.Now().Before(end); n++ {
		if err := commit(s, root, Change{Path: "f", Old: version(n), New: version(n + 1)}); err != nil {
			t.Error(err)
			break
		}
	}
	done.Store(true)
	wg.Wait()
	require.Greater(t, len(seen), 1, "%d reads", reads)
	same(t, 1, len(tree(t, root.Name())))
}

// A folder that is swapped to and fro for a link leads nowhere outside, where
// the same files lie with the same bytes.
func TestFolderSwappedForLink(t *testing.T) {
	base := t.TempDir()
	put(t, filepath.Join(base, "in/d/f"), "0")
	put(t, filepath.Join(base, "outside/f"), "0")
	outside := filepath.Join(base, "outside")
	before := stamped(t, outside)
	root, s := openRoot(t, filepath.Join(base, "in")), newStore(t)
	d := filepath.Join(base, "in/d")

	var done atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := 0; !done.Load(); n++ {
			// As long as a commit takes, more or less.
			time.Sleep(time.Duration(n%10) * 50 * time.Microsecond)
			if err := os.Rename(d, d+"2"); err != nil {
				t.Error(err)
				return
			}
			// While there is neither folder nor link, a new file may make the
			// folder anew.
			if os.Symlink("../outside", d) == nil {
				os.Remove(d)
			}
			for os.Rename(d+"2", d) != nil {
				os.RemoveAll(d)
			}
		}
	})
	outcomes := map[string]int{}
	enough := func() bool { return outcomes["edited"] >= 100 && outcomes["changed_during_edit"] >= 100 }
	for i, start := 0, time.Now(); (i < 3000 || !enough() && time.Since(start) < 2*time.Minute) && !t.Failed(); i++ {
		c := Change{Path: "d/f", Old: []byte("0"), New: []byte("1")}
		if i%2 == 1 {
			c = create(fmt.Sprintf("d/new%d", i), "1")
		}
		// Edited and put back at once, so that the outside stays just as good a
		// target.
		_, err := s.Commit(context.Background(), root, []Change{c})
		if err == nil && !c.Create {
			outcomes["edited"]++
			for err := error(hashline.IO); err != nil && !t.Failed(); {
				_, err = s.Commit(context.Background(), root, []Change{edit("d/f", "1", "0")})
			}
			continue
		}
		for _, code := range codes(err) {
			outcomes[string(code)]++
			if code != hashline.ChangedDuringEdit {
				t.Errorf("%v", err)
			}
		}
	}
	done.Store(true)
	wg.Wait()
	t.Log(outcomes)
	require.True(t, enough())
	same(t, before, stamped(t, outside))
	for name := range tree(t, filepath.Join(base, "in")) {
		if strings.Contains(name, tempPrefix) {
			t.Errorf("%s was left behind", name)
		}
	}
}

// Writers of ours that edit overlapping sets of files lose nothing and get on.
func TestOverlappingCommits(t *testing.T) {
	root, s := newRoot(t, map[string]string{"a": "", "b": "", "c": ""}), newStore(t)
	sets := [][]string{{"a", "b"}, {"b", "c"}, {"c", "a"}}
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			for range 30 {
				if err := appendAll(s, root, sets[i%3], "x"); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	all := strings.Repeat("x", 120)
	for _, name := range []string{"a", "b", "c"} {
		b, err := root.ReadFile(name)
		require.NoError(t, err)
		same(t, all, string(b))
	}
	same(t, 3, len(tree(t, root.Name())))
}

func appendAll(s *Store, root *os.Root, names []string, what string) error {
	held, err := s.Lock(context.Background(), root, names)
	if err != nil {
		return err
	}
	defer held.Release()
	var changes []Change
	for _, name := range names {
		old, err := root.ReadFile(name)
		if err != nil {
			return err
		}
		changes = append(changes, edit(name, string(old), string(old)+what))
	}
	_, err = s.Commit(context.Background(), root, changes)
	return err
}
