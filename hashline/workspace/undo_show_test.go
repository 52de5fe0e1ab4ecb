package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// Neither the list of edits nor a diff tells of what is denied.
func TestHistoryAndShowKeepThePolicy(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	for _, name := range []string{"a", "secret/k", "secret/l"} {
		put(t, filepath.Join(dir, name), "one\n")
	}
	free := openUnsynced(t, dir, state, Config{})
	doc := ""
	for _, name := range []string{"a", "secret/k"} {
		doc += "[" + name + "#" + free.mustTag(t, name) + "]\nPUT 1:\n+two\n"
	}
	_, err := free.Edit(t.Context(), doc)
	require.NoError(t, err)
	_, err = free.Write(t.Context(), WriteArgs{Path: "secret/l", Content: "two\n"})
	require.NoError(t, err)
	all, err := (&Workspace{free.core}).History(t.Context(), "", 10)
	require.NoError(t, err)
	require.Zero(t, all.Denied)
	require.Len(t, all.Edits, 2)

	bound := openUnsynced(t, dir, state, Config{Deny: []string{"secret"}})
	w := &Workspace{bound.core}
	log, err := w.History(t.Context(), "", 10)
	require.NoError(t, err)
	require.Equal(t, 2, log.Denied)
	require.Len(t, log.Edits, 1)
	require.Len(t, log.Edits[0].Files, 1)
	require.Equal(t, "a", string(log.Edits[0].Files[0].Path))
	_, err = w.History(t.Context(), "secret/k", 10)
	require.ErrorIs(t, err, hashline.Denied)

	shown, err := w.Show(t.Context(), all.Edits[1].ID)
	require.NoError(t, err)
	require.Equal(t, 1, shown.Denied)
	require.Len(t, shown.Changes, 1)
	require.Equal(t, "a", shown.Changes[0].Path)
	_, err = w.Show(t.Context(), all.Edits[0].ID)
	require.ErrorIs(t, err, hashline.Denied)
	require.NotContains(t, err.Error(), "secret")
	for _, path := range []string{"secret/k", "SECRET/k", "./secret/k", "secret//k", filepath.Join(w.Root(), "secret/k")} {
		_, err = w.Before(t.Context(), all.Edits[1].ID, path)
		require.ErrorIs(t, err, hashline.Denied, path)
	}
	_, err = bound.Undo(t.Context(), UndoArgs{})
	require.ErrorIs(t, err, hashline.Denied)
	require.NotContains(t, err.Error(), "secret")
	_, err = bound.Undo(t.Context(), UndoArgs{Path: "a"})
	require.ErrorIs(t, err, hashline.Denied)
	require.NotContains(t, err.Error(), "secret")
}

// othersCome changes one file, removes one and puts a link in the place of one.
func othersCome(t *testing.T, w *Session) {
	t.Helper()
	at := func(name string) string { return filepath.Join(w.dir, name) }
	put(t, at("changed"), "3\n")
	require.NoError(t, os.Remove(at("gone")))
	require.NoError(t, os.Remove(at("away")))
	require.NoError(t, os.Symlink("/etc/passwd", at("away")))
}

func TestShowSaysWhatIsUnknown(t *testing.T) {
	w := open(t, map[string]string{"changed": "1\n", "gone": "1\n", "away": "1\n", "back": "1\n"})
	doc := ""
	for _, name := range []string{"changed", "gone", "away", "back"} {
		// More than the history keeps of what edits leave.
		doc += "[" + name + "#" + w.mustTag(t, name) + "]\nPUT 1:\n+" + strings.Repeat("2", history.MaxDelta+1) + "\n"
	}
	_, err := w.Edit(t.Context(), doc)
	require.NoError(t, err)
	othersCome(t, w)
	ws := &Workspace{w.core}
	log, err := ws.History(t.Context(), "", 1)
	require.NoError(t, err)
	shown, err := ws.Show(t.Context(), log.Edits[0].ID)
	require.NoError(t, err)
	after := "the version after the edit is not known any more: "
	want := []Unknown{
		{"changed", after + "the file was changed since, and the history has only what edits replaced"},
		{"gone", after + "the file is gone, and the history has only what edits replaced"},
		{"away", after + "its path leads elsewhere now"},
	}
	if diff := cmp.Diff(want, shown.Unknown); diff != "" {
		t.Errorf("unknown (-want +got):\n%s", diff)
	}
	// All of them can be had as they were before.
	for _, name := range []string{"changed", "gone", "away", "back"} {
		data, err := ws.Before(t.Context(), ShortID(log.Edits[0]), name)
		require.NoError(t, err)
		require.Equal(t, "1\n", string(data))
	}
	_, err = ws.Before(t.Context(), log.Edits[0].ID, "other")
	require.ErrorIs(t, err, hashline.NoHistory)
	objects := filepath.Join(w.store.Dir(), "history", "objects")
	require.NoError(t, os.RemoveAll(objects))
	shown, err = ws.Show(t.Context(), log.Edits[0].ID)
	require.NoError(t, err)
	require.Len(t, shown.Unknown, 4)
	require.Contains(t, shown.Unknown[3].Why, "the version before the edit is not known any more: it is no longer in the history")
}

