//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit"
)

// start starts the real program in a folder.
func start(t *testing.T, dir string, stdin *os.File, args ...string) (cmd *exec.Cmd, out *bytes.Buffer) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), "hashline", args...)
	out = new(bytes.Buffer)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, stdin, out, out
	require.NoError(t, cmd.Start())
	return cmd, out
}

// A signal cancels a call that waits, which then has written nothing.
func TestSignalCancelsCall(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	dir := t.TempDir()
	inRoot(t, dir, "a.txt", []byte("one\n"))
	inRoot(t, dir, "doc", []byte("[a.txt#"+tagIn(t, dir)+"]\nCUT 1\n"))

	// Another writer holds the file's lock, so that the edit waits.
	folder, err := commit.DefaultDir()
	require.NoError(t, err)
	store, err := commit.Open(folder)
	require.NoError(t, err)
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	held, err := store.Lock(t.Context(), root, []string{"a.txt"})
	require.NoError(t, err)
	defer held.Release()

	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		cmd, out := cancelled(t, dir, signal)
		require.Equal(t, statusRefused, cmd.ProcessState.ExitCode(), "%v: %s: %s", signal, cmd.ProcessState, out)
		require.Contains(t, out.String(), "cancelled")
	}
	text, err := os.ReadFile(filepath.Join(dir, "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "one\n", string(text))
}

func tagIn(t *testing.T, dir string) string {
	t.Helper()
	_, out, _ := command(t, "", "tag", filepath.Join(dir, "a.txt"))
	tag, _, _ := strings.Cut(out, " ")
	return tag
}

// cancelled runs an edit that waits for a lock and signals it. A process that
// had not come to the call yet died of the signal; then it gets more time.
func cancelled(t *testing.T, dir string, signal os.Signal) (cmd *exec.Cmd, out *bytes.Buffer) {
	t.Helper()
	for wait := 50 * time.Millisecond; wait < 10*time.Second; wait *= 2 {
		cmd, out = start(t, dir, nil, "edit", "doc")
		time.Sleep(wait)
		require.NoError(t, cmd.Process.Signal(signal))
		_ = cmd.Wait()
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
			break
		}
	}
	return cmd, out
}

// While a document is still being read a signal ends the program at once.
func TestSignalEndsReading(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer w.Close()
	cmd, _ := start(t, t.TempDir(), r, "edit")
	r.Close()
	time.Sleep(100 * time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	require.True(t, ok)
	require.True(t, status.Signaled(), "%s", cmd.ProcessState)
	require.Equal(t, syscall.SIGINT, status.Signal())
}
