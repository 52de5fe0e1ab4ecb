package commit

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// crash runs a commit up to the point where some files are published, and leaves
// all as a process does that is killed then.
func crash(t *testing.T, s *Store, root *os.Root, published int, changes ...Change) *transaction {
	t.Helper()
	tr := newTransaction(root, false, nil)
	tr.noLease = s.noLease
	require.NoError(t, tr.prepare(t.Context(), changes))
	require.NoError(t, tr.begin(t.Context(), s, Note{Tool: "test"}))
	require.NoError(t, tr.stageAll(t.Context()))
	require.NoError(t, tr.markStaged())
	require.NoError(t, tr.verify())
	for _, f := range tr.givingOrder()[:published] {
		require.NoError(t, tr.give(f))
	}
	tr.close()
	tr.chronicle.close()
	return tr
}

func recovered(t *testing.T, s *Store, root *os.Root) Report {
	t.Helper()
	report, err := s.Recover(t.Context(), root)
	require.NoError(t, err)
	return report
}

// ids lists the records of a root.
func ids(t *testing.T, s *Store, root *os.Root) []string {
	var list []string
	_, err := s.Records(root, func(r Record) bool { list = append(list, r.ID); return true })
	require.NoError(t, err)
	return list
}

func TestRecoverNothing(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1"})
	same(t, Report{}, recovered(t, s, root))
	require.NoDirExists(t, s.Dir())
	require.NoError(t, commit(s, root, edit("a", "1", "2")))
	same(t, Report{}, recovered(t, s, root))
	same(t, map[string]string{"a": "2"}, contents(t, root.Name()))
}

func TestRecover(t *testing.T) {
	changes := []Change{edit("a", "1", "one"), create("n/e/w", "new"), edit("b", "2", "two")}
	done := map[string]string{"a": "one", "b": "two", "n/e/w": "new"}
	for published := range 4 {
		s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
		old := tree(t, root.Name())
		crash(t, s, root, published, changes...)
		report := recovered(t, s, root)
		if published == 0 {
			same(t, Report{Undone: []string{"a", "n/e/w", "b"}}, report)
			same(t, old, tree(t, root.Name()))
			require.Empty(t, ids(t, s, root))
		} else {
			same(t, Report{Done: []string{"a", "n/e/w", "b"}}, report)
			same(t, done, contents(t, root.Name()))
			require.Len(t, tree(t, root.Name()), 5)
			require.Len(t, ids(t, s, root), 1)
		}
		same(t, Report{}, recovered(t, s, root))
	}
}

// Where a new version is lost the others are taken back, with mode and time.
func TestRecoverBackwards(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2", "gone": "3"})
	require.NoError(t, root.Chmod("a", 0o751))
	before := stamped(t, root.Name())
	tr := crash(t, s, root, 3, edit("a", "1", "one"), create("n/e/w", "new"), Change{Path: "gone", Old: []byte("3"), Remove: true}, edit("b", "2", "two"))
	require.NoError(t, root.Remove(tr.files[3].stageName))
	same(t, Report{Undone: []string{"a", "n/e/w", "gone", "b"}}, recovered(t, s, root))
	same(t, before, stamped(t, root.Name()))
	require.Empty(t, ids(t, s, root))
}

