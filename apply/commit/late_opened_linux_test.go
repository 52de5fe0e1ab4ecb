package commit

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/hashline"
)

// opener opens the files of a root for writing at every step, as programs do that
// write only later.
type opener struct {
	root  *os.Root
	names []string
	held  []*os.File
}

func (o *opener) open(t *testing.T) {
	for _, name := range o.names {
		h, err := os.OpenFile(filepath.Join(o.root.Name(), name), os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			o.held = append(o.held, h)
			t.Cleanup(func() { h.Close() })
		}
	}
}

// wrote writes a line through every descriptor, and requires all to be somewhere.
func (o *opener) wrote(t *testing.T, s *Store, what ...any) {
	for i, h := range o.held {
		_, err := fmt.Fprintf(h, "late %d.", i)
		require.NoError(t, err)
	}
	all := everywhere(t, s, o.root)
	for i := range o.held {
		require.Contains(t, all, fmt.Sprintf("late %d.", i), what...)
	}
}

// swap replaces the file and leaves what it replaces beside it: what is written
// to that later is then this program's affair no more.
func swap(content string) func(*testing.T, string) {
	return func(t *testing.T, f string) {
		mine := f + ".theirs." + content
		put(t, mine, content)
		require.NoError(t, unix.Renameat2(unix.AT_FDCWD, mine, unix.AT_FDCWD, f, unix.RENAME_EXCHANGE))
	}
}

// away takes the file's name away.
func away(t *testing.T, f string) { require.NoError(t, os.Rename(f, f+".away")) }

// other does it to another file of the folder.
func other(name string, do func(*testing.T, string)) func(*testing.T, string) {
	return func(t *testing.T, f string) { do(t, filepath.Join(filepath.Dir(f), name)) }
}

// Without leases: what a program writes late to any version that ever had the
// file's name is there, also where an edit was taken back.
func TestEveryVersionThatWasOpenedIsKept(t *testing.T) {
	replace := []Change{edit("f", "old", "new"), edit("g", "other", "2")}
	removes := []Change{{Path: "f", Old: []byte("old"), Remove: true}, edit("g", "other", "2")}
	for _, c := range []struct {
		name    string
		changes []Change
		do      []at // to f
	}{
		{"done", replace, nil},
		{"removed", removes, nil},
		{"created", []Change{create("c", "c"), edit("f", "old", "new")}, nil},
		{"replaced", replace, []at{{"exchange f", swap("F")}}},
		{"written", replace, []at{{"settle f", temp(into("olD"))}}},
		{"the new version replaced as well", replace, []at{{"exchange f", swap("F")}, {"exchanged f", swap("G")}}},
		{"the new version written", replace, []at{{"exchange f", swap("F")}, {"exchanged f", into("new+")}}},
		{"the new version replaced", replace, []at{{"exchanged f", swap("G")}, {"exchange g", other("g", swap("H"))}}},
		{"another file", replace, []at{{"exchange g", other("g", swap("G"))}}},
		{"another file, and the old version cleaned up", replace, []at{{"exchanged f", temp(away)}, {"exchange g", other("g", swap("G"))}}},
		{"created, another file", []Change{create("c", "c"), edit("f", "old", "new")}, []at{{"exchange f", swap("F")}}},
		{"created and written", []Change{create("c", "c"), edit("f", "old", "new")}, []at{{"exchange f", swap("F")}, {"back c", temp(into("c+"))}}},
		{"removed, another file", removes, []at{{"exchange g", other("g", swap("G"))}}},
	} {
		for _, keeping := range []keeping{usualKeeping, {copyTo: 1, keepFrom: 1}} { // all are large
			root, s := newRoot(t, map[string]string{"f": "old", "g": "other"}), newStore(t)
			s.noLease, s.keeping = true, keeping
			o, f, left := &opener{root: root, names: []string{"f", "g", "c"}}, filepath.Join(root.Name(), "f"), c.do
			s.step = func(step string) {
				o.open(t)
				if len(left) > 0 && left[0].step == step {
					do := left[0].do
					left = left[1:]
					do(t, f)
					o.open(t)
				}
			}
			_, err := s.Commit(t.Context(), root, c.changes)
			require.Equal(t, c.do == nil, err == nil, "%s: %v", c.name, err)
			require.Empty(t, left, c.name)
			o.open(t)
			require.Greater(t, len(o.held), 3, c.name)
			o.wrote(t, s, c.name, keeping)
			undoable(t, s, root)
		}
	}
}

