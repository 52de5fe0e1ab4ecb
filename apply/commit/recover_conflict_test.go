package commit

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// records lists those of a root, newest first.
func records(t *testing.T, s *Store, root *os.Root) (list []Record) {
	_, err := s.Records(root, func(r Record) bool { list = append(list, r); return true })
	require.NoError(t, err)
	return list
}

// What a file was before an edit that could not be brought to an end is in the
// history, in a record from that to what was found.
func TestConflictsHaveRecords(t *testing.T) {
	sum := func(text string) *history.Digest { d := history.Sum([]byte(text)); return &d }
	for _, c := range []struct {
		name   string
		change Change
		others []Change
		at     int
		do     func(t *testing.T, f string)
		found  *history.Digest
		forth  bool // the other files become new
	}{
		{"rolled back", edit("f", "old", "new"), []Change{edit("a", "1", "2")}, 1, func(t *testing.T, f string) { put(t, f, "theirs") }, sum("theirs"), false},
		{"brought forth", edit("f", "old", "new"), []Change{edit("a", "1", "2"), edit("b", "1", "2")}, 1, func(t *testing.T, f string) { put(t, f, "theirs") }, sum("theirs"), true},
		{"gone", edit("f", "old", "new"), []Change{edit("a", "1", "2")}, 1, func(t *testing.T, f string) { require.NoError(t, os.Remove(f)) }, nil, false},
		{"in place", inPlaceLinked("f", "old", "new and longer"), nil, 0, func(t *testing.T, f string) { put(t, f, "new andTHEIRS") }, sum("new andTHEIRS"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, root := newStore(t), newRoot(t, map[string]string{"f": "old", "a": "1", "b": "1"})
			if c.change.InPlace {
				require.NoError(t, root.Link("f", "g"))
			}
			changes := append(c.others, c.change)
			if c.forth {
				changes = append([]Change{c.change}, c.others...)
			}
			tr := crash(t, s, root, c.at, changes...)
			if c.change.InPlace {
				mark(t, s, tr, markWriting)
			}
			c.do(t, filepath.Join(root.Name(), "f"))
			report := recovered(t, s, root)
			require.Len(t, report.Conflicts, 1)
			d := report.Conflicts[0]
			require.Equal(t, "f", d.Path)
			list := records(t, s, root)
			require.NotEmpty(t, list)
			rec := list[0]
			require.Equal(t, RecoveryTool, rec.Tool)
			require.Equal(t, tr.chronicle.journal.Record.ID, rec.Of)
			require.Len(t, rec.Files, 1)
			same(t, sum("old"), rec.Files[0].Old)
			same(t, c.found, rec.Files[0].New)
			require.Contains(t, d.Hint, "hashline show "+rec.ID[17:]+" --before f")
			data, err := s.Image(*rec.Files[0].Old)
			require.NoError(t, err)
			require.Equal(t, "old", string(data))
			if c.forth {
				require.Len(t, list, 2)
				require.Len(t, list[1].Files, len(c.others))
			} else {
				require.Len(t, list, 1)
			}
		})
	}
}

func inPlaceLinked(path, old, new string) Change {
	c := edit(path, old, new)
	c.InPlace = true
	return c
}

