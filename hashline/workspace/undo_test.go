package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

// openUnsynced opens a workspace that does not wait for the disk.
func openUnsynced(t *testing.T, dir, state string, cfg Config) *Session {
	t.Helper()
	cfg.State = state
	w, err := Open(dir, cfg)
	require.NoError(t, err)
	Ready(w)
	t.Cleanup(func() { w.Close() })
	return w.Session(SessionConfig{})
}

// undoIn takes back the newest edits and gives the answer.
func undoIn(t *testing.T, w *Session, path string, steps int) string {
	t.Helper()
	res, err := w.Undo(t.Context(), UndoArgs{Path: path, Steps: &steps})
	require.NoError(t, err)
	return res.Content
}

// bytesOf gives the bytes and modes of all files below a folder.
func bytesOf(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	for name, e := range hashlinetest.ReadTree(t, dir) {
		all[name] = e.Mode.String() + " " + e.Data + e.Link
	}
	return all
}

func TestUndoAnswers(t *testing.T) {
	w := open(t, map[string]string{"a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n"})
	tag := w.mustTag(t, "a.txt")
	_, err := w.Edit(t.Context(), "[a.txt#"+tag+"]\nPUT 5:\n+five\nCUT 6\n")
	require.NoError(t, err)
	one := 1
	res, err := w.Undo(t.Context(), UndoArgs{Path: "a.txt", Steps: &one})
	require.NoError(t, err)
	want := "undid 1 edit; undo again takes this back\n\nrestored a.txt\n[a.txt#" + tag + "]\n2:2\n3:3\n4:4\n5:5\n6:6\n7:7\n8:8\n9:9\n\n[rows 2-9 of 9, around the change; read_file shows the others]"
	if diff := cmp.Diff(want, res.Content); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	require.Len(t, res.Files, 1)
	diff, ok := res.Files[0].Diff()
	require.True(t, ok)
	require.Contains(t, diff, "-five\n+5\n+6\n")

	_, err = w.Write(t.Context(), WriteArgs{Path: "d/e/new.txt", Content: "x\n"})
	require.NoError(t, err)
	res, err = w.Undo(t.Context(), UndoArgs{})
	require.NoError(t, err)
	require.Equal(t, "undid 1 edit; undo again takes this back\n\nremoved d/e/new.txt", res.Content)
	diff, ok = res.Files[0].Diff()
	require.True(t, ok)
	require.Contains(t, diff, "+++ /dev/null\n")
	require.NoDirExists(t, filepath.Join(w.dir, "d"))
	require.Contains(t, undoIn(t, w, "", 1), "created d/e/new.txt again\n[d/e/new.txt#")
	require.Equal(t, "x\n", onDisk(t, w, "d/e/new.txt"))
}

func (s *Session) mustTag(t *testing.T, name string) string {
	t.Helper()
	pl, err := s.resolve(name)
	require.NoError(t, err)
	f, err := s.load(pl)
	require.NoError(t, err)
	return f.snap.Tag.String()
}

// Bytes, modes and links come back, whatever they were.
func TestUndoRestoresAll(t *testing.T) {
	files := map[string]string{
		"crlf": "\xef\xbb\xbfa\r\nb\nc\r\n", "no end": "a\nb", "empty": "", "d/e/real": "one\ntwo\n",
		"utf16": "\xff\xfea\x00\r\x00\n\x00b\x00", "blanks": "a \t\nb\n\n",
	}
	w := open(t, files)
	require.NoError(t, os.Symlink("d/e/real", filepath.Join(w.dir, "link")))
	require.NoError(t, os.Chmod(filepath.Join(w.dir, "no end"), 0o751|fs.ModeSetgid))
	before := bytesOf(t, w.dir)
	edits := 0
	for _, name := range []string{"crlf", "no end", "empty", "link", "utf16", "blanks"} {
		res, err := w.Edit(t.Context(), fmt.Sprintf("[%s#%s]\nPUT <1:\n+new\n", name, w.mustTag(t, name)))
		require.NoError(t, err, name)
		require.Len(t, res.Files, 1)
		_, err = w.Write(t.Context(), WriteArgs{Path: name, Content: "all\nnew\n"})
		require.NoError(t, err, name)
		edits += 2
	}
	require.Contains(t, undoIn(t, w, "link", 2), "restored link\n")
	undoIn(t, w, "", 1) // takes the undo back
	undoIn(t, w, "", 1) // and does it again
	for range 3 {
		// Each of these counts as an edit of "link".
		edits++
	}
	undoIn(t, w, "", edits)
	if diff := cmp.Diff(before, bytesOf(t, w.dir)); diff != "" {
		t.Errorf("after the undo (-before +after):\n%s", diff)
	}
}

