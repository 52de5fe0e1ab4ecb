package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// open makes a workspace in a fresh folder with the given files.
func open(t *testing.T, files map[string]string) *Session {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	w, err := Open(dir, Config{State: filepath.Join(t.TempDir(), "state")})
	require.NoError(t, err)
	Ready(w)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w.Session(SessionConfig{})
}

func put(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
}

// onDisk gives the text of a file below the root.
func onDisk(t *testing.T, w *Session, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(data)
}

// needHeld skips a test of what is known only of texts that are held in memory, and
// says what is missing of others.
func needHeld(t *testing.T, missing string) {
	t.Helper()
	if Streams() {
		t.Skip("SKIPPED: with HASHLINE_STREAM no text is held, so that " + missing)
	}
}
