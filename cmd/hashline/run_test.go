package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// failing is an output that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Output that nobody reads any more is no failure, any other error is.
func TestFailingOutput(t *testing.T) {
	for _, c := range []struct {
		err  error
		args []string
		want int
		says string
	}{
		{syscall.ENOSPC, []string{"version"}, statusFailed, "hashline: standard output: " + syscall.ENOSPC.Error() + "\n"},
		{&os.PathError{Op: "write", Path: "x", Err: syscall.EIO}, []string{"tools"}, statusFailed, "hashline: standard output: " + syscall.EIO.Error() + "\n"},
		{syscall.EPIPE, []string{"version"}, statusOK, ""},
		{&os.PathError{Op: "write", Path: "x", Err: syscall.EPIPE}, []string{"help"}, statusOK, ""},
		{io.ErrClosedPipe, []string{"parse"}, statusRefused, ""},
	} {
		var errs strings.Builder
		got := run(t.Context(), c.args, strings.NewReader(""), failing{c.err}, &errs)
		if got != c.want || errs.String() != c.says {
			t.Errorf("%v into %v: status %d, %q; want %d, %q", c.args, c.err, got, errs.String(), c.want, c.says)
		}
	}
}

// Input that cannot be read is a failure of the system, and nothing is written.
func TestFailingInput(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	root := t.TempDir()
	for _, args := range [][]string{{"edit"}, {"check"}, {"write", "new"}, {"fmt"}, {"parse"}, {"call", "write"}} {
		var out, errs strings.Builder
		status := run(t.Context(), append(args, "--root", root), failingReader{}, &out, &errs)
		require.Equal(t, statusFailed, status, "%v: %s", args, errs.String())
		require.Equal(t, "hashline: standard input: no luck\n", errs.String())
	}
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	require.Empty(t, entries)
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errors.New("no luck") }

// endless counts what is read of an input without end.
type endless struct{ n int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.n += int64(len(p))
	return len(p), nil
}

// A document without end is refused when its limit is passed.
func TestEndlessDocument(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, args := range [][]string{{"edit"}, {"check"}, {"edit", "-n"}, {"fmt"}, {"parse"}} {
		in := &endless{}
		var out, errs strings.Builder
		status := run(t.Context(), args, in, &out, &errs)
		require.Equal(t, statusRefused, status, "%v: %s", args, errs.String())
		require.Contains(t, out.String()+errs.String(), "too_large")
		require.LessOrEqual(t, in.n, int64(16<<20+1))
		require.Less(t, len(out.String())+len(errs.String()), 2000)
	}
}

// No command line makes the program panic, and one that is wrong is told in a
// few short lines.
func TestHostileArguments(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	words := []string{
		"", "-", "--", "---", "--=", "-=", "--root", "--root=", "--tags=", "--color", "-h", "--help=x", "--version=x",
		"read", "grep", "edit", "call", "tag", "fmt", "help", "completion", "__complete", "__completeNoDesc",
		"\x00", "\xff\xfe", "%s%n", "-\xff", "--\x1b[31m", strings.Repeat("x", 1<<16), "-" + strings.Repeat("v", 1<<10),
		"--offset=99999999999999999999", "--offset=-1", "..", "/", "~", "*", "$HOME",
	}
	root := t.TempDir()
	t.Chdir(root)
	for _, a := range words {
		for _, b := range words {
			var out, errs strings.Builder
			status := run(t.Context(), []string{a, b}, strings.NewReader(""), &out, &errs)
			if status < statusOK || status > statusFailed {
				t.Errorf("%.40q %.40q: status %d", a, b, status)
			}
			if status == statusUsage && strings.Count(errs.String(), "\n") > 2 {
				t.Errorf("%.40q %.40q: %s", a, b, errs.String())
			}
			if errs.Len() > 4000 {
				t.Errorf("%.40q %.40q: %d bytes of errors", a, b, errs.Len())
			}
		}
	}
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// A document of absolute paths and several files has a line for each section,
// under the path that a header would have.
func TestCheckNames(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	root := t.TempDir()
	inRoot(t, root, "d/a", []byte("one\n"))
	inRoot(t, root, "d/b", []byte("one\n"))
	status, out, _ := command(t, "", "tag", filepath.Join(root, "d", "a"))
	require.Equal(t, statusOK, status)
	tag := out[:4]
	doc := "[" + filepath.ToSlash(root) + "/d/a#" + tag + "]\nCUT 1\n[d//b#" + tag + "]\nPUT 1:\n+one\n"
	status, out, errs := command(t, doc, "check", "--root", root)
	require.Equal(t, statusOK, status, errs)
	require.Equal(t, "d/a: ok, 0 line(s) added, 1 removed\nd/b: ok, no change\n", out)

	// One path ends as the other does.
	inRoot(t, root, "a", []byte("one\n"))
	doc = "[" + filepath.ToSlash(root) + "/d/a#" + tag + "]\nPUT 1:\n+one\n[a#" + tag + "]\nCUT 1\n"
	status, out, errs = command(t, doc, "check", "--root", root)
	require.Equal(t, statusOK, status, errs)
	require.Equal(t, "d/a: ok, no change\na: ok, 0 line(s) added, 1 removed\n", out)
}
