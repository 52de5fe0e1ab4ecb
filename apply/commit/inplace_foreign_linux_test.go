package commit

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// Where there are no leases looks must do: whatever another writer does to a
// file at any point of its overwriting, but for the instants between the last
// look and the writing, is found out and stays.
func TestInPlaceAmongForeignWriters(t *testing.T) {
	add := func(t *testing.T, f string) {
		h, err := os.OpenFile(f, os.O_WRONLY|os.O_APPEND, 0)
		require.NoError(t, err)
		_, err = h.WriteString("THEIRS")
		require.NoError(t, err)
		require.NoError(t, h.Close())
	}
	rewrite := func(t *testing.T, f string) { put(t, f, "REWRITTEN BY OTHERS") }
	within := func(t *testing.T, f string) {
		h, err := os.OpenFile(f, os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = h.WriteAt([]byte("X"), 3)
		require.NoError(t, err)
		require.NoError(t, h.Close())
	}
	const old, long, short = "old one", "the new one", "new"
	refused := []hashline.Code{hashline.ChangedDuringEdit}
	torn := []hashline.Code{"torn", hashline.ChangedDuringEdit, hashline.ChangedDuringEdit}
	for _, c := range []struct {
		step  string
		do    func(*testing.T, string)
		new   string
		codes []hashline.Code
		want  string
	}{
		{"compare a", add, long, refused, old + "THEIRS"},
		{"compare a", rewrite, long, refused, "REWRITTEN BY OTHERS"},
		{"compare a", within, short, refused, "oldXone"},
		{"poured a", add, long, nil, long + "THEIRS"},
		{"poured a", add, short, refused, old + "THEIRS"},
		{"poured a", within, short, refused, "oldXone"},
		{"poured a", rewrite, short, torn, "REWRITTEN BY OTHERS"},
		{"poured a", rewrite, long, torn, "REWRITTEN BY OTHERS"},
		{"verify a", add, short, nil, short + "THEIRS"},
		{"verify a", rewrite, short, torn, "REWRITTEN BY OTHERS"},
		{"verify a", within, long, torn, "theXnew one"},
	} {
		t.Run(fmt.Sprintf("%s, %s, want %s", c.step, c.new, c.want), func(t *testing.T) {
			s, root := newStore(t), newRoot(t, map[string]string{"a": old})
			require.NoError(t, root.Link("a", "b"))
			s.noLease = true
			done := false
			s.step = func(step string) {
				if step == c.step && !done {
					done = true
					c.do(t, filepath.Join(root.Name(), "a"))
				}
			}
			err := commit(s, root, inPlace("a", old, c.new))
			require.True(t, done)
			same(t, c.codes, codes(err))
			same(t, map[string]string{"a": c.want, "b": c.want}, contents(t, root.Name()))
			same(t, Report{}, recovered(t, s, root))
			if len(c.codes) != len(torn) {
				return
			}
			// It is said what the file holds, and where what it was is.
			faults := diagnostics(err)
			require.Contains(t, faults[0].Msg, "0 could be put back and 1 not")
			require.Equal(t, "a", faults[1].Path)
			require.Contains(t, faults[1].Msg, "it holds what came of that, perhaps parts of both, and was left so")
			list := records(t, s, root)
			require.Len(t, list, 1)
			require.Contains(t, faults[1].Hint, "undo with its path puts back what it was before the edit, hashline show "+list[0].ID[17:]+" --before a prints it")
			require.Equal(t, history.Sum([]byte(old)), *list[0].Files[0].Old)
			require.Equal(t, history.Sum([]byte(c.want)), *list[0].Files[0].New)
		})
	}
}

// A file that is put back after another one failed may be another writer's by
// then.
func TestInPlacePutBackAmongForeignWriters(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
	for _, name := range []string{"a", "b"} {
		require.NoError(t, root.Link(name, name+"2"))
	}
	s.noLease = true
	s.step = func(step string) {
		if step == "b" {
			put(t, filepath.Join(root.Name(), "a"), "theirs")
			put(t, filepath.Join(root.Name(), "b"), "theirs")
		}
	}
	err := commit(s, root, inPlace("a", "1", "one"), inPlace("b", "2", "two"))
	same(t, []hashline.Code{"torn", hashline.ChangedDuringEdit, hashline.ChangedDuringEdit}, codes(err))
	same(t, map[string]string{"a": "theirs", "a2": "theirs", "b": "theirs", "b2": "theirs"}, contents(t, root.Name()))
}

// With leases other writers wait until the file is overwritten, and nothing that
// they write is lost; a reader keeps no one from it.
func TestInPlaceWithLeases(t *testing.T) {
	for _, step := range []string{"compare a", "poured a", "verify a"} {
		for _, new := range []string{"n", "new and longer"} {
			s, root := newStore(t), newRoot(t, map[string]string{"a": "old"})
			needLease(t, root)
			require.NoError(t, root.Link("a", "b"))
			wrote := make(chan error, 1)
			s.step = func(at string) {
				if at != step {
					return
				}
				go func() {
					h, err := os.OpenFile(filepath.Join(root.Name(), "b"), os.O_WRONLY|os.O_APPEND, 0)
					if err == nil {
						_, err = io.WriteString(h, " THEIRS")
						h.Close()
					}
					wrote <- err
				}()
				kernelSays(t, "BREAKING", func() bool { return len(wrote) > 0 })
				require.Empty(t, wrote, "%s: wrote while the file was overwritten", step)
			}
			require.NoError(t, commit(s, root, inPlace("a", "old", new)))
			require.NoError(t, <-wrote)
			same(t, map[string]string{"a": new + " THEIRS", "b": new + " THEIRS"}, contents(t, root.Name()))
		}
	}
	s, root := newStore(t), newRoot(t, map[string]string{"a": "old"})
	require.NoError(t, root.Link("a", "b"))
	reader, err := root.Open("b")
	require.NoError(t, err)
	defer reader.Close()
	require.NoError(t, commit(s, root, inPlace("a", "old", "new")))
	same(t, map[string]string{"a": "new", "b": "new"}, contents(t, root.Name()))
}

// No line that others write to a file is lost, however often it is overwritten
// meanwhile.
func TestForeignWritersInPlace(t *testing.T) {
	for _, kind := range []string{"append", "truncate", "inplace"} {
		t.Run(kind, func(t *testing.T) {
			root := newRoot(t, map[string]string{"f": "first\n"})
			needLease(t, root)
			require.NoError(t, root.Link("f", "g"))
			state := filepath.Join(t.TempDir(), "state")
			cmd := child("foreign", state, root.Name(), kind, "1")
			var out printed
			cmd.Stdout = &out
			in, err := cmd.StdinPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			s, err := Open(state)
			require.NoError(t, err)
			s.Wait = time.Minute
			done := 0
			rounds, end := raceRounds(60), time.Now().Add(time.Minute)
			for n := 0; n < rounds || (out.lines() < 3 || done == 0) && time.Now().Before(end); n++ {
				old, err := root.ReadFile("f")
				require.NoError(t, err)
				new := append([]byte("ours\n"), old...)
				if n%2 == 1 {
					new = []byte(strings.Replace(string(old), "ours\n", "", 1))
				}
				if commit(s, root, Change{Path: "f", Old: old, New: new, InPlace: true}) == nil {
					done++
				}
			}
			in.Close()
			require.NoError(t, cmd.Wait())
			data, err := root.ReadFile("g")
			require.NoError(t, err)
			lines := 0
			for line := range strings.Lines(out.String()) {
				lines++
				if !strings.Contains(string(data), line) {
					t.Errorf("lost: %q", line)
				}
			}
			t.Log(lines, "foreign lines,", done, "edits")
			require.Greater(t, lines, 2)
			require.Greater(t, done, 0)
		})
	}
}
