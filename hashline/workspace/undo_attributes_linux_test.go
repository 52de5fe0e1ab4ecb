package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/hashline"
)

// anyAccess is an access list as the kernel takes it: rwx for the owner, r for
// user 1, nothing for the group and others, rw as the mask.
const anyAccess = "\x02\x00\x00\x00" +
	"\x01\x00\x07\x00\xff\xff\xff\xff" +
	"\x02\x00\x04\x00\x01\x00\x00\x00" +
	"\x04\x00\x00\x00\xff\xff\xff\xff" +
	"\x10\x00\x06\x00\xff\xff\xff\xff" +
	"\x20\x00\x00\x00\xff\xff\xff\xff"

type attributesSeen struct {
	Mode     os.FileMode
	UID, GID uint32
	Extra    map[string]string
}

func attributesAt(t *testing.T, path string) attributesSeen {
	info, err := os.Lstat(path)
	require.NoError(t, err)
	st := info.Sys().(*syscall.Stat_t)
	seen := attributesSeen{info.Mode(), st.Uid, st.Gid, map[string]string{}}
	buf := make([]byte, 4096)
	n, err := unix.Llistxattr(path, buf)
	require.NoError(t, err)
	for _, name := range strings.Split(strings.Trim(string(buf[:n]), "\x00"), "\x00") {
		if name != "" && name != "security.selinux" {
			value := make([]byte, 1<<16)
			n, err := unix.Lgetxattr(path, name, value)
			require.NoError(t, err)
			seen.Extra[name] = string(value[:n])
		}
	}
	return seen
}

// A file that an undo removed comes back with all its attributes, and so do the
// folders that went with it.
func TestUndoOfUndoKeepsAttributes(t *testing.T) {
	w := open(t, nil)
	_, err := w.Write(t.Context(), WriteArgs{Path: "m/n/x", Content: "secret\n"})
	require.NoError(t, err)
	at := func(name string) string { return filepath.Join(w.Root(), name) }
	for _, name := range []string{"m", "m/n"} {
		require.NoError(t, os.Chmod(at(name), 0o2700))
	}
	require.NoError(t, os.Chmod(at("m/n/x"), 0o600))
	if err := unix.Lsetxattr(at("m/n/x"), "system.posix_acl_access", []byte(anyAccess), 0); err != nil {
		t.Logf("SKIPPED: no access lists here: %v", err)
	}
	if err := unix.Lsetxattr(at("m"), "system.posix_acl_default", []byte(anyAccess), 0); err != nil {
		t.Logf("SKIPPED: no default access lists here: %v", err)
	}
	require.NoError(t, unix.Lsetxattr(at("m/n/x"), "user.note", []byte("a\x00b\xff"), 0))
	require.NoError(t, unix.Lsetxattr(at("m/n"), "user.note", []byte("folder"), 0))
	if os.Geteuid() == 0 {
		for _, name := range []string{"m", "m/n", "m/n/x"} {
			require.NoError(t, os.Lchown(at(name), 1000, 1001))
		}
		require.NoError(t, os.Chmod(at("m/n"), 0o2710))
	}
	all := []string{"m", "m/n", "m/n/x"}
	before := map[string]attributesSeen{}
	for _, name := range all {
		before[name] = attributesAt(t, at(name))
	}
	for range 2 {
		undoIn(t, w, "", 1)
		require.NoDirExists(t, at("m"))
		undoIn(t, w, "", 1)
		for _, name := range all {
			if diff := cmp.Diff(before[name], attributesAt(t, at(name))); diff != "" {
				t.Errorf("%s (-before +now):\n%s", name, diff)
			}
		}
	}
}

// What the history cannot hold it refuses to bring back without.
func TestUndoOfUndoWithoutAttributes(t *testing.T) {
	w := open(t, nil)
	_, err := w.Write(t.Context(), WriteArgs{Path: "x", Content: "1\n"})
	require.NoError(t, err)
	long := strings.Repeat("v", 40<<10)
	for _, name := range []string{"user.a", "user.b"} {
		if err := unix.Lsetxattr(filepath.Join(w.Root(), "x"), name, []byte(long), 0); err != nil {
			t.Skipf("SKIPPED: the file system has no room for long attributes: %v", err)
		}
	}
	undoIn(t, w, "", 1)
	_, err = w.Undo(t.Context(), UndoArgs{})
	require.ErrorIs(t, err, hashline.Attributes)
	require.NoFileExists(t, filepath.Join(w.Root(), "x"))
}