// An edit is shown though others changed, removed or replaced its files.
func TestShowAfterChangesByOthers(t *testing.T) {
	needHeld(t, "the history has no version after an edit")
	w := open(t, map[string]string{"changed": "1\n", "gone": "1\n", "away": "1\n"})
	doc := ""
	for _, name := range []string{"changed", "gone", "away"} {
		doc += "[" + name + "#" + w.mustTag(t, name) + "]\nPUT 1:\n+2\n"
	}
	_, err := w.Edit(t.Context(), doc)
	require.NoError(t, err)
	othersCome(t, w)
	ws := &Workspace{w.core}
	log, err := ws.History(t.Context(), "", 1)
	require.NoError(t, err)
	shown, err := ws.Show(t.Context(), log.Edits[0].ID)
	require.NoError(t, err)
	require.Empty(t, shown.Unknown)
	for _, c := range shown.Changes {
		diff, ok := c.Diff()
		require.True(t, ok)
		require.Equal(t, "--- a/"+c.Path+"\n+++ b/"+c.Path+"\n@@ -1 +1 @@\n-1\n+2\n", diff)
	}
}

// A link leads elsewhere since the file was edited through it.
func TestUndoThroughALinkThatWasChanged(t *testing.T) {
	w := open(t, map[string]string{"t1": "1\n", "t2": "2\n"})
	at := func(name string) string { return filepath.Join(w.dir, name) }
	require.NoError(t, os.Symlink("t1", at("l")))
	_, err := w.Edit(t.Context(), "[l#"+w.mustTag(t, "l")+"]\nPUT 1:\n+one\n")
	require.NoError(t, err)
	require.NoError(t, os.Remove(at("l")))
	require.NoError(t, os.Symlink("t2", at("l")))
	_, err = w.Undo(t.Context(), UndoArgs{Path: "l"})
	require.ErrorIs(t, err, hashline.UndoConflict)
	require.ErrorContains(t, err, "leads elsewhere than when the file was edited: then it was t1; undo with path t1 takes that edit back")
	require.Equal(t, "one\n", onDisk(t, w, "t1"))
	// Without a path it says which file it restores.
	require.Contains(t, undoIn(t, w, "", 1), "restored t1\n[t1#")
	require.Equal(t, "1\n", onDisk(t, w, "t1"))
	require.Equal(t, "2\n", onDisk(t, w, "t2"))
	// The file that it leads to now has a history of its own.
	_, err = w.Write(t.Context(), WriteArgs{Path: "t2", Content: "two\n"})
	require.NoError(t, err)
	require.Contains(t, undoIn(t, w, "l", 1), "restored t2\n[t2#")
}

// Where an edit of ours came between that is said, and how to go on.
func TestUndoAfterALaterEdit(t *testing.T) {
	w := open(t, map[string]string{"a": "1\n", "b": "1\n"})
	_, err := w.Edit(t.Context(), "[a#"+w.mustTag(t, "a")+"]\nPUT 1:\n+2\n[b#"+w.mustTag(t, "b")+"]\nPUT 1:\n+2\n")
	require.NoError(t, err)
	_, err = w.Write(t.Context(), WriteArgs{Path: "b", Content: "3\n"})
	require.NoError(t, err)
	log, err := (&Workspace{w.core}).History(t.Context(), "b", 1)
	require.NoError(t, err)
	_, err = w.Undo(t.Context(), UndoArgs{Path: "a"})
	require.ErrorIs(t, err, hashline.UndoConflict)
	require.ErrorContains(t, err, "the edit "+ShortID(log.Edits[0])+" changed it since; take that back first, with undo of b, or all since with steps 2 and no path")
	undoIn(t, w, "", 2)
	require.Equal(t, "1\n", onDisk(t, w, "a"))
	require.Equal(t, "1\n", onDisk(t, w, "b"))
}

// A caller who gave up waits for nothing more of the history.
func TestHistoryOfACallerWhoGaveUp(t *testing.T) {
	s := open(t, nil)
	_, err := s.Write(t.Context(), WriteArgs{Path: "a", Content: "a\n"})
	require.NoError(t, err)
	w := &Workspace{s.core}
	log, err := w.History(t.Context(), "", 1)
	require.NoError(t, err)
	id := log.Edits[0].ID
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = w.History(ctx, "", 1)
	require.ErrorIs(t, err, hashline.Cancelled)
	_, err = w.Show(ctx, id)
	require.ErrorIs(t, err, hashline.Cancelled)
	_, err = w.Before(ctx, id, "a")
	require.ErrorIs(t, err, hashline.Cancelled)
	_, err = w.Stats(ctx)
	require.ErrorIs(t, err, hashline.Cancelled)
}
