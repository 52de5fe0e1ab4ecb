package commit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// smallDisk mounts a file system of a few pages.
func smallDisk(t *testing.T, pages int) string {
	needRoot(t, "mount")
	dir := t.TempDir()
	if err := unix.Mount("none", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=755", pages*os.Getpagesize())); err != nil {
		t.Skipf("SKIPPED: cannot mount here: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// stuff leaves so many pages free on a small disk, and gives what empties it again.
func stuff(t *testing.T, disk string, free int) (empty func()) {
	f, err := os.Create(filepath.Join(disk, "filler"))
	require.NoError(t, err)
	defer f.Close()
	page, n := make([]byte, os.Getpagesize()), 0
	for err == nil {
		if _, err = f.Write(page); err == nil {
			n++
		}
	}
	require.ErrorIs(t, err, unix.ENOSPC)
	require.GreaterOrEqual(t, n, free)
	require.NoError(t, f.Truncate(int64((n-free)*len(page))))
	return func() { require.NoError(t, os.Remove(f.Name())) }
}

// fullScenes are scenes that need more than a page.
func fullScenes() []scene {
	large := strings.Repeat("large\n", 3000)
	return append(scenes(), scene{
		name: "files that grow, one in place",
		build: func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "a"), "1")
			put(t, filepath.Join(dir, "b"), "2")
			require.NoError(t, os.Link(filepath.Join(dir, "b"), filepath.Join(dir, "b2")))
		},
		changes: []Change{edit("a", "1", large), {Path: "b", Old: []byte("2"), New: []byte(large), InPlace: true}, create("n/c", large)},
		old:     map[string]string{"a": "-rw-r--r-- 1", "b": "-rw-r--r-- 2", "b2": "-rw-r--r-- 2"},
		done: map[string]string{"a": "-rw-r--r-- " + short([]byte(large)), "b": "-rw-r--r-- " + short([]byte(large)),
			"b2": "-rw-r--r-- " + short([]byte(large)), "n": "drwxr-xr-x", "n/c": "-rw-r--r-- " + short([]byte(large))},
	})
}

// whole checks what came of a commit for want of something: it did all or
// nothing, which it said, left nothing, and succeeds when it has what it needs.
func (c scene) whole(t *testing.T, s *Store, root *os.Root, err error, hint string, supply func()) {
	t.Helper()
	want := c.done
	if err != nil {
		want = c.old
		for _, d := range diagnostics(err) {
			require.Equal(t, hashline.IO, d.Code, "%v", err)
			require.Contains(t, d.Hint, hint, "%v", err)
		}
	}
	same(t, want, tree(t, root.Name()))
	supply()
	c.quiet(t, s)
	same(t, Report{}, recovered(t, s, root))
	if err != nil {
		_, err := s.CommitNoted(t.Context(), root, Note{Empty: c.empty}, c.changes)
		require.NoError(t, err)
		same(t, c.done, tree(t, root.Name()))
	}
}

// The folder of the targets, that of the state, or both are full, and have room
// for one page more each time until the commit succeeds without a warning.
func TestFullDisk(t *testing.T) {
	for _, c := range fullScenes() {
		for _, full := range []string{"target", "state", "both"} {
			t.Run(c.name+", "+full, func(t *testing.T) {
				failed := 0
				for free := 0; ; free++ {
					require.Less(t, free, 40)
					disk := smallDisk(t, 64)
					s, dir := newStore(t), t.TempDir()
					if full != "target" {
						s.dir = filepath.Join(disk, "state")
					}
					if full != "state" {
						dir = filepath.Join(disk, "root")
						require.NoError(t, os.Mkdir(dir, 0o755))
					}
					c.build(t, dir)
					root := openRoot(t, dir)
					empty := stuff(t, disk, free)
					warnings, err := s.CommitNoted(t.Context(), root, Note{Empty: c.empty}, c.changes)
					c.whole(t, s, root, err, "make room on the disk", empty)
					if err == nil && len(warnings) == 0 {
						break
					}
					for _, d := range warnings {
						require.Equal(t, hashline.NoUndo, d.Code)
					}
					failed++
					require.False(t, t.Failed(), "%d pages were free", free)
				}
				require.NotZero(t, failed)
				t.Logf("%d commits met a full disk", failed)
			})
		}
	}
}

// Where the history is what fills the disk its oldest versions go, but for what
// journals need, and no more of them than an edit needs.
func TestFullOfHistory(t *testing.T) {
	disk := smallDisk(t, 400)
	s, root := newStore(t), newRoot(t, map[string]string{"a": "0", "b": "B", "c": "C"})
	s.dir = filepath.Join(disk, "state")
	text := func(n int) string {
		if n == 0 {
			return "0"
		}
		r := rand.New(rand.NewPCG(uint64(n), 0))
		b := make([]byte, 40<<10)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}
	crash(t, s, root, 1, edit("b", "B", "new b"), edit("c", "C", "new c"))
	last := 0
	for range 30 {
		require.NoError(t, commit(s, root, edit("a", text(last), text(last+1))))
		last++
	}
	stuff(t, disk, 0)
	for range 30 {
		warnings, err := s.Commit(t.Context(), root, []Change{edit("a", text(last), text(last+1))})
		require.NoError(t, err)
		require.Empty(t, warnings)
		last++
	}
	here := 0
	for n := range last {
		if _, err := s.Image(history.Sum([]byte(text(n)))); err == nil {
			here++
		} else {
			require.ErrorIs(t, err, history.ErrMissing)
			require.Zero(t, here, "the oldest go first")
		}
	}
	require.Greater(t, here, 10)
	for _, text := range []string{"B", "C"} {
		_, err := s.Image(history.Sum([]byte(text)))
		require.NoError(t, err)
	}
}