// mark adds a mark to the journal of a commit that was killed.
func mark(t *testing.T, s *Store, tr *transaction, mark string) {
	f, err := os.OpenFile(filepath.Join(s.Dir(), journalFolder, tr.chronicle.slot.name), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString(mark)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// So is that of a file which a commit that failed could not put back.
func TestTornCommitsHaveRecords(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
	meanwhile(t, s, "b", func() {
		put(t, filepath.Join(root.Name(), "a"), "theirs")
		put(t, filepath.Join(root.Name(), "b"), "theirs")
	})
	err := commit(s, root, edit("a", "1", "one"), edit("b", "2", "two"))
	same(t, []hashline.Code{"torn", hashline.ChangedDuringEdit, hashline.ChangedDuringEdit}, codes(err))
	list := records(t, s, root)
	require.Len(t, list, 1)
	require.Equal(t, "a", string(list[0].Files[0].Real))
	require.Equal(t, history.Sum([]byte("1")), *list[0].Files[0].Old)
	require.Equal(t, history.Sum([]byte("theirs")), *list[0].Files[0].New)
	require.Contains(t, diagnostics(err)[1].Hint, "hashline show "+list[0].ID[17:]+" --before a")
}

// Files that others made old or new while the edit was dead are named, where the
// files would be a mix in silence.
func TestRecoveryNamesAMix(t *testing.T) {
	changes := []Change{edit("a", "1", "one"), edit("b", "2", "two"), edit("c", "3", "three")}
	for _, c := range []struct {
		published int
		file, now string
		want      map[string]string
	}{
		{1, "b", "two", map[string]string{"a": "one", "b": "two", "c": "three"}},
		{2, "a", "1", map[string]string{"a": "1", "b": "2", "c": "3"}},
		{0, "b", "two", map[string]string{"a": "1", "b": "two", "c": "3"}},
	} {
		s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2", "c": "3"})
		crash(t, s, root, c.published, changes...)
		put(t, filepath.Join(root.Name(), c.file), c.now)
		report := recovered(t, s, root)
		got := contents(t, root.Name())
		same(t, c.want, got)
		if c.published > 0 {
			require.Empty(t, report.Conflicts)
			continue
		}
		require.Len(t, report.Conflicts, 1)
		require.Equal(t, c.file, report.Conflicts[0].Path)
	}
}

// The mode that a file has now counts, not the one that it had before its edit
// was killed.
func TestRecoveryKeepsTheModeOfNow(t *testing.T) {
	for _, back := range []bool{false, true} {
		s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
		tr := crash(t, s, root, 1, edit("a", "1", "one"), edit("b", "2", "two"))
		for _, name := range []string{"a", "b"} {
			require.NoError(t, root.Chmod(name, 0o600))
		}
		want := Report{Done: []string{"a", "b"}}
		if back {
			require.NoError(t, root.Remove(tr.files[1].stageName))
			want = Report{Undone: []string{"a", "b"}}
		}
		same(t, want, recovered(t, s, root))
		for _, name := range []string{"a", "b"} {
			info, err := root.Lstat(name)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode(), name)
		}
	}
}

// A journal that is damaged is kept and told of, with the files that it names;
// only temporary files go whose bytes are not the only ones.
func TestDamagedJournals(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"a bit flipped": func(b []byte) []byte { b[len(b)/3] ^= 1; return b },
		"cut a little":  func(b []byte) []byte { return b[:len(b)-30] },
		"cut in half":   func(b []byte) []byte { return b[:len(b)/2] },
		"zeros":         func(b []byte) []byte { clear(b); return b },
		"garbage":       func([]byte) []byte { return bytes.Repeat([]byte("\xffxy\n"), 500) },
		"marks of others": func(b []byte) []byte {
			return append(append(b[:len(b)-len(markStaged)], markDone...), "xxxx\n\xff\x00\xfe"...)
		},
		"twice": func(b []byte) []byte { return append(b, b...) },
		"a huge length": func([]byte) []byte {
			return []byte("hashline journal 1 99999999999999 " + strings.Repeat("a", 64) + "\n{")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
			tr := crash(t, s, root, 1, edit("a", "1", "one"), edit("b", "2", "two"))
			before := contents(t, root.Name())
			at := filepath.Join(s.Dir(), journalFolder, tr.chronicle.slot.name)
			data, err := os.ReadFile(at)
			require.NoError(t, err)
			data = spoil(data)
			require.NoError(t, os.WriteFile(at, data, 0o600))
			report := recovered(t, s, root)
			require.NotEmpty(t, report.Conflicts)
			for _, d := range report.Conflicts {
				require.Equal(t, hashline.RecoveryConflict, d.Code)
				require.Contains(t, d.Msg, "damaged")
				_, name, _ := strings.Cut(d.Hint, journalFolder+"/")
				name, _, _ = strings.Cut(name, " ")
				kept, err := os.ReadFile(filepath.Join(s.Dir(), journalFolder, name))
				require.NoError(t, err)
				require.Equal(t, data, kept)
			}
			after := contents(t, root.Name())
			for name, what := range before {
				if now, there := after[name]; !isTemp(name) || there {
					require.Equal(t, what, now)
				}
			}
			// That of b is the only one that holds what the edit was to make of it.
			require.Contains(t, after, tr.files[1].stageName)
			same(t, Report{}, recovered(t, s, root))
		})
	}
}

