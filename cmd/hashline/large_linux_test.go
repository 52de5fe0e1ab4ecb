package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whole processes take little memory, however large the file is. The long form is
//
//	TMPDIR=/tmp HASHLINE_LARGE_MIB=1023 go test -v -run TestLargeFile ./cmd/hashline
//
// and needs 3 GiB of disk; without TMPDIR, of memory where the system has a place
// for files in it.
func TestLargeFile(t *testing.T) {
	mib := 80
	if given := os.Getenv("HASHLINE_LARGE_MIB"); given != "" {
		var err error
		mib, err = strconv.Atoi(given)
		require.NoError(t, err)
	} else if testing.Short() {
		t.Skip("SKIPPED in short mode: writes 300 MB")
	}
	// Peak memory of a child counts what it shared with us before it began.
	const most = 64 << 10 // KiB
	dir := t.TempDir()
	program := filepath.Join(dir, "hashline")
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	root := filepath.Join(dir, "root")
	require.NoError(t, os.Mkdir(root, 0o755))
	lines := writeLarge(t, filepath.Join(root, "f"), mib<<20)
	run := func(stdin string, args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Stdin = root, strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		require.NoError(t, err, "%v: %s", args, errs.String())
		peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
		t.Logf("%d MiB, %s: peak memory %.1f MiB", mib, strings.Join(args, " "), float64(peak)/1024)
		require.LessOrEqual(t, peak, int64(most), args)
		return string(out)
	}
	tag := run("", "tag", "f")[:4]
	mid := lines / 2
	view := run("", "read", "f", "--offset", strconv.Itoa(mid), "--limit", "2")
	require.Equal(t, fmt.Sprintf("[f#%s]\n%d:%s\n%d:%s\n\n[rows %d-%d of %d; next offset %d]\n", tag,
		mid, largeLine(mid), mid+1, largeLine(mid+1), mid, mid+1, lines, mid+2), view)
	for _, at := range []int{1, mid, lines} {
		doc := fmt.Sprintf("[f#%s]\nPUT %d:\n+changed\n", tag, at)
		if at == mid {
			require.Contains(t, run(doc, "check"), "f: ok, 1 line(s) added, 1 removed")
			require.Contains(t, run(doc, "edit", "--dry-run"), "\n-"+largeLine(at)+"\n+changed\n")
		}
		_, header, _ := strings.Cut(run(doc, "edit", "--no-sync"), "\n[f#")
		tag = header[:4]
	}
	require.Equal(t, run("", "tag", "f")[:4], tag)
	require.Contains(t, run(fmt.Sprintf("[f#%s]\nCUT 2.=%d\nPUT >$:\n+end\n", tag, lines-1), "edit"), "structural edit: 3 lines now")
	got, err := os.ReadFile(filepath.Join(root, "f"))
	require.NoError(t, err)
	require.Equal(t, "changed\nchanged\nend\n", string(got))
}

func largeLine(n int) string { return fmt.Sprintf("%d: a line as long as lines often are", n) }

// writeLarge writes a text of about so many bytes and gives its number of lines.
func writeLarge(t *testing.T, name string, size int) (lines int) {
	f, err := os.Create(name)
	require.NoError(t, err)
	w := bufio.NewWriterSize(f, 1<<20)
	for n := 0; n < size-100; {
		lines++
		k, err := w.WriteString(largeLine(lines) + "\n")
		require.NoError(t, err)
		n += k
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
	return lines
}
