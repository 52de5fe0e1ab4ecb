//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
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

	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sig) {
			t.Logf("%v is not tried: these tests were started to ignore it, and what they start does too", sig)
			continue
		}
		cmd, out := cancelled(t, dir, sig)
		require.Equal(t, statusRefused, cmd.ProcessState.ExitCode(), "%v: %s: %s", sig, cmd.ProcessState, out)
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
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	require.True(t, ok)
	require.True(t, status.Signaled(), "%s", cmd.ProcessState)
	require.Equal(t, syscall.SIGTERM, status.Signal())
}

// fullPipe gives a pipe that takes nothing more, and how much is in it.
func fullPipe(t *testing.T) (r, w *os.File, n int) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { r.Close(); w.Close() })
	// One deadline may pass because the machine is busy.
	for late := 0; late < 3; {
		require.NoError(t, w.SetWriteDeadline(time.Now().Add(50*time.Millisecond)))
		written, err := w.Write(make([]byte, 512))
		n += written
		if err == nil {
			late = 0
			continue
		}
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		late++
	}
	return r, w, n
}

// blocked starts an edit that commits and then cannot write its answer, and
// gives the process once the file has changed.
func blocked(t *testing.T, stdin string, args ...string) (cmd *exec.Cmd, answer func() string) {
	t.Helper()
	dir := t.TempDir()
	inRoot(t, dir, "a.txt", []byte("one\n"))
	r, w, n := fullPipe(t)
	cmd = exec.CommandContext(t.Context(), "hashline", args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout = dir, strings.NewReader(strings.ReplaceAll(stdin, "TAG", tagIn(t, dir))), w
	require.NoError(t, cmd.Start())
	require.NoError(t, w.Close())
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "a.txt"))
		return err == nil && string(text) == "two\n"
	}, time.Minute, 10*time.Millisecond)
	// A signal may come at any time from now on, before the writing too.
	return cmd, func() string {
		all, err := io.ReadAll(r)
		require.NoError(t, err)
		return string(all[n:])
	}
}

var edits = []struct {
	stdin, answer string
	args          []string
}{
	{"[a.txt#TAG]\nPUT 1:\n+two\n", "PUT 1: (1 → 1 line(s))\n", []string{"edit"}},
	{"two\n", "wrote a.txt\n", []string{"write", "a.txt"}},
	{`{"input":"[a.txt#TAG]\nPUT 1:\n+two\n"}`, `{"ok":true,`, []string{"call", "edit"}},
}

// A signal after the commit does not keep the answer from who asked.
func TestSignalKeepsAnswer(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, e := range edits {
		for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
			cmd, answer := blocked(t, e.stdin, e.args...)
			require.NoError(t, cmd.Process.Signal(signal))
			require.True(t, strings.HasPrefix(answer(), e.answer), "%v, %v", e.args, signal)
			require.NoError(t, cmd.Wait())
		}
	}
}

// A process whose answer nobody reads can still be asked to end.
func TestSignalEndsWriting(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	cmd, _ := blocked(t, edits[0].stdin, edits[0].args...)
	begin := time.Now()
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	require.Equal(t, statusFailed, cmd.ProcessState.ExitCode(), "%s", cmd.ProcessState)
	require.Less(t, time.Since(begin), 10*grace)
}
