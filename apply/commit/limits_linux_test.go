package commit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/hashline"
)

// limited commits the scene args[1] where no file may be longer than args[2]
// bytes, and writes what came of it to standard output.
func limited(s *Store, root *os.Root, args []string) int {
	limit, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		return complain(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		return complain(err)
	}
	for _, c := range fullScenes() {
		if c.name == args[0] {
			warnings, err := s.CommitNoted(context.Background(), root, Note{Empty: c.empty}, c.changes)
			got := outcome{Codes: codes(err)}
			if err != nil {
				got.Message = err.Error()
			}
			for _, w := range warnings {
				got.Warnings = append(got.Warnings, w.Code)
			}
			_ = json.NewEncoder(os.Stdout).Encode(got)
			return 0
		}
	}
	return 2
}

// No file may be longer than a limit: the kernel then sends a signal that ends
// many a process, and lets the write fail. However small the limit is, the
// process goes on, and all is old or all is new.
func TestFileSizeQuota(t *testing.T) {
	for _, c := range fullScenes() {
		failed, killed := 0, 0
		for limit := 0; ; limit = limit*3/2 + 16 {
			require.Less(t, limit, 1<<20)
			s, dir := newStore(t), t.TempDir()
			c.build(t, dir)
			root := openRoot(t, dir)
			cmd := child("limited", s.Dir(), dir, c.name, fmt.Sprint(limit))
			if failed%2 == 1 {
				// With the signal ignored, as some parents do.
				sh := exec.Command("sh", append([]string{"-c", `trap "" XFSZ; exec "$@"`, "sh"}, cmd.Args...)...)
				sh.Env, cmd = cmd.Env, sh
			}
			out, err := cmd.Output()
			if exit, ok := errors.AsType[*exec.ExitError](err); ok && !exit.Exited() {
				killed++
			}
			require.NoError(t, err)
			var got outcome
			require.NoError(t, json.Unmarshal(out, &got))
			require.NotContains(t, got.Codes, hashline.Code("torn"))
			var said error
			if len(got.Codes) > 0 {
				require.Contains(t, got.Message, "file too large")
				said = &hashline.Diagnostic{Code: got.Codes[0], Msg: got.Message, Hint: got.Message}
				failed++
			}
			c.whole(t, s, root, said, "over a limit that the system sets on size", func() {})
			if len(got.Codes)+len(got.Warnings) == 0 {
				break
			}
			for _, w := range got.Warnings {
				require.Equal(t, hashline.NoUndo, w)
			}
		}
		require.Zero(t, killed)
		require.NotZero(t, failed)
		t.Logf("%s: %d limits were too low", c.name, failed)
	}
}

// spoiled commits a scene again and again; from the start on, and then from each
// step on, nothing can be changed in the folders of the targets, which each time
// are new ones.
func (c scene) spoiled(t *testing.T, code hashline.Code, message string, stage func() (s *Store, dir string, spoil, mend func()), as func(func())) {
	refused, strays, torn := 0, 0, 0
	for at := -1; ; at++ {
		s, dir, spoil, mend := stage()
		step := 0
		s.step = func(string) {
			if step++; step == at+1 {
				spoil()
			}
		}
		before := stamped(t, dir)
		if at < 0 {
			spoil()
		}
		var warnings hashline.Diagnostics
		var err error
		as(func() { warnings, err = s.CommitNoted(t.Context(), openRoot(t, dir), Note{Empty: c.empty}, c.changes) })
		s.step = nil
		if step <= at {
			require.NoError(t, err)
			require.Empty(t, warnings)
			break
		}
		if at < 0 {
			require.Equal(t, []hashline.Code{code}, codes(err))
			require.ErrorContains(t, err, message)
		}
		left := tree(t, dir)
		mend()
		if at < 0 {
			same(t, before, stamped(t, dir))
		}
		if err != nil {
			refused++
			for name := range left {
				if isTemp(filepath.Base(name)) {
					strays++
					require.ErrorContains(t, err, filepath.Base(name))
				}
			}
		}
		if said := (&outcome{Codes: codes(err)}); err == nil || said.Codes[0] != "torn" {
			if err != nil {
				require.Equal(t, code, said.Codes[0], "%v", err)
			}
			c.settle(t, s, dir, said, "")
		} else {
			// It was said what could not be put back, and that stays so.
			torn++
			for name, what := range filesOf(left) {
				if what != c.old[name] {
					require.ErrorContains(t, err, name+": "+string(code)+": could not be put back, it holds the new version")
				}
			}
			require.Empty(t, recovered(t, s, openRoot(t, dir)))
			same(t, filesOf(left), filesOf(tree(t, dir)))
			c.quiet(t, s)
		}
		require.False(t, t.Failed(), "at step %d", at)
	}
	t.Logf("%d commits refused, %d of them torn; %d temporary files named", refused, torn, strays)
	require.NotZero(t, refused)
	require.NotZero(t, strays)
}

