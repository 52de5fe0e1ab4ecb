package workspace

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// TestChildEdit is the process that is killed in the middle of an edit, when it is
// started by the test below.
func TestChildEdit(t *testing.T) {
	dir, state := os.Getenv("HASHLINE_KILLED_ROOT"), os.Getenv("HASHLINE_KILLED_STATE")
	if dir == "" {
		t.Skip("the part of another test")
	}
	doc, err := os.ReadFile(filepath.Join(state, "..", "doc"))
	require.NoError(t, err)
	w, err := Open(dir, Config{State: state, HardLinks: InPlace})
	require.NoError(t, err)
	_, _ = w.Session(SessionConfig{}).Edit(context.Background(), string(doc))
}

// An edit was killed while it overwrote a file, and another writer wrote to that:
// undo puts back what was before, where it is asked for by name, and the undo can
// be undone.
func TestUndoWhatAnInterruptedEditLeft(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("SKIPPED: no strace here")
	}
	base := t.TempDir()
	dir, state := filepath.Join(base, "root"), filepath.Join(base, "state")
	at := func(name string) string { return filepath.Join(dir, name) }
	put(t, at("a"), "base\nF1\nlonger\n")
	put(t, at("z"), "1\n")
	require.NoError(t, os.Link(at("a"), at("b")))
	w := openUnsynced(t, dir, state, Config{HardLinks: InPlace})
	_, err = w.Write(t.Context(), WriteArgs{Path: "z", Content: "2\n"})
	require.NoError(t, err)
	put(t, filepath.Join(base, "doc"), "[a#"+w.mustTag(t, "a")+"]\nPUT 1.=3:\n+E\n+E2\n")
	cmd := exec.Command(strace, "-f", "-o", "/dev/null", "-e", "trace=ftruncate", "-e", "inject=ftruncate:signal=KILL:when=1",
		os.Args[0], "-test.run", "^TestChildEdit$")
	cmd.Env = append(os.Environ(), "HASHLINE_KILLED_ROOT="+dir, "HASHLINE_KILLED_STATE="+state)
	if out, err := cmd.CombinedOutput(); err == nil || strings.Contains(string(out), "PTRACE") {
		t.Skipf("SKIPPED: nothing was killed: %s", out)
	}
	require.Equal(t, "E\nE2\nF1\nlonger\n", onDisk(t, w, "a"))
	put(t, at("a"), "E\nE2\nF1\nlonger\nTHEIRS\n")

	later := openUnsynced(t, dir, state, Config{HardLinks: InPlace})
	ws := &Workspace{later.core}
	require.Len(t, ws.Recovered().Conflicts, 1)
	conflict := ws.Recovered().Conflicts[0]
	require.Equal(t, "a", conflict.Path)
	log, err := ws.History(t.Context(), "a", 10)
	require.NoError(t, err)
	require.Len(t, log.Edits, 1)
	require.Contains(t, conflict.Hint, "hashline show "+ShortID(log.Edits[0])+" --before a")
	data, err := ws.Before(t.Context(), ShortID(log.Edits[0]), "a")
	require.NoError(t, err)
	require.Equal(t, "base\nF1\nlonger\n", string(data))
	shown, err := ws.Show(t.Context(), ShortID(log.Edits[0]))
	require.NoError(t, err)
	diff, ok := shown.Changes[0].Diff()
	require.True(t, ok)
	require.Contains(t, diff, "-base\n+E\n+E2\n F1\n longer\n+THEIRS\n")

	// Without its name it stays.
	require.Contains(t, undoIn(t, later, "", 1), "restored z")
	require.Equal(t, "E\nE2\nF1\nlonger\nTHEIRS\n", onDisk(t, w, "a"))
	require.Contains(t, undoIn(t, later, "a", 1), "put back what was there before an edit that was interrupted")
	require.Equal(t, "base\nF1\nlonger\n", onDisk(t, w, "b"))
	undoIn(t, later, "a", 1)
	require.Equal(t, "E\nE2\nF1\nlonger\nTHEIRS\n", onDisk(t, w, "a"))
	put(t, at("a"), "other\n")
	_, err = later.Undo(t.Context(), UndoArgs{Path: "a"})
	require.ErrorIs(t, err, hashline.UndoConflict)
}

// What is denied is not named by what a recovery says either.
func TestRecoveriesKeepThePolicy(t *testing.T) {
	dir := t.TempDir()
	w := openUnsynced(t, dir, filepath.Join(t.TempDir(), "state"), Config{Deny: []string{"secret"}})
	for _, path := range []string{"secret", "secret/k"} {
		w.recovered.report.Conflicts = nil
		w.recovered.told = 0
		report := w.recovered.report
		report.Conflicts = hashline.Diagnostics{{Code: hashline.RecoveryConflict, Path: path, Msg: "m", Hint: "hashline show 1 --before " + path}}
		w.noteRecovery(report)
		content, told := w.withRecovery("")
		require.Len(t, told, 1)
		require.NotContains(t, content, "secret")
		require.Contains(t, content, "denies")
	}
}