// The same of commits whose process was killed, and of recoveries.
func TestEveryVersionThatWasOpenedIsKeptByRecoveries(t *testing.T) {
	for n := range 12 {
		// Some have leases until they are killed, and keep the files for that.
		published, leased, keeping := n%4, n > 7, usualKeeping
		if n > 3 {
			keeping.copyTo, keeping.keepFrom = 0, 1
		}
		for _, broken := range []bool{false, true} { // has c been changed
			for stop := range 12 { // recoveries that are killed at that step
				root, s := newRoot(t, map[string]string{"a": "1", "b": "2", "c": "3"}), newStore(t)
				s.noLease, s.keeping = !leased, keeping
				o := &opener{root: root, names: []string{"a", "b", "c"}}
				if leased {
					needLease(t, root)
				} else {
					o.open(t)
				}
				crash(t, s, root, published, edit("a", "1", "one"), edit("b", "2", "two"), edit("c", "3", "three"))
				s.noLease = true
				o.open(t)
				if broken {
					swap("theirs")(t, filepath.Join(root.Name(), "c"))
					o.open(t)
				}
				steps := 0
				s.step = func(string) {
					o.open(t)
					if steps++; steps == stop {
						panic(stop)
					}
				}
				func() {
					defer func() { _ = recover() }()
					_, _ = s.Recover(t.Context(), root)
				}()
				s.step = func(string) { o.open(t) }
				recovered(t, s, root)
				o.wrote(t, s, published, broken, stop, keeping)
				if missing := undoable(t, s, root); keeping.copyTo > 1 {
					require.Zero(t, missing)
				}
				strays, err := filepath.Glob(filepath.Join(root.Name(), ".hashline-*"))
				require.NoError(t, err)
				require.Empty(t, strays, "%v %v %v", published, broken, stop)
			}
		}
	}
}

// undoable requires the history to have every old version that no record says is not
// there.
func undoable(t *testing.T, s *Store, root *os.Root) (missing int) {
	t.Helper()
	_, err := s.Records(root, func(r Record) bool {
		for _, f := range r.Files {
			if f.NoImage != "" {
				missing++
			} else if f.Old != nil {
				_, err := s.Image(*f.Old)
				require.NoError(t, err, "%s %s", r.Tool, f.Path)
			}
		}
		return true
	})
	require.NoError(t, err)
	return missing
}

// A file goes back and forth between two versions, and every program that had it open
// writes to what it has. With leases none can.
func TestTheSameVersionsAgainAndAgain(t *testing.T) {
	for _, keeping := range []keeping{usualKeeping, {copyTo: 1, keepFrom: 1}, {copyTo: 100, keepFrom: 1}} {
		for _, noLease := range []bool{true, false} {
			root, s := newRoot(t, map[string]string{"f": "old"}), newStore(t)
			s.noLease, s.keeping = noLease, keeping
			if !noLease {
				needLease(t, root)
			}
			o := &opener{root: root, names: []string{"f"}}
			texts, said := []string{"old", "new"}, 0
			for n := range 6 {
				if noLease {
					o.open(t)
				}
				warnings, err := s.Commit(t.Context(), root, []Change{edit("f", texts[n%2], texts[1-n%2])})
				require.NoError(t, err)
				for _, w := range warnings {
					require.Equal(t, hashline.NoUndo, w.Code)
					said++
				}
				o.wrote(t, s, keeping, n)
			}
			require.Equal(t, said, undoable(t, s, root))
			if !noLease || keeping.copyTo > 1 {
				require.Zero(t, said)
			}
			late := lateBytes(t, s)
			require.Len(t, late, len(o.held), "%v", late)
		}
	}
}

// A large file that was open for writing when the commit began, and is closed when it
// is compared, is kept itself; one that somebody took away is said not to be there.
func TestKeptFilesOrNone(t *testing.T) {
	root, s := newRoot(t, map[string]string{"f": "old"}), newStore(t)
	needLease(t, root)
	s.keeping = keeping{copyTo: 0, keepFrom: 1}
	h, err := os.OpenFile(filepath.Join(root.Name(), "f"), os.O_RDWR, 0)
	require.NoError(t, err)
	s.step = func(step string) {
		if step == "" {
			require.NoError(t, h.Close())
			s.step = nil
		}
	}
	require.NoError(t, commit(s, root, edit("f", "old", "new")))
	require.Zero(t, undoable(t, s, root))
	require.Empty(t, lateBytes(t, s))

	tr := crash(t, s, root, 1, edit("f", "new", "newer"))
	require.NoError(t, root.Remove(tr.files[0].stageName))
	same(t, Report{Done: []string{"f"}}, recovered(t, s, root))
	require.Equal(t, 1, undoable(t, s, root))
}
