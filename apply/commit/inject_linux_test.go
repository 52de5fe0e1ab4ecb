package commit

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// outcome is what the child that commits has to say.
type outcome struct {
	Codes    []hashline.Code
	Message  string
	Warnings []hashline.Code
}

// playMore commits a scene, the first one where args[1] names none, or recovers,
// and writes what came of it to the file args[0], with calls that no test makes
// fail.
func playMore(role string, s *Store, root *os.Root, args []string) int {
	switch role {
	case "foreign":
		return foreignWriter(root, args)
	case "limited":
		return limited(s, root, args)
	case "hammer":
		return hammer(s, root)
	}
	out, err := os.Create(args[0])
	if err != nil {
		return complain(err)
	}
	s.NoSync = false
	c := scenes()[0]
	for _, other := range fullScenes() {
		if len(args) > 1 && other.name == args[1] {
			c = other
		}
	}
	if c.keep {
		s.keepFrom = 0
	}
	var got outcome
	switch role {
	case "commit":
		warnings, err := s.CommitNoted(context.Background(), root, Note{Empty: c.empty}, c.changes)
		got = outcome{Codes: codes(err)}
		if err != nil {
			got.Message = err.Error()
		}
		for _, w := range warnings {
			got.Warnings = append(got.Warnings, w.Code)
		}
	case "recover":
		if _, err := s.Recover(context.Background(), root); err != nil {
			got.Message = err.Error()
		}
	default:
		return 2
	}
	b, _ := json.Marshal(got)
	if _, err := syscall.Pwrite(int(out.Fd()), b, 0); err != nil {
		return complain(err)
	}
	return 0
}

// straceHere tells whether strace runs here, and whether it can have the kernel stop
// only the calls that it is to look at.
var straceHere = sync.OnceValues(func() (filters bool, err error) {
	try := func(args ...string) error {
		return exec.Command("strace", append([]string{"-f", "-o", os.DevNull}, append(args, "true")...)...).Run()
	}
	if err := try(); err != nil {
		return false, err
	}
	return try("--seccomp-bpf", "-e", "trace=openat") == nil, nil
})

func needStrace(t *testing.T) {
	if _, err := straceHere(); err != nil {
		t.Skipf("SKIPPED: strace does not run here, so that no system call can be made to fail: %v", err)
	}
}

// strace prepares a command under strace, which does what inject says, and writes
// the other calls to look at to the file out.
func strace(t *testing.T, out string, look, inject []string, command ...string) *exec.Cmd {
	needStrace(t)
	args := []string{"-f", "-qq", "-o", out}
	kills := false
	look = slices.Clone(look)
	for _, in := range inject {
		args = append(args, "-e", "inject="+in)
		call, _, _ := strings.Cut(in, ":")
		look = append(look, call)
		kills = kills || strings.Contains(in, ":signal=")
	}
	args = append(args, "-e", "trace="+strings.Join(look, ","))
	// At a call that the kernel's filter stops strace sends no signal.
	if filters, _ := straceHere(); filters && !kills {
		args = append(args, "--seccomp-bpf")
	}
	return exec.Command("strace", append(args, command...)...)
}

