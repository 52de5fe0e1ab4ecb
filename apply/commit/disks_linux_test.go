package commit

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// onDisks runs do for each kind of file system at hand. The folder is one to
// make temporary ones in.
func onDisks(t *testing.T, do func(t *testing.T, disk string)) {
	tried := map[string]bool{}
	for _, dir := range [...]string{disk, "/dev/shm"} {
		kind, err := fileSystem(dir)
		if err != nil {
			t.Logf("SKIPPED: %s: %v", dir, err)
			continue
		}
		if !tried[kind] {
			tried[kind] = true
			t.Run("on "+kind, func(t *testing.T) { do(t, dir) })
		}
	}
}

func fileSystem(dir string) (string, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return "", err
	}
	if name, ok := map[uint32]string{unix.EXT4_SUPER_MAGIC: "ext4", unix.TMPFS_MAGIC: "tmpfs", unix.XFS_SUPER_MAGIC: "xfs",
		unix.BTRFS_SUPER_MAGIC: "btrfs", unix.OVERLAYFS_SUPER_MAGIC: "overlayfs", unix.F2FS_SUPER_MAGIC: "f2fs"}[uint32(st.Type)]; ok {
		return name, nil
	}
	return fmt.Sprintf("file system %#x", st.Type), nil
}

// tempOn is t.TempDir on a disk; "" stands for the usual one.
func tempOn(t *testing.T, disk string) string {
	if disk == "" {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(disk, "hashline-test-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}

// storeOn is newStore on a disk.
func storeOn(t *testing.T, disk string) *Store {
	s := newStore(t)
	s.dir = tempOn(t, disk) + "/state"
	return s
}
