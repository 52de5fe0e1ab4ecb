package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// TestParallelEditsLoseNothing lets many callers add rows to the same files at
// once, each trying again as its refusal says: every row must be there in the
// end, once.
func TestParallelEditsLoseNothing(t *testing.T) {
	w := open(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	const callers, rows = 8, 6
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			for r := range rows {
				for {
					var doc strings.Builder
					for _, name := range []string{"a.txt", "b.txt"} {
						res, err := w.Read(context.Background(), ReadArgs{Path: name})
						if err != nil {
							t.Error(err)
							return
						}
						header, _, _ := strings.Cut(res.Content, "\n")
						fmt.Fprintf(&doc, "%s\nPUT >$:\n+caller %d row %d\n", header, c, r)
					}
					_, err := w.Edit(context.Background(), doc.String())
					if err == nil {
						break
					}
					if !errors.Is(err, hashline.StaleTag) {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	all.Wait()
	for _, name := range []string{"a.txt", "b.txt"} {
		text := onDisk(t, w, name)
		for c := range callers {
			for r := range rows {
				require.Equal(t, 1, strings.Count(text, fmt.Sprintf("caller %d row %d\n", c, r)), name)
			}
		}
	}
	left, err := filepath.Glob(filepath.Join(w.dir, ".hashline-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestLinkSwappedWhileEditing swaps a folder for a link that leads outside,
// again and again, while edits, reads and writes run: nothing outside may be
// shown or changed.
func TestLinkSwappedWhileEditing(t *testing.T) {
	w := open(t, map[string]string{"d/f.txt": "inside\n", "real/f.txt": "inside\n"})
	out := t.TempDir()
	put(t, filepath.Join(out, "f.txt"), "outside\n")
	link := filepath.Join(w.dir, "way")
	symlink(t, "d", link)
	stop := make(chan struct{})
	var swapper sync.WaitGroup
	swapper.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			target := []string{"d", out, "real"}[i%3]
			next := link + ".next"
			if os.Symlink(target, next) == nil {
				os.Rename(next, link)
			}
		}
	})
	ctx := context.Background()
	for i := range 300 {
		if res, err := w.Read(ctx, ReadArgs{Path: "way/f.txt"}); err == nil {
			require.NotContains(t, res.Content, "outside")
			header, _, _ := strings.Cut(res.Content, "\n")
			_, err = w.Edit(ctx, fmt.Sprintf("%s\nPUT 1:\n+inside %d\n", header, i))
			if err != nil {
				require.NotContains(t, err.Error(), "outside\n")
			}
		}
		_, _ = w.Write(ctx, WriteArgs{Path: fmt.Sprintf("way/new%d.txt", i%5), Content: "x\n"})
	}
	close(stop)
	swapper.Wait()
	data, err := os.ReadFile(filepath.Join(out, "f.txt"))
	require.NoError(t, err)
	require.Equal(t, "outside\n", string(data))
	names, err := os.ReadDir(out)
	require.NoError(t, err)
	require.Len(t, names, 1)
}
