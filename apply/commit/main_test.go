package commit

import (
	"context"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

// roleVar makes the test binary a child process with a part to play.
const roleVar = "HASHLINE_COMMIT_ROLE"

// strace counts calls by thread: a child that is to meet faults keeps to its first
// one, from the start.
func init() {
	if role := os.Getenv(roleVar); role == "commit" || role == "recover" {
		runtime.LockOSThread()
	}
}

// keepVar has the history keep every file that is replaced, however small; with
// "stream" edits are made in one pass over the old bytes as well.
const keepVar = "HASHLINE_COMMIT_KEEP"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		os.Exit(play(role, os.Args[1:]))
	}
	disk = os.TempDir()
	os.Exit(hashlinetest.InMemory(m))
}

// disk is the folder for temporary files that the system has, also where most tests
// have theirs in memory.
var disk string

// onDisk has a test that is about the file system make its folders on the disk.
func onDisk(t *testing.T) { t.Setenv("TMPDIR", disk) }

// newStore gives a store that does not sync, since most tests are not about
// that and a disk is slow.
func newStore(t testing.TB) *Store {
	s, err := Open(filepath.Join(t.TempDir(), "state"))
	require.NoError(t, err)
	s.NoSync = true
	s.Wait = time.Minute // other tests may keep the machine busy
	keepAll(s)
	return s
}

// keepAll does what keepVar says.
func keepAll(s *Store) {
	if os.Getenv(keepVar) != "" {
		s.keepFrom = 0
	}
}

// newRoot gives a folder that holds the files, "name: content".
func newRoot(t testing.TB, files map[string]string) *os.Root {
	dir := t.TempDir()
	for name, content := range files {
		put(t, filepath.Join(dir, name), content)
	}
	return openRoot(t, dir)
}

func openRoot(t testing.TB, dir string) *os.Root {
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return root
}

func put(t testing.TB, path, content string) {
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

// tree describes everything under a folder: type, mode and content of each
// name, temporary files included.
func tree(t testing.TB, dir string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		name, err := filepath.Rel(dir, p)
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		switch {
		case p == dir:
		case info.Mode().IsRegular():
			b, err := os.ReadFile(p)
			require.NoError(t, err)
			all[name] = info.Mode().String() + " " + short(b)
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(p)
			require.NoError(t, err)
			all[name] = "link " + to
		default:
			all[name] = info.Mode().String()
		}
		return nil
	}))
	return all
}

// stamped is tree with the times of files.
func stamped(t testing.TB, dir string) map[string]string {
	all := tree(t, dir)
	for name := range all {
		info, err := os.Lstat(filepath.Join(dir, name))
		require.NoError(t, err)
		if info.Mode().IsRegular() {
			all[name] += " " + info.ModTime().String()
		}
	}
	return all
}

func short(b []byte) string {
	if len(b) > 100 {
		return fmt.Sprintf("%d bytes ending in %s", len(b), hex.EncodeToString(b[len(b)-8:]))
	}
	return string(b)
}

func same(t testing.TB, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("differs (-want +got):\n%s", d)
	}
}

// codes gives the codes of an error's faults, those of a torn commit after
// "torn".
func codes(err error) []hashline.Code {
	if err == nil {
		return nil
	}
	var list []hashline.Code
	if strings.Contains(fmt.Sprintf("%T", err), "Torn") {
		list = append(list, "torn")
	}
	for _, d := range diagnostics(err) {
		list = append(list, d.Code)
	}
	return list
}

func edit(path, old, new string) Change {
	if os.Getenv(keepVar) == "stream" {
		return streamed(path, old, new, 3)
	}
	return Change{Path: path, Old: []byte(old), New: []byte(new)}
}

func create(path, new string) Change {
	return Change{Path: path, New: []byte(new), Create: true}
}

// commit commits under the locks, as callers do.
func commit(s *Store, root *os.Root, changes ...Change) error {
	ctx := context.Background()
	var paths []string
	for _, c := range changes {
		paths = append(paths, c.Path)
	}
	held, err := s.Lock(ctx, root, paths)
	if err != nil {
		return err
	}
	defer held.Release()
	warnings, err := s.Commit(ctx, root, changes)
	if err == nil && len(warnings) > 0 {
		return warnings
	}
	return err
}