// Another writer's version is left, named, and never lost.
func TestRecoveryConflict(t *testing.T) {
	changes := []Change{edit("a", "1", "one"), edit("b", "2", "two"), create("c", "new")}
	for _, c := range []struct {
		name      string
		published int
		do        func(t *testing.T, root *os.Root, tr *transaction)
		report    Report
		conflicts []string
		want      map[string]string
	}{
		{"before it was new", 1, func(t *testing.T, root *os.Root, _ *transaction) {
			put(t, filepath.Join(root.Name(), "b"), "theirs")
		}, Report{Undone: []string{"a", "c"}}, []string{"b"}, map[string]string{"a": "1", "b": "theirs"}},
		{"after it was new", 1, func(t *testing.T, root *os.Root, _ *transaction) {
			put(t, filepath.Join(root.Name(), "a"), "theirs")
		}, Report{Done: []string{"b", "c"}}, []string{"a"}, map[string]string{"a": "theirs", "b": "two", "c": "new"}},
		{"a file gone", 2, func(t *testing.T, root *os.Root, _ *transaction) {
			require.NoError(t, root.Remove("b"))
		}, Report{Done: []string{"a", "c"}}, []string{"b"}, map[string]string{"a": "one", "c": "new"}},
		{"a folder in its place", 1, func(t *testing.T, root *os.Root, _ *transaction) {
			require.NoError(t, root.Remove("b"))
			put(t, filepath.Join(root.Name(), "b/x"), "theirs")
		}, Report{Undone: []string{"a", "c"}}, []string{"b"}, map[string]string{"a": "1", "b/x": "theirs"}},
		{"the new file is there", 2, func(t *testing.T, root *os.Root, _ *transaction) {
			put(t, filepath.Join(root.Name(), "c"), "theirs")
		}, Report{Undone: []string{"a", "b"}}, []string{"c"}, map[string]string{"a": "1", "b": "2", "c": "theirs"}},
		{"replaced in the last moment", 2, func(t *testing.T, root *os.Root, tr *transaction) {
			// What an exchange of the two names leaves.
			put(t, filepath.Join(root.Name(), tr.files[1].stageName), "theirs")
		}, Report{Undone: []string{"a", "c"}}, []string{"b"}, map[string]string{"a": "1", "b": "theirs"}},
		{"exchanged", 2, func(t *testing.T, root *os.Root, tr *transaction) {
			put(t, filepath.Join(root.Name(), tr.files[1].stageName), "2")
		}, Report{Done: []string{"a", "b", "c"}}, nil, map[string]string{"a": "one", "b": "two", "c": "new"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
			tr := crash(t, s, root, c.published, changes...)
			c.do(t, root, tr)
			report := recovered(t, s, root)
			var named []string
			for _, d := range report.Conflicts {
				require.Equal(t, hashline.RecoveryConflict, d.Code)
				named = append(named, d.Path)
			}
			same(t, c.conflicts, named)
			report.Conflicts = nil
			same(t, c.report, report)
			same(t, c.want, contents(t, root.Name()))
			for _, old := range []string{"1", "2"} {
				data, err := s.Image(history.Sum([]byte(old)))
				require.NoError(t, err)
				require.Equal(t, old, string(data))
			}
			same(t, Report{}, recovered(t, s, root))
		})
	}
}

// A workspace that was moved is recovered where it is; one that was deleted, and
// another in its place, comes to no harm.
func TestRecoverMovedAndDeleted(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	s := newStore(t)
	put(t, at("w/a"), "1")
	put(t, at("w/b"), "2")
	root := openRoot(t, at("w"))
	crash(t, s, root, 1, edit("a", "1", "one"), edit("b", "2", "two"))
	require.NoError(t, os.Rename(at("w"), at("moved")))
	put(t, at("w/a"), "one")
	put(t, at("w/b"), "2")
	before := stamped(t, at("w"))
	id, err := rootID(openRoot(t, at("w")))
	require.NoError(t, err)
	if id.Born != 0 {
		same(t, Report{}, recovered(t, s, openRoot(t, at("w"))))
		same(t, before, stamped(t, at("w")))
	}
	same(t, Report{Done: []string{"a", "b"}}, recovered(t, s, openRoot(t, at("moved"))))
	same(t, map[string]string{"a": "one", "b": "two"}, contents(t, at("moved")))

	gone := openRoot(t, at("moved"))
	crash(t, s, gone, 1, edit("a", "one", "1"), edit("b", "two", "2"))
	require.NoError(t, os.RemoveAll(at("moved")))
	same(t, Report{}, recovered(t, s, openRoot(t, at("w"))))
	same(t, before, stamped(t, at("w")))
}