// All files of an edit are undone or none, and what others wrote is left.
func TestUndoConflicts(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, dir string){
		"changed":  func(t *testing.T, dir string) { put(t, filepath.Join(dir, "b"), "theirs\n") },
		"same tag": func(t *testing.T, dir string) { put(t, filepath.Join(dir, "b"), "TWO \n") },
		"gone":     func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "b"))) },
		"created file changed": func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "n/new"), "theirs\n")
		},
		"a link elsewhere": func(t *testing.T, dir string) {
			require.NoError(t, os.Rename(filepath.Join(dir, "b"), filepath.Join(dir, "c")))
			require.NoError(t, os.Symlink("c", filepath.Join(dir, "b")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, map[string]string{"a": "one\n", "b": "two\n"})
			_, err := w.Write(t.Context(), WriteArgs{Path: "n/new", Content: "x\n"})
			require.NoError(t, err)
			_, err = w.Edit(t.Context(), fmt.Sprintf("[a#%s]\nPUT 1:\n+ONE\n[b#%s]\nPUT 1:\n+TWO\n", w.mustTag(t, "a"), w.mustTag(t, "b")))
			require.NoError(t, err)
			spoil(t, w.dir)
			before := hashlinetest.ReadTree(t, w.dir)
			two := 2
			_, err = w.Undo(t.Context(), UndoArgs{Steps: &two})
			require.ErrorIs(t, err, hashline.UndoConflict)
			require.True(t, strings.HasPrefix(err.(*Refusal).Content, "undo rejected, nothing was written\n"))
			if diff := cmp.Diff(before, hashlinetest.ReadTree(t, w.dir)); diff != "" {
				t.Errorf("the refusal changed files (-before +after):\n%s", diff)
			}
		})
	}
	// Between two edits another writer was there.
	w := open(t, map[string]string{"a": "one\n"})
	_, err := w.Write(t.Context(), WriteArgs{Path: "a", Content: "two\n"})
	require.NoError(t, err)
	put(t, filepath.Join(w.dir, "a"), "theirs\n")
	_, err = w.Write(t.Context(), WriteArgs{Path: "a", Content: "three\n"})
	require.NoError(t, err)
	two := 2
	_, err = w.Undo(t.Context(), UndoArgs{Steps: &two})
	require.ErrorIs(t, err, hashline.UndoConflict)
	undoIn(t, w, "", 1)
	require.Equal(t, "theirs\n", onDisk(t, w, "a"))
}

