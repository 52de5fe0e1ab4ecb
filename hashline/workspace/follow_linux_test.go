package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/hashline"
)

// A folder that changes places with a link out of the root, at any moment, is
// followed as the one or refused as the other, and is no failure of the system.
func TestFolderSwappedWithLink(t *testing.T) {
	s := open(t, map[string]string{"d/f": "mine\n"})
	out := t.TempDir()
	put(t, filepath.Join(out, "f"), "theirs\n")
	folder, link := filepath.Join(s.dir, "d"), filepath.Join(s.dir, "other")
	require.NoError(t, os.Symlink(out, link))
	swap := func() error {
		return unix.Renameat2(unix.AT_FDCWD, folder, unix.AT_FDCWD, link, unix.RENAME_EXCHANGE)
	}
	if err := swap(); err != nil {
		t.Skipf("SKIPPED: the file system cannot exchange names: %v", err)
	}
	stop, done := make(chan struct{}), make(chan error)
	go func() {
		for {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			if err := swap(); err != nil {
				done <- err
				return
			}
		}
	}()
	seen := map[hashline.Code]int{}
	note := func(err error) {
		if err == nil {
			seen[""]++
			return
		}
		for _, d := range faultsOf(err) {
			seen[d.Code]++
			require.Contains(t, []hashline.Code{hashline.OutsideRoot, hashline.ChangedDuringEdit, hashline.NotFound}, d.Code, d.Msg)
			require.NotContains(t, d.Error(), "theirs")
		}
	}
	// Until all outcomes were seen, for a while at least, and a minute at most.
	begin := time.Now()
	for n := 0; n < 1000 || (seen[""] < 100 || seen[hashline.OutsideRoot] < 100) && time.Since(begin) < time.Minute; n++ {
		_, err := s.resolve("d/f")
		note(err)
		res, err := s.Read(t.Context(), ReadArgs{Path: "d/f"})
		note(err)
		if err == nil {
			head, _, _ := strings.Cut(res.Content, "\n")
			_, err = s.Edit(t.Context(), head+"\nPUT >1:\n+more\n")
			note(err)
		}
		_, err = s.Write(t.Context(), WriteArgs{Path: "d/new", Content: "x\n"})
		note(err)
	}
	close(stop)
	require.NoError(t, <-done)
	t.Log(seen)
	require.Positive(t, seen[""])
	require.Positive(t, seen[hashline.OutsideRoot])
	list, err := os.ReadDir(out)
	require.NoError(t, err)
	require.Len(t, list, 1)
}