func TestReadOnlyMount(t *testing.T) {
	for _, c := range scenes() {
		t.Run(c.name, func(t *testing.T) {
			c.spoiled(t, hashline.ReadOnly, "the file system is mounted read-only", func() (*Store, string, func(), func()) {
				disk := smallDisk(t, 256)
				dir := filepath.Join(disk, "root")
				require.NoError(t, os.Mkdir(dir, 0o755))
				c.build(t, dir)
				remount := func(flags uintptr) func() {
					return func() {
						// The system refuses it while a file is open for writing.
						if err := unix.Mount("", disk, "", unix.MS_REMOUNT|flags, ""); err != unix.EBUSY {
							require.NoError(t, err)
						}
					}
				}
				return newStore(t), dir, remount(unix.MS_RDONLY), remount(0)
			}, func(do func()) { do() })
		})
	}
}

// The same without write permission.
func TestPermissionIsTakenAway(t *testing.T) {
	for _, c := range scenes() {
		t.Run(c.name, func(t *testing.T) {
			c.spoiled(t, hashline.Denied, "permission denied", func() (*Store, string, func(), func()) {
				s, dir := c.stage(t)
				shareState(t, s)
				folders := []string{dir}
				for name, what := range tree(t, dir) {
					if what[0] == 'd' {
						folders = append(folders, filepath.Join(dir, name))
					}
				}
				chmod := func(mode os.FileMode) func() {
					return func() {
						for _, d := range folders {
							if err := os.Chmod(d, mode); err != nil && !errors.Is(err, os.ErrNotExist) {
								t.Error(err)
							}
						}
					}
				}
				if os.Geteuid() == 0 {
					for name := range tree(t, dir) {
						require.NoError(t, os.Chown(filepath.Join(dir, name), nobody, nobody))
					}
					require.NoError(t, os.Chown(dir, nobody, nobody))
					for d := dir; d != os.TempDir() && len(d) > 1; d = filepath.Dir(d) {
						require.NoError(t, os.Chmod(d, 0o755))
					}
				}
				return s, dir, chmod(0o555), func() {
					chmod(0o755)()
					unshareState(t, s)
				}
			}, func(do func()) { asUser(t, func(int) { do() }) })
		})
	}
}

// A state folder on a file system that is mounted read-only is no fault of the
// file's, and needs another place.
func TestReadOnlyState(t *testing.T) {
	disk := smallDisk(t, 256)
	s, root := newStore(t), newRoot(t, map[string]string{"a": "1"})
	s.dir = filepath.Join(disk, "state")
	for _, made := range []bool{false, true} {
		if made {
			require.NoError(t, unix.Mount("", disk, "", unix.MS_REMOUNT, ""))
			require.NoError(t, commit(s, root, edit("a", "1", "2")))
			require.NoError(t, commit(s, root, edit("a", "2", "1")))
		}
		require.NoError(t, unix.Mount("", disk, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
		before := stamped(t, root.Name())
		err := commit(s, root, edit("a", "1", "2"))
		require.Equal(t, []hashline.Code{hashline.IO}, codes(err), "%v", err)
		require.Contains(t, diagnostics(err)[0].Hint, "XDG_STATE_HOME")
		require.True(t, strings.Contains(err.Error(), "read-only file system"), "%v", err)
		same(t, before, stamped(t, root.Name()))
	}
}