func TestUndoRefusals(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	put(t, filepath.Join(dir, "a"), "one\n")
	put(t, filepath.Join(dir, ".git/config"), "x\n")
	w := openUnsynced(t, dir, state, Config{})
	_, err := w.Undo(t.Context(), UndoArgs{})
	require.ErrorIs(t, err, hashline.NoHistory)
	_, err = w.Write(t.Context(), WriteArgs{Path: "a", Content: "two\n"})
	require.NoError(t, err)
	for path, code := range map[string]hashline.Code{"b": hashline.NoHistory, "../a": hashline.OutsideRoot, ".git/config": hashline.NoHistory} {
		_, err := w.Undo(t.Context(), UndoArgs{Path: path})
		require.ErrorIs(t, err, code, path)
	}
	for _, steps := range []int{0, -1, 100_001} {
		_, err := w.Undo(t.Context(), UndoArgs{Steps: &steps})
		require.ErrorIs(t, err, hashline.BadArgument)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = w.Undo(stopped, UndoArgs{})
	require.ErrorIs(t, err, hashline.Cancelled)
	readOnly := openUnsynced(t, dir, state, Config{ReadOnly: true})
	_, err = readOnly.Undo(t.Context(), UndoArgs{})
	require.ErrorIs(t, err, hashline.ReadOnly)
	// What is denied by now is not touched.
	denied := openUnsynced(t, dir, state, Config{Deny: []string{"a"}})
	_, err = denied.Undo(t.Context(), UndoArgs{})
	require.ErrorIs(t, err, hashline.Denied)
	require.NoError(t, os.Chmod(filepath.Join(dir, "a"), 0o444))
	_, err = w.Undo(t.Context(), UndoArgs{})
	require.ErrorIs(t, err, hashline.ReadOnly)
	require.NoError(t, os.Chmod(filepath.Join(dir, "a"), 0o644))

	// Damaged and lost pre-images.
	objects, err := filepath.Glob(filepath.Join(state, "history/objects/*"))
	require.NoError(t, err)
	require.Len(t, objects, 1)
	require.NoError(t, os.WriteFile(objects[0], []byte("junk"), 0o600))
	_, err = w.Undo(t.Context(), UndoArgs{})
	require.ErrorIs(t, err, hashline.NoHistory)
	require.NoError(t, os.Remove(objects[0]))
	_, err = w.Undo(t.Context(), UndoArgs{})
	require.ErrorIs(t, err, hashline.NoHistory)
	require.Equal(t, "two\n", onDisk(t, w, "a"))

	// Two steps that cancel one another out.
	_, err = w.Write(t.Context(), WriteArgs{Path: "a", Content: "three\n"})
	require.NoError(t, err)
	undoIn(t, w, "", 1)
	two := 2
	_, err = w.Undo(t.Context(), UndoArgs{Steps: &two})
	require.ErrorIs(t, err, hashline.NoChange)
}

// The history follows a workspace that is moved; the one that takes its place has
// none.
func TestUndoInAMovedWorkspace(t *testing.T) {
	base := t.TempDir()
	state := filepath.Join(base, "state")
	put(t, filepath.Join(base, "w/a"), "one\n")
	w := openUnsynced(t, filepath.Join(base, "w"), state, Config{})
	_, err := w.Write(t.Context(), WriteArgs{Path: "a", Content: "two\n"})
	require.NoError(t, err)
	require.NoError(t, (&Workspace{w.core}).Close())
	require.NoError(t, os.Rename(filepath.Join(base, "w"), filepath.Join(base, "moved")))
	put(t, filepath.Join(base, "w/a"), "two\n")
	_, err = openUnsynced(t, filepath.Join(base, "w"), state, Config{}).Undo(t.Context(), UndoArgs{})
	require.ErrorIs(t, err, hashline.NoHistory)
	undoIn(t, openUnsynced(t, filepath.Join(base, "moved"), state, Config{}), "", 1)
	data, err := os.ReadFile(filepath.Join(base, "moved/a"))
	require.NoError(t, err)
	require.Equal(t, "one\n", string(data))
}

// Random edits over many files, by two workspaces of one root, and then all of
// them undone at once, in pieces, and again.
func TestUndoOfManyEdits(t *testing.T) {
	edits, files := 100, 50
	if os.Getenv("COMMIT_FAULTS") == "all" {
		edits = 1000
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	name := func(i int) string { return fmt.Sprintf("d%d/f%d", i%7, i) }
	for i := range files / 2 {
		put(t, filepath.Join(dir, name(i)), strings.Repeat("line of text\r\n", r.IntN(50)))
	}
	ws := []*Session{openUnsynced(t, dir, state, Config{}), openUnsynced(t, dir, state, Config{HardLinks: InPlace})}
	states := []map[string]string{bytesOf(t, dir)}
	for range edits {
		w := ws[r.IntN(2)]
		doc := ""
		for _, i := range r.Perm(files)[:1+r.IntN(3)] {
			if _, err := os.Stat(filepath.Join(dir, name(i))); err == nil {
				doc += fmt.Sprintf("[%s#%s]\nPUT <1:\n+%d\n", name(i), w.mustTag(t, name(i)), r.Uint32())
				if onDisk(t, w, name(i)) == "" {
					continue
				}
				if r.IntN(2) == 0 {
					doc += "CUT 1\n"
				}
			}
		}
		if doc == "" || r.IntN(4) == 0 {
			_, err := w.Write(t.Context(), WriteArgs{Path: name(r.IntN(files)), Content: fmt.Sprintf("%d\nwritten\n", r.Uint64())})
			require.NoError(t, err)
		} else {
			_, err := w.Edit(t.Context(), doc)
			require.NoError(t, err, doc)
		}
		states = append(states, bytesOf(t, dir))
	}
	check := func(n int, what string) {
		t.Helper()
		if diff := cmp.Diff(states[n], bytesOf(t, dir)); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", what, diff)
		}
	}
	// To the beginning, back again, and in pieces.
	undoIn(t, ws[0], "", edits)
	check(0, "all undone")
	undoIn(t, ws[1], "", 1)
	check(edits, "and done again")
	done := 2 // undos count as edits
	for at := edits; at > 0; {
		n := min(at, 1+r.IntN(edits/3))
		undoIn(t, ws[r.IntN(2)], "", done+edits-at+n)
		at -= n
		done++
		check(at, fmt.Sprintf("undone to edit %d", at))
		if at > 0 {
			undoIn(t, ws[0], "", 1)
			check(edits, "and done again")
			done++
		}
	}
	names := slices.Collect(maps.Keys(bytesOf(t, dir)))
	for _, n := range names {
		require.NotContains(t, n, ".hashline-")
	}
	// Nothing but files of the history, and empty journals, is in the state folder.
	for name, e := range hashlinetest.ReadTree(t, state) {
		if !e.Mode.IsDir() && e.Data != "" && !strings.HasPrefix(name, "history/") {
			t.Errorf("left behind in the state folder: %s", name)
		}
	}
}

// Undos at the same time take back one edit after the other, or are refused.
func TestParallelUndos(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	put(t, filepath.Join(dir, "a"), "0\n")
	w := openUnsynced(t, dir, state, Config{})
	for i := range 20 {
		_, err := w.Write(t.Context(), WriteArgs{Path: "a", Content: fmt.Sprintf("%d\n", i+1)})
		require.NoError(t, err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				if _, err := w.Undo(t.Context(), UndoArgs{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	// An even number of undos of the last edit cancels out.
	require.Equal(t, "20\n", onDisk(t, w, "a"))
	log, err := (&Workspace{w.core}).History(t.Context(), "", 100)
	require.NoError(t, err)
	require.Zero(t, log.Skipped)
	require.Len(t, log.Edits, 40)
}

func TestHistoryAndShow(t *testing.T) {
	needHeld(t, "the history has no version after an edit")
	w := open(t, map[string]string{"a": "one\n", "b": "two\n"})
	_, err := w.Edit(t.Context(), fmt.Sprintf("[a#%s]\nPUT 1:\n+ONE\n[b#%s]\nCUT 1\n", w.mustTag(t, "a"), w.mustTag(t, "b")))
	require.NoError(t, err)
	_, err = w.Write(t.Context(), WriteArgs{Path: "a", Content: "1\n"})
	require.NoError(t, err)
	log, err := (&Workspace{w.core}).History(t.Context(), "b", 10)
	require.NoError(t, err)
	edits := log.Edits
	require.Len(t, edits, 1)
	require.Equal(t, "edit", edits[0].Tool)
	shown, err := (&Workspace{w.core}).Show(t.Context(), ShortID(edits[0]))
	require.NoError(t, err)
	require.Empty(t, shown.Unknown)
	var all string
	for _, c := range shown.Changes {
		diff, ok := c.Diff()
		require.True(t, ok)
		all += diff
	}
	require.Equal(t, "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+ONE\n--- a/b\n+++ b/b\n@@ -1 +0,0 @@\n-two\n", all)
	put(t, filepath.Join(w.dir, "b"), "other\n")
	shown, err = (&Workspace{w.core}).Show(t.Context(), edits[0].ID)
	require.NoError(t, err)
	require.Empty(t, shown.Unknown)
	_, err = (&Workspace{w.core}).Show(t.Context(), "")
	require.ErrorIs(t, err, hashline.NoHistory)
	_, _ = w.Edit(t.Context(), "[a#0000]\nCUT 1\n")
	stats, err := (&Workspace{w.core}).Stats(t.Context())
	require.NoError(t, err)
	if diff := cmp.Diff(map[string]int64{"edit": 1, "write": 1, "refused_stale_tag": 1}, stats.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	require.Equal(t, 3, stats.Images)
}

func TestOnCommit(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a"), "1\n2\n3\n4\n5\n")
	var events []Event
	w := openUnsynced(t, dir, filepath.Join(t.TempDir(), "state"), Config{OnCommit: func(e Event) { events = append(events, e) }})
	span := func(first, last int) hashline.Span { return hashline.Span{First: first, Last: last} }
	take := func() []Event { defer func() { events = nil }(); return events }

	_, err := w.Edit(t.Context(), "[a#"+w.mustTag(t, "a")+"]\nPUT 2:\n+b\n+bb\nCUT 4\nPUT >$:\n+end\nPUT <1:\n+top\n")
	require.NoError(t, err)
	got := take()
	require.Len(t, got, 1)
	require.Equal(t, "top\n1\nb\nbb\n3\n5\nend\n", onDisk(t, w, "a"))
	want := []Changed{
		{Old: span(1, 0), New: span(1, 1)},
		{Old: span(2, 2), New: span(3, 4)},
		{Old: span(4, 4), New: span(6, 5)},
		{Old: span(6, 5), New: span(7, 7)},
	}
	if diff := cmp.Diff(want, got[0].Spans); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
	require.Equal(t, w.mustTag(t, "a"), got[0].NewTag.String())

	_, _ = w.Edit(t.Context(), "[a#0000]\nCUT 1\n")
	require.Empty(t, take())
	_, err = w.Write(t.Context(), WriteArgs{Path: "n", Content: "x\ny"})
	require.NoError(t, err)
	tag := w.mustTag(t, "n")
	undoIn(t, w, "", 1)
	got = take()
	require.Len(t, got, 2)
	require.Nil(t, got[0].OldTag)
	require.Equal(t, []Changed{{Old: span(1, 0), New: span(1, 2)}}, got[0].Spans)
	require.Equal(t, "undo", got[1].Tool)
	require.Equal(t, tag, got[1].OldTag.String())
	require.Nil(t, got[1].NewTag)
}

// The spans of an event say exactly where the new text differs.
func TestEventSpansRebuildTheText(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	var event Event
	w := openUnsynced(t, dir, filepath.Join(t.TempDir(), "state"), Config{OnCommit: func(e Event) { event = e }})
	for range 100 {
		lines := 1 + r.IntN(12)
		old := make([]string, lines)
		for i := range old {
			old[i] = fmt.Sprintf("line %d", i)
		}
		put(t, filepath.Join(dir, "a"), strings.Join(old, "\n")+"\n")
		doc := "[a#" + w.mustTag(t, "a") + "]\n"
		for n := 1; n <= lines; n++ {
			switch r.IntN(6) {
			case 0:
				doc += fmt.Sprintf("CUT %d\n", n)
			case 1:
				doc += fmt.Sprintf("PUT %d:\n+x%d\n+y%d\n", n, n, n)
			case 2:
				doc += fmt.Sprintf("PUT <%d:\n+before%d\n", n, n)
			case 3:
				doc += fmt.Sprintf("PUT >%d:\n+after%d\n", n, n)
			}
		}
		if r.IntN(3) == 0 || !strings.Contains(doc, "\nPUT") && !strings.Contains(doc, "\nCUT") {
			doc += "PUT >$:\n+end\n"
		}
		_, err := w.Edit(t.Context(), doc)
		require.NoError(t, err, doc)
		new := strings.Split(strings.TrimSuffix(onDisk(t, w, "a"), "\n"), "\n")
		if new[0] == "" {
			new = nil
		}
		var got []string
		at := 1
		for _, s := range event.Spans {
			got = append(got, old[at-1:s.Old.First-1]...)
			require.Equal(t, len(got)+1, s.New.First, "seed %d: %s", seed, doc)
			got = append(got, new[s.New.First-1:s.New.Last]...)
			at = s.Old.Last + 1
		}
		got = append(got, old[at-1:]...)
		if diff := cmp.Diff(new, got); diff != "" {
			t.Fatalf("seed %d: %s (-file +spans):\n%s", seed, doc, diff)
		}
	}
}

// Folders that were made for several files go with the last of them, in whatever
// order their edits are undone; one that was there before stays.
func TestUndoRemovesMadeFolders(t *testing.T) {
	for _, order := range [][]string{{"m/n/x", "m/y"}, {"m/y", "m/n/x"}} {
		w := open(t, map[string]string{"old/a": "1\n"})
		for _, name := range []string{"m/n/x", "m/y", "old/b"} {
			_, err := w.Write(t.Context(), WriteArgs{Path: name, Content: "1\n"})
			require.NoError(t, err)
		}
		require.NoError(t, os.Remove(filepath.Join(w.dir, "old/a")))
		for _, name := range append(order, "old/b") {
			undoIn(t, w, name, 1)
		}
		require.NoDirExists(t, filepath.Join(w.dir, "m"), order)
		require.DirExists(t, filepath.Join(w.dir, "old"))
	}
}