// A recovery on a full disk does what it can, and the rest when there is room.
func TestRecoverOnAFullDisk(t *testing.T) {
	for _, c := range fullScenes() {
		t.Run(c.name, func(t *testing.T) {
			for published := range len(c.changes) + 1 {
				disk := smallDisk(t, 128)
				s, dir := newStore(t), filepath.Join(disk, "root")
				s.dir = filepath.Join(disk, "state")
				require.NoError(t, os.Mkdir(dir, 0o755))
				c.build(t, dir)
				root := openRoot(t, dir)
				crash(t, s, root, published, c.changes...)
				// One that has to be made anew from the history.
				for name := range tree(t, dir) {
					if isTemp(filepath.Base(name)) && published%2 == 1 {
						require.NoError(t, root.Remove(name))
						break
					}
				}
				empty := stuff(t, disk, 0)
				report, err := s.Recover(t.Context(), root)
				if err != nil {
					require.True(t, errors.Is(err, hashline.IO), "%v", err)
				}
				empty()
				more := recovered(t, s, root)
				require.Empty(t, append(report.Conflicts, more.Conflicts...))
				c.quiet(t, s)
				got := tree(t, dir)
				want := c.old
				if got["a"] == c.done["a"] {
					want = c.done
				}
				// The note of what is to be emptied is not in what crash writes.
				for _, dir := range c.empty {
					delete(got, dir)
					delete(want, dir)
				}
				same(t, want, got)
			}
		})
	}
}

// The disk fills up at any step of a commit that had room to begin with.
func TestDiskFillsUpMeanwhile(t *testing.T) {
	failed := 0
	for _, c := range fullScenes() {
		t.Run(c.name, func(t *testing.T) {
			for at := 0; ; at++ {
				disk := smallDisk(t, 128)
				s, dir := newStore(t), filepath.Join(disk, "root")
				s.dir = filepath.Join(disk, "state")
				require.NoError(t, os.Mkdir(dir, 0o755))
				c.build(t, dir)
				root := openRoot(t, dir)
				step, empty := 0, func() {}
				s.step = func(string) {
					if step++; step == at+1 {
						empty = stuff(t, disk, 0)
					}
				}
				warnings, err := s.CommitNoted(t.Context(), root, Note{Empty: c.empty}, c.changes)
				s.step = nil
				for _, d := range warnings {
					require.Equal(t, hashline.NoUndo, d.Code)
				}
				c.whole(t, s, root, err, "make room on the disk", empty)
				require.False(t, t.Failed(), "at step %d", at)
				if step <= at {
					break
				}
				if err != nil || len(warnings) > 0 {
					failed++
				}
			}
		})
	}
	t.Logf("%d steps met a full disk", failed)
	require.NotZero(t, failed)
}

// Bytes that were overwritten cannot be put back while the disk is full: that is
// said, and made good as soon as there is room.
func TestTornOnAFullDisk(t *testing.T) {
	large := strings.Repeat("large\n", 3000)
	disk := smallDisk(t, 128)
	s, dir := newStore(t), filepath.Join(disk, "root")
	s.dir = filepath.Join(disk, "state")
	put(t, filepath.Join(dir, "a"), large)
	put(t, filepath.Join(dir, "b"), "2")
	root := openRoot(t, dir)
	require.NoError(t, root.Link("a", "a2"))
	require.NoError(t, root.Link("b", "b2"))
	var empty func()
	meanwhile(t, s, "b", func() {
		put(t, filepath.Join(dir, "b"), "theirs")
		empty = stuff(t, disk, 0)
	})
	err := commit(s, root, inPlace("a", large, "one"), inPlace("b", "2", "two"))
	s.step = nil
	same(t, []hashline.Code{"torn", hashline.ChangedDuringEdit, hashline.IO}, codes(err))
	require.ErrorContains(t, err, "some of its bytes are new and some old, and could not be put back (no space left on device)")

	held, report, err := s.LockSettled(t.Context(), root, []string{"a"})
	require.NoError(t, err)
	held.Release()
	require.Len(t, report.Conflicts, 1)
	require.Contains(t, report.Conflicts[0].Msg, "no space left on device")
	empty()
	held, report, err = s.LockSettled(t.Context(), root, []string{"a"})
	require.NoError(t, err)
	held.Release()
	require.Len(t, report.Conflicts, 1)
	require.Equal(t, hashline.RecoveryConflict, report.Conflicts[0].Code)
	require.Equal(t, "b", report.Conflicts[0].Path)
	same(t, map[string]string{"a": large, "a2": large, "b": "theirs", "b2": "theirs"}, wholeContents(t, root))
}

func wholeContents(t *testing.T, root *os.Root) map[string]string {
	all := map[string]string{}
	for name := range contents(t, root.Name()) {
		data, err := root.ReadFile(name)
		require.NoError(t, err)
		all[name] = string(data)
	}
	return all
}