// A journal of a newer program is left to it, whatever else it says, and told of
// each time; files can be edited meanwhile, and other edits recovered.
func TestJournalsOfNewerPrograms(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2", "c": "3"})
	tr := crash(t, s, root, 1, edit("a", "1", "one"), edit("b", "2", "two"))
	at := filepath.Join(s.Dir(), journalFolder, tr.chronicle.slot.name)
	data, err := os.ReadFile(at)
	require.NoError(t, err)
	for _, newer := range [][]byte{
		bytes.Replace(data, []byte("journal 1 "), []byte("journal 2 "), 1),
		[]byte("hashline journal 2 " + history.Sum([]byte("2")).String()),
		[]byte("hashline journal 10\n"),
	} {
		require.NoError(t, os.WriteFile(at, newer, 0o600))
		other := crash(t, s, root, 0, edit("c", "3", "three"))
		before := contents(t, root.Name())
		for range 2 {
			_, err := s.Recover(t.Context(), root)
			require.ErrorIs(t, err, hashline.RecoveryConflict)
			require.ErrorContains(t, err, "another version of hashline")
		}
		after := contents(t, root.Name())
		delete(before, other.files[0].stageName)
		same(t, before, after)

		held, report, err := s.LockSettled(t.Context(), root, []string{"c"})
		require.NoError(t, err)
		require.Len(t, report.Conflicts, 1)
		held.Release()
		require.NoError(t, commit(s, root, edit("c", "3", "three")))
		require.NoError(t, commit(s, root, edit("c", "three", "3")))

		journals, err := s.existing(journalFolder)
		require.NoError(t, err)
		needed := pruneJournals(journals, time.Now().Add(1000*time.Hour), time.Hour)
		journals.Close()
		if bytes.Contains(newer, []byte(history.Sum([]byte("2")).String())) {
			require.True(t, needed[history.Sum([]byte("2"))])
		}
		kept, err := os.ReadFile(at)
		require.NoError(t, err)
		require.Equal(t, newer, kept)
	}
}

// One that was cut off while it was written, before anything was done, is no news.
func TestJournalCutOffInTheWriting(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
	tr := newTransaction(root, false, nil)
	require.NoError(t, tr.prepare(t.Context(), []Change{edit("a", "1", "one"), edit("b", "2", "two")}))
	require.NoError(t, tr.begin(t.Context(), s, Note{}))
	tr.close()
	tr.chronicle.close()
	at := filepath.Join(s.Dir(), journalFolder, tr.chronicle.slot.name)
	info, err := os.Stat(at)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(at, info.Size()*3/4))
	same(t, Report{}, recovered(t, s, root))
	info, err = os.Stat(at)
	require.NoError(t, err)
	require.Zero(t, info.Size())
}

// Who comes while another process recovers waits for it a moment.
func TestRecoverWaitsForAnotherRecovery(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
	tr := crash(t, s, root, 1, edit("a", "1", "one"), edit("b", "2", "two"))
	journals, err := s.folder(journalFolder)
	require.NoError(t, err)
	defer journals.Close()
	held, err := openSlot(journals, tr.chronicle.slot.name, 0)
	require.NoError(t, err)
	// A commit that is under way is not waited for.
	start := time.Now()
	same(t, Report{}, recovered(t, s, root))
	require.Less(t, time.Since(start), s.patience())
	require.NoError(t, held.mark(markRecovering, false))
	time.AfterFunc(100*time.Millisecond, held.close)
	same(t, Report{Done: []string{"a", "b"}}, recovered(t, s, root))

	// Nor without end.
	crash(t, s, root, 1, edit("a", "one", "1"), edit("b", "two", "2"))
	held, err = openSlot(journals, tr.chronicle.slot.name, 0)
	require.NoError(t, err)
	defer held.close()
	require.NoError(t, held.mark(markRecovering, false))
	s.Wait = 100 * time.Millisecond
	same(t, Report{}, recovered(t, s, root))
}
