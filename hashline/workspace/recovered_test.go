package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

// Every call that writes looks for edits that were interrupted since Open.
func TestWritesRecoverFirst(t *testing.T) {
	w := open(t, map[string]string{"a.txt": "a\n"})
	write := func(text string) {
		t.Helper()
		_, err := w.Write(t.Context(), WriteArgs{Path: "a.txt", Content: text})
		require.NoError(t, err)
	}
	write("b\n")
	journals, err := filepath.Glob(filepath.Join(w.state, "journals", "*"))
	require.NoError(t, err)
	require.Len(t, journals, 1)
	for _, do := range []func(){
		func() { write("c\n") },
		func() { _, err := w.Undo(t.Context(), UndoArgs{}); require.NoError(t, err) },
		func() {
			res, err := w.Read(t.Context(), ReadArgs{Path: "a.txt"})
			require.NoError(t, err)
			_, err = w.Edit(t.Context(), res.Content[:len("[a.txt#0000]\n")]+"PUT 1:\n+d\n")
			require.NoError(t, err)
		},
	} {
		// A process was killed while it wrote its journal.
		require.NoError(t, os.WriteFile(journals[0], []byte("hashline journal 1 100 "), 0o600))
		do()
		info, err := os.Stat(journals[0])
		require.NoError(t, err)
		require.Zero(t, info.Size())
	}
}

// What a recovery has to say is said once, behind the next answer.
func TestRecoveriesAreToldOnce(t *testing.T) {
	w := open(t, nil)
	conflict := func(path string) *hashline.Diagnostic {
		return &hashline.Diagnostic{Code: hashline.RecoveryConflict, Path: path, Msg: "stays"}
	}
	told := func() string { content, _ := w.withRecovery(""); return content }
	require.Empty(t, told())
	w.noteRecovery(commit.Report{Done: []string{"x"}, Conflicts: hashline.Diagnostics{conflict("a")}})
	require.Contains(t, told(), "warning: a: recovery_conflict: stays")
	require.Empty(t, told())
	w.noteRecovery(commit.Report{Undone: []string{"y"}, Conflicts: hashline.Diagnostics{conflict("a"), conflict("b")}})
	require.Contains(t, told(), "warning: b: recovery_conflict: stays")
	require.Empty(t, told())
	// An answer that has no room for it leaves it to the next.
	w.noteRecovery(commit.Report{Conflicts: hashline.Diagnostics{conflict("c")}})
	full := strings.Repeat("x", w.limit)
	content, faults := w.withRecovery(full)
	require.Empty(t, faults)
	require.Equal(t, full, content)
	content, faults = w.withRecovery("rows")
	require.Len(t, faults, 1)
	require.Contains(t, content, "rows\n\nwarning: c: recovery_conflict: stays")
	want := commit.Report{Done: []string{"x"}, Undone: []string{"y"}, Conflicts: hashline.Diagnostics{conflict("a"), conflict("b"), conflict("c")}}
	if d := cmp.Diff(want, (&Workspace{core: w.core}).Recovered()); d != "" {
		t.Errorf("differs (-want +got):\n%s", d)
	}
}

// A read-only workspace brings nothing to an end, and says so.
func TestReadOnlyTellsOfInterruptedEdits(t *testing.T) {
	w := open(t, map[string]string{"a.txt": "a\n"})
	_, err := w.Write(t.Context(), WriteArgs{Path: "a.txt", Content: "b\n"})
	require.NoError(t, err)
	journals, err := filepath.Glob(filepath.Join(w.state, "journals", "*"))
	require.NoError(t, err)
	quiet := openUnsynced(t, w.dir, w.state, Config{ReadOnly: true})
	require.Empty(t, (&Workspace{quiet.core}).Recovered().Conflicts)
	require.NoError(t, os.WriteFile(journals[0], []byte("hashline journal 1 100 "), 0o600))
	told := openUnsynced(t, w.dir, w.state, Config{ReadOnly: true})
	require.Len(t, (&Workspace{told.core}).Recovered().Conflicts, 1)
	content, _ := told.withRecovery("")
	require.Contains(t, content, "an edit was interrupted, and the workspace is read-only")
}
