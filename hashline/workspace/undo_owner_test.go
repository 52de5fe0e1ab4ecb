package workspace

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

// An undo without a path takes back what the session itself did, also where another
// has its name; with one, what anyone did to that file.
func TestUndoIsOfOwnEdits(t *testing.T) {
	base := open(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "f.txt": "1\n2\n3\n4\n5\n"})
	session := func(name, owner string) *Session {
		return (&Workspace{base.core}).Session(SessionConfig{Name: name, Owner: owner})
	}
	a, b, c := session("agent", "A"), session("agent", "B"), session("else", "C")
	edit := func(s *Session, name, ops string) {
		t.Helper()
		res, err := s.Read(t.Context(), ReadArgs{Path: name})
		require.NoError(t, err)
		_, err = s.Edit(t.Context(), res.Content[:len("[a.txt#0000]\n")]+ops)
		require.NoError(t, err)
	}
	refused := func(s *Session, path string, steps int, code hashline.Code) string {
		t.Helper()
		_, err := s.Undo(t.Context(), UndoArgs{Path: path, Steps: &steps})
		require.ErrorIs(t, err, code)
		return err.Error()
	}
	holds := func(name, text string) {
		t.Helper()
		require.Equal(t, text, onDisk(t, base, name))
	}

	edit(a, "a.txt", "PUT 1:\n+A\n")
	edit(b, "b.txt", "PUT 1:\n+B\n")
	require.Contains(t, undoIn(t, a, "", 1), "undid 1 edit; undo again takes this back\n\nrestored a.txt")
	holds("b.txt", "B\n")
	require.Contains(t, undoIn(t, a, "", 1), "undid an undo, so that what it took back is done again; undo")
	holds("a.txt", "A\n")

	// Who did nothing is told what others did, and takes it back only by name.
	says := refused(c, "", 1, hashline.NoHistory)
	require.Contains(t, says, "this session has made no edit that can be undone")
	require.Contains(t, says, "in another session, agent, and changed a.txt")
	require.Contains(t, refused(b, "", 2, hashline.NoHistory), "the history has 1 edit of this session")
	require.Contains(t, undoIn(t, c, "b.txt", 1), "undid 1 edit made in another session, agent; undo again")
	holds("b.txt", "b\n")
	require.Contains(t, refused(b, "", 1, hashline.UndoConflict), "in another session, else changed it since")
	require.Contains(t, undoIn(t, a, "b.txt", 1), "undid an undo made in another session, else, so that")
	holds("b.txt", "B\n")

	// Others edit the same file in between.
	edit(a, "f.txt", "PUT 1:\n+one\n")
	edit(b, "f.txt", "PUT 5:\n+five\n")
	edit(a, "a.txt", "PUT 1:\n+more\n")
	require.Contains(t, refused(a, "", 2, hashline.UndoConflict), "in another session of the same name, agent changed it since")
	holds("f.txt", "one\n2\n3\n4\nfive\n")
	holds("a.txt", "more\n")
	undoIn(t, b, "", 1)
	undoIn(t, a, "", 2)
	holds("f.txt", "1\n2\n3\n4\n5\n")
	holds("a.txt", "A\n")

	// A sub-agent is another, and who has no identity takes back anyone's.
	edit(a.Fork(), "b.txt", "PUT 1:\n+fork\n")
	undoIn(t, a, "", 1)
	holds("b.txt", "fork\n")
	holds("a.txt", "more\n")
	undoIn(t, a, "", 1)
	holds("a.txt", "A\n")
	edit(c, "a.txt", "PUT 1:\n+c\n")
	require.Contains(t, undoIn(t, session("", ""), "", 1), "undid 1 edit made in the session else;")
	holds("a.txt", "A\n")
}

// What setup did is taken back by its path alone, also by who takes back anyone's
// edits.
func TestUndoPassesOverSetup(t *testing.T) {
	s := open(t, map[string]string{"a.txt": "a\n"})
	_, err := s.Write(t.Context(), WriteArgs{Path: "a.txt", Content: "b\n"})
	require.NoError(t, err)
	change := commit.Change{Path: "conf", New: []byte("ours\n"), Create: true}
	_, err = s.store.CommitNoted(t.Context(), s.root, commit.Note{Tool: commit.SetupTool}, []commit.Change{change})
	require.NoError(t, err)
	undoIn(t, s, "", 1)
	require.Equal(t, "a\n", onDisk(t, s, "a.txt"))
	require.Equal(t, "ours\n", onDisk(t, s, "conf"))
	require.Contains(t, undoIn(t, s, "conf", 1), "undid 1 edit made by hashline setup; undo again")
	require.NoFileExists(t, filepath.Join(s.dir, "conf"))
}