// Calls that fail: what is said is true, and nothing is left behind.
func TestFailingCalls(t *testing.T) {
	old := map[string]string{"a": "-rw-r----- 1", "b": "-rw-r--r-- 2"}
	done := map[string]string{"a": "-rw-r----- one", "b": "-rw-r--r-- two", "n": "drwxr-xr-x", "n/c": "-rw-r--r-- three"}
	for _, c := range []struct {
		inject  string
		codes   []hashline.Code
		message string
		warn    int
		want    map[string]string
	}{
		{inject: "close:error=EINTR:when=1", want: done},
		{inject: "write:error=EINTR:when=2", want: done},
		{inject: "fsync:error=EINTR:when=1..4+2", want: done},
		{inject: "write:error=ENOSPC:when=3", codes: []hashline.Code{hashline.IO}, message: "no space left", want: old},
		{inject: "write:error=ENOSPC:when=5", codes: []hashline.Code{hashline.IO}, message: "no space left", want: old},
		{inject: "write:error=EDQUOT:when=4", codes: []hashline.Code{hashline.IO}, message: "quota", want: old},
		{inject: "write:error=EIO:when=4", codes: []hashline.Code{hashline.IO}, message: "input/output", want: old},
		{inject: "write:error=EFBIG:when=4", codes: []hashline.Code{hashline.IO}, message: "too large", want: old},
		{inject: "fchmod:error=EPERM:when=2", codes: []hashline.Code{hashline.Attributes}, want: old},
		{inject: "fchmod:retval=0:when=1", codes: []hashline.Code{hashline.Attributes}, message: "did not take them over", want: old},
		{inject: "mkdirat:error=EACCES:when=5", codes: []hashline.Code{hashline.Denied}, want: old},
		{inject: "mkdirat:error=EROFS:when=5", codes: []hashline.Code{hashline.ReadOnly}, want: old},
		{inject: "fsync:error=EIO:when=5", codes: []hashline.Code{hashline.IO}, message: "cannot sync", want: old},
		{inject: "fsync:error=EIO:when=7", codes: []hashline.Code{hashline.IO}, message: "cannot sync", want: old},
		{inject: "fsync:error=EINVAL:when=1+", want: done},
		{inject: "fsync:error=EOPNOTSUPP:when=1+", want: done},
		{inject: "fsync:error=EIO:when=8", codes: []hashline.Code{hashline.IO}, message: "the journal", want: old},
		{inject: "fsync:error=EIO:when=9", want: done, warn: 1},
		{inject: "fsync:error=EIO:when=9+", want: done, warn: 3},
		{inject: "renameat2:error=EROFS:when=1", codes: []hashline.Code{hashline.ReadOnly}, want: old},
		{inject: "renameat2:error=EBUSY:when=1", codes: []hashline.Code{hashline.MountPoint}, want: old},
		{inject: "renameat2:error=EPERM:when=1", codes: []hashline.Code{hashline.Denied}, want: old},
		{inject: "renameat2:error=EINTR:when=1..5+2", want: done},
		{inject: "renameat2:error=EIO:when=2", codes: []hashline.Code{hashline.IO}, message: "the 1 file(s) already written were put back", want: old},
		{inject: "renameat2:error=EIO:when=3", codes: []hashline.Code{hashline.IO}, message: "the 2 file(s) already written were put back", want: old},
		{inject: "renameat2:error=EEXIST:when=3", codes: []hashline.Code{hashline.Exists}, message: "were put back", want: old},
		{inject: "renameat2:error=EINVAL:when=3", want: done},
		{inject: "renameat2:error=EINVAL:when=3 linkat:error=EINVAL", codes: []hashline.Code{hashline.IO}, message: "were put back", want: old},
		{inject: "unlinkat:error=EIO:when=1", want: map[string]string{"a": done["a"], "b": done["b"], "n": done["n"], "n/c": done["n/c"], ".tmp": "-rw-r----- 1"}, warn: 1},
		// No exchange of names, no leases.
		{inject: "renameat2:error=ENOSYS", want: done},
		{inject: "renameat2:error=EINVAL:when=2", want: done},
		{inject: "renameat2:error=EINVAL renameat:error=EROFS:when=3", codes: []hashline.Code{hashline.ReadOnly}, want: old},
		{inject: "renameat2:error=EINVAL renameat:error=EBUSY:when=3", codes: []hashline.Code{hashline.MountPoint}, want: old},
		{inject: "renameat2:error=EINVAL renameat:error=EIO:when=4", codes: []hashline.Code{hashline.IO}, message: "the 1 file(s) already written were put back", want: old},
		{inject: "renameat2:error=EINVAL linkat:error=EIO", codes: []hashline.Code{hashline.IO}, message: "the 2 file(s) already written were put back", want: old},
		{inject: "fcntl:error=EACCES:when=4+", want: done},
		// The state folder: nothing is written without a history and a journal,
		// and what comes after the renames fails no edit.
		{inject: "write:error=ENOSPC:when=1", codes: []hashline.Code{hashline.IO}, message: "in the history", want: old},
		{inject: "renameat:error=EIO:when=2", codes: []hashline.Code{hashline.IO}, message: "in the history", want: old},
		{inject: "fsync:error=EIO:when=3", codes: []hashline.Code{hashline.IO}, message: "in the history", want: old},
		{inject: "pwrite64:error=EDQUOT:when=1", codes: []hashline.Code{hashline.IO}, message: "the journal", want: old},
		{inject: "fsync:error=EIO:when=4", codes: []hashline.Code{hashline.IO}, message: "the journal", want: old},
		{inject: "mkdirat:error=ENOSPC:when=1", codes: []hashline.Code{hashline.IO}, message: "the state folder", want: old},
		{inject: "mkdirat:error=ENOSPC:when=3", codes: []hashline.Code{hashline.IO}, message: "the state folder", want: old},
		{inject: "flock:error=ENOLCK:when=1", codes: []hashline.Code{hashline.IO}, message: "the history", want: old},
		{inject: "flock:error=ENOLCK:when=2", codes: []hashline.Code{hashline.IO}, message: "the journal", want: old},
		{inject: "write:error=ENOSPC:when=6", codes: []hashline.Code{hashline.IO}, message: "the journal", want: old},
		{inject: "write:error=ENOSPC:when=7", want: done},
		{inject: "write:error=ENOSPC:when=8", want: done, warn: 1},
		{inject: "fsync:error=EIO:when=11", want: done, warn: 1},
		{inject: "mkdirat:error=ENOSPC:when=6", want: done, warn: 1},
		{inject: "ftruncate:error=EIO:when=1", want: done},
		// Putting back fails as well.
		{inject: "renameat2:error=EINVAL renameat:error=EIO:when=4+", codes: []hashline.Code{"torn", hashline.IO, hashline.IO}, message: "could not be put back, it holds the new version",
			want: map[string]string{"a": "-rw-r----- one", "b": "-rw-r--r-- 2"}},
		{inject: "write:error=ENOSPC:when=7 renameat2:error=EINVAL linkat:error=EIO", codes: []hashline.Code{"torn", hashline.IO, hashline.IO}, message: "1 could be put back and 1 not",
			want: map[string]string{"a": "-rw-r----- 1", "b": "-rw-r--r-- two"}},
		{inject: "renameat2:error=EIO:when=2..3", codes: []hashline.Code{"torn", hashline.IO, hashline.IO}, message: "could not be put back, it holds the new version",
			want: map[string]string{"a": "-rw-r----- one", "a.kept": "-rw-r----- 1", "b": "-rw-r--r-- 2"}},
		{inject: "renameat2:error=EIO:when=2+", codes: []hashline.Code{"torn", hashline.IO, hashline.IO}, message: "what it held before is kept as .hashline-",
			want: map[string]string{"a": "-rw-r----- one", ".tmp": "-rw-r----- 1", "b": "-rw-r--r-- 2"}},
	} {
		t.Run(c.inject, func(t *testing.T) {
			s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
			require.NoError(t, os.Chmod(filepath.Join(root.Name(), "a"), 0o640))
			result := filepath.Join(t.TempDir(), "result")
			cmd := strace(t, os.DevNull, nil, strings.Fields(c.inject), os.Args[0], s.Dir(), root.Name(), result)
			cmd.Env = append(os.Environ(), roleVar+"=commit")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			b, err := os.ReadFile(result)
			require.NoError(t, err)
			var got outcome
			require.NoError(t, json.Unmarshal(b, &got))

			same(t, c.codes, got.Codes)
			require.Contains(t, got.Message, c.message)
			require.Len(t, got.Warnings, c.warn)
			same(t, c.want, plainNames(tree(t, root.Name())))
		})
	}
}

// plainNames takes the random part out of the names that we make.
func plainNames(files map[string]string) map[string]string {
	plain := map[string]string{}
	for name, what := range files {
		name = regexp.MustCompile(`\.hashline-([0-9a-f]{16}\.(tmp)|(kept)-[0-9a-f]{8})`).ReplaceAllString(name, ".$2$3")
		plain[name] = what
	}
	return plain
}

// A temporary file that cannot be removed is named.
func TestStrayIsNamed(t *testing.T) {
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2"})
	result := filepath.Join(t.TempDir(), "result")
	cmd := strace(t, os.DevNull, nil, []string{"unlinkat:error=EIO", "renameat2:error=EIO:when=1"}, os.Args[0], s.Dir(), root.Name(), result)
	cmd.Env = append(os.Environ(), roleVar+"=commit")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	b, err := os.ReadFile(result)
	require.NoError(t, err)
	var got outcome
	require.NoError(t, json.Unmarshal(b, &got))
	same(t, []hashline.Code{hashline.IO}, got.Codes)
	strays := 0
	for name := range tree(t, root.Name()) {
		if strings.Contains(name, tempPrefix) {
			strays++
			require.Contains(t, got.Message, name)
		}
	}
	require.Equal(t, 3, strays)
}