// The journal of a commit under way is not touched, by whomever.
func TestRecoverLeavesTheLiving(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
	s.step = func(path string) {
		if path == "b" {
			other, err := Open(s.Dir())
			require.NoError(t, err)
			same(t, Report{}, recovered(t, other, openRoot(t, root.Name())))
		}
	}
	require.NoError(t, commit(s, root, edit("a", "1", "one"), edit("b", "2", "two")))
	same(t, map[string]string{"a": "one", "b": "two"}, contents(t, root.Name()))
}

func TestRecoverTogether(t *testing.T) {
	for range 20 {
		s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
		crash(t, s, root, 1, edit("a", "1", "one"), edit("b", "2", "two"))
		var wg sync.WaitGroup
		var mu sync.Mutex
		done := 0
		for range 4 {
			wg.Go(func() {
				other, err := Open(s.Dir())
				if err == nil {
					var report Report
					report, err = other.Recover(context.Background(), root)
					mu.Lock()
					done += len(report.Done)
					mu.Unlock()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		require.Equal(t, 2, done)
		same(t, map[string]string{"a": "one", "b": "two"}, contents(t, root.Name()))
		require.Len(t, ids(t, s, root), 1)
	}
}

// A journal that no commit wrote leads nowhere, whatever is in it.
func TestFalseJournals(t *testing.T) {
	base := t.TempDir()
	put(t, filepath.Join(base, "outside"), "1")
	put(t, filepath.Join(base, "root/a"), "1")
	put(t, filepath.Join(base, "root/d/.hashline-0123456789abcdef.tmp"), "theirs")
	require.NoError(t, os.Symlink("../outside", filepath.Join(base, "root/link")))
	require.NoError(t, os.Symlink("..", filepath.Join(base, "root/up")))
	before := stamped(t, base)
	root := openRoot(t, filepath.Join(base, "root"))
	s := newStore(t)
	p, err := s.past(t.Context(), 0, true)
	require.NoError(t, err)
	_, err = p.history.Put([]byte("evil"), false)
	require.NoError(t, err)
	p.close()
	journals, err := s.folder(journalFolder)
	require.NoError(t, err)
	t.Cleanup(func() { journals.Close() })
	id, err := rootID(root)
	require.NoError(t, err)
	one, evil := history.Sum([]byte("1")), history.Sum([]byte("evil"))
	base1 := func() journal {
		return journal{
			Record: history.Record{ID: "x", Root: id, Files: []history.File{{Path: "a", Real: "a", Old: &evil, New: &one}}},
			Work:   []work{{Stage: ".hashline-00000000000000aa.tmp", Back: ".hashline-00000000000000bb.tmp"}},
		}
	}
	for name, spoil := range map[string]func(*journal){
		"up":           func(j *journal) { j.Record.Files[0].Real = "../outside" },
		"absolute":     func(j *journal) { j.Record.Files[0].Real = history.Name(filepath.Join(base, "outside")) },
		"through link": func(j *journal) { j.Record.Files[0].Real = "up/outside" },
		"link":         func(j *journal) { j.Record.Files[0].Real = "link" },
		"not clean":    func(j *journal) { j.Record.Files[0].Real = "d/../a" },
		"temp":         func(j *journal) { j.Work[0].Stage = "a" },
		"temp up":      func(j *journal) { j.Work[0].Back = "../.hashline-00000000000000bb.tmp" },
		"one temp":     func(j *journal) { j.Work[0].Back = j.Work[0].Stage },
		"folder":       func(j *journal) { j.Record.Folders = []history.Name{"d"} },
		"folder up":    func(j *journal) { j.Empty = []history.Name{".."} },
		"no work":      func(j *journal) { j.Work = nil },
		"no files":     func(j *journal) { j.Work, j.Record.Files = nil, nil },
		"no digests":   func(j *journal) { j.Record.Files[0].Old, j.Record.Files[0].New = nil, nil },
		"other root":   func(j *journal) { j.Record.Root.Device, j.Record.Root.Path = 99, "/x" },
		"in place through link": func(j *journal) {
			j.Record.Files[0].Real = "up/outside"
			j.Work[0].InPlace = true
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := base1()
			spoil(&j)
			data, err := j.encode()
			require.NoError(t, err)
			slotName := id.Key() + "-007"
			require.NoError(t, journals.WriteFile(slotName, data, 0o600))
			_, err = s.Recover(t.Context(), root)
			require.NoError(t, err)
			same(t, before, stamped(t, base))
			_ = journals.Remove(slotName)
		})
	}
	// Torn and random bytes.
	j := base1()
	whole, err := j.encode()
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 200 {
		bad := bytes.Clone(whole)
		if i%2 == 0 {
			bad = bad[:r.IntN(len(bad)-2)]
		} else {
			bad[r.IntN(len(bad)-1)] ^= 1 << r.IntN(8)
		}
		require.NoError(t, journals.WriteFile(id.Key()+"-001", bad, 0o600))
		_, err = s.Recover(t.Context(), root)
		require.NoError(t, err)
		same(t, before, stamped(t, base))
	}
	// What is no file is not waited for.
	require.NoError(t, journals.Mkdir(id.Key()+"-002", 0o700))
	require.NoError(t, journals.Symlink("/etc/passwd", id.Key()+"-003"))
	same(t, Report{}, recovered(t, s, root))
	require.NoError(t, commit(s, root, edit("a", "1", "2")))
}

// A file that was being overwritten is brought to its old or new bytes wherever
// the writing ended, and left where another writer was in it.
func TestRecoverTornInPlace(t *testing.T) {
	version := func(c string, n int) []byte { return []byte(strings.Repeat(c, n)) }
	for _, sizes := range [][2]int{{3000, 3000}, {3000, 1000}, {1000, 3000}, {0, 2000}, {2000, 0}} {
		old, new := version("o", sizes[0]), version("n", sizes[1])
		for _, cut := range []int{0, 1, 511, 512, 700, 1000, 1500, 3000} {
			tornBy := func(written, there []byte) []byte {
				cut := min(cut, len(written))
				return append(bytes.Clone(written[:cut]), there[min(cut, len(there)):]...)
			}
			for _, how := range [...]struct{ foreign, back bool }{{}, {foreign: true}, {back: true}, {true, true}} {
				foreign, torn := how.foreign, tornBy(new, old)
				if how.back {
					if cut%100 != 0 {
						continue
					}
					torn = tornBy(old, new)
				}
				t.Run(fmt.Sprintf("%v %d %v", sizes, cut, how), func(t *testing.T) {
					s, root := newStore(t), newRoot(t, map[string]string{"a": string(old)})
					require.NoError(t, root.Link("a", "b"))
					tr := crash(t, s, root, 0, Change{Path: "a", Old: old, New: new, InPlace: true})
					f, err := os.OpenFile(filepath.Join(s.Dir(), journalFolder, tr.chronicle.slot.name), os.O_APPEND|os.O_WRONLY, 0)
					require.NoError(t, err)
					_, err = f.WriteString(markWriting + map[bool]string{true: markBack}[how.back])
					require.NoError(t, err)
					require.NoError(t, f.Close())
					is := bytes.Clone(torn)
					if foreign {
						if len(is) == 0 {
							is = []byte("x")
						}
						is[len(is)/2] = '!'
					}
					require.NoError(t, root.WriteFile("a", is, 0))
					report := recovered(t, s, root)
					got := contents(t, root.Name())
					require.Equal(t, got["a"], got["b"])
					switch {
					case foreign:
						require.Len(t, report.Conflicts, 1)
						require.Equal(t, short(is), got["a"])
					case bytes.Equal(is, old):
						require.Equal(t, short(old), got["a"])
					default:
						if how.back {
							same(t, Report{Undone: []string{"a"}}, report)
							require.Equal(t, short(old), got["a"])
							break
						}
						same(t, Report{Done: []string{"a"}}, report)
						require.Equal(t, short(new), got["a"])
					}
				})
			}
		}
	}
}

// What a commit could not remove goes at the next start, and nothing else
// changes then: it had said what it left.
func TestRecoverSettled(t *testing.T) {
	for _, mark := range []string{markDone, markFailed} {
		s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
		tr := crash(t, s, root, 1, edit("a", "1", "one"), edit("b", "2", "two"))
		f, err := os.OpenFile(filepath.Join(s.Dir(), journalFolder, tr.chronicle.slot.name), os.O_APPEND|os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = f.WriteString(mark)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		same(t, Report{}, recovered(t, s, root))
		want := map[string]string{"a": "one", "b": "2"}
		if mark == markFailed && tr.files[0].swapped {
			// The answer named it.
			want[tr.files[0].stageName] = "1"
		}
		same(t, want, contents(t, root.Name()))
	}
}

// Of a file that is too large to be copied the history keeps the inode.
func TestLargeFiles(t *testing.T) {
	onDisk(t)
	s, root := newStore(t), newRoot(t, map[string]string{"a": "large", "b": "small too"})
	s.copyTo = 3
	require.NoError(t, commit(s, root, edit("a", "large", "new")))
	data, err := s.Image(history.Sum([]byte("large")))
	require.NoError(t, err)
	require.Equal(t, "large", string(data))

	// Killed on the way, it has one name again.
	crash(t, s, root, 0, edit("b", "small too", "x"))
	same(t, Report{Undone: []string{"b"}}, recovered(t, s, root))
	i, err := Inspect(root, "b")
	require.NoError(t, err)
	require.Equal(t, uint64(1), i.Links)

	// Refused, too.
	err = commit(s, root, edit("b", "small too", "x"), create("a", "x"))
	same(t, []hashline.Code{hashline.Exists}, codes(err))
	i, err = Inspect(root, "b")
	require.NoError(t, err)
	require.Equal(t, uint64(1), i.Links)

	// On another file system there is no undo, and it is said.
	if other, err := os.MkdirTemp("/dev/shm", ""); err == nil {
		defer os.RemoveAll(other)
		s, err := Open(filepath.Join(other, "state"))
		require.NoError(t, err)
		s.NoSync, s.copyTo = true, 3
		warnings, err := s.Commit(t.Context(), root, []Change{edit("b", "small too", "x")})
		require.NoError(t, err)
		require.Len(t, warnings, 1)
		require.Equal(t, hashline.NoUndo, warnings[0].Code)
		require.Equal(t, "b", warnings[0].Path)
	}
}

// The state folder holds nothing that others can read.
func TestStateIsPrivate(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
	crash(t, s, root, 1, edit("a", "1", "one"), edit("b", "2", "two"))
	recovered(t, s, root)
	require.NoError(t, commit(s, root, edit("a", "one", "1")))
	s.Count("edit")
	n := 0
	require.NoError(t, filepath.WalkDir(s.Dir(), func(p string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, p)
		n++
		return nil
	}))
	require.Greater(t, n, 10)
}

// However much is edited, the history stays within its bounds, and what a dead
// journal needs stays in it.
func TestHistoryIsBounded(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "0", "p": "precious", "q": "precious too"})
	s.HistoryBytes = 1 << 20
	// A process is dead, and nobody starts in its workspace.
	crash(t, s, root, 1, edit("p", "precious", "x"), edit("q", "precious too", "x"))
	r := rand.New(rand.NewPCG(9, 10))
	old := []byte("0")
	for i := range 200 {
		new := make([]byte, 8000)
		for j := range new {
			new[j] = byte(r.Uint32())
		}
		_, err := s.Commit(t.Context(), root, []Change{{Path: "a", Old: old, New: new}})
		require.NoError(t, err)
		old = new
		if i%50 == 49 {
			_, size, err := s.Usage()
			require.NoError(t, err)
			require.LessOrEqual(t, size, s.HistoryBytes)
		}
	}
	files, _, err := s.Usage()
	require.NoError(t, err)
	require.Greater(t, files, 60)
	_, err = s.Image(history.Sum([]byte("precious too")))
	require.NoError(t, err)
}
