package commit

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/hashline-go/hashline/hashline"
)

// capability is CAP_NET_BIND_SERVICE, permitted.
var capability = "\x01\x00\x00\x02\x00\x04" + strings.Repeat("\x00", 14)

// described tells everything about a file but its bytes and times, by other
// calls than the code under test.
func described(t testing.TB, path string) map[string]string {
	all := map[string]string{}
	var st unix.Stat_t
	require.NoError(t, unix.Lstat(path, &st))
	all["mode"] = fmt.Sprintf("%o %d:%d", st.Mode, st.Uid, st.Gid)
	buf := make([]byte, 64<<10)
	n, err := unix.Llistxattr(path, buf)
	if err != unix.ENOTSUP {
		require.NoError(t, err)
	}
	for name := range strings.SplitSeq(string(buf[:max(n, 0)]), "\x00") {
		if name != "" {
			value := make([]byte, 64<<10)
			n, err := unix.Lgetxattr(path, name, value)
			require.NoError(t, err)
			all[name] = string(value[:n])
		}
	}
	all["flags"] = fmt.Sprintf("%x", flagsOf(t, path)&^0x80000) // how ext4 stores it
	return all
}

func flagsOf(t testing.TB, path string) uint32 {
	h, err := os.Open(path)
	require.NoError(t, err)
	defer h.Close()
	flags, err := unix.IoctlGetUint32(int(h.Fd()), unix.FS_IOC_GETFLAGS)
	if err != nil {
		return 0
	}
	return flags
}

func setFlags(t testing.TB, path string, flags uint32) {
	h, err := os.Open(path)
	require.NoError(t, err)
	defer h.Close()
	if err := unix.IoctlSetPointerInt(int(h.Fd()), unix.FS_IOC_SETFLAGS, int(flags)); err != nil {
		t.Skipf("SKIPPED: no inode flags here: %v", err)
	}
}

// acl makes the attribute's bytes: "u::6 u:1:4 g::4 m::4 o::0", in that order.
func acl(entries string) string {
	tags := map[string]uint16{"u:": 1, "u": 2, "g:": 4, "g": 8, "m:": 16, "o:": 32}
	b := binary.LittleEndian.AppendUint32(nil, 2)
	for e := range strings.FieldsSeq(entries) {
		part := strings.Split(e, ":")
		id, tag := uint32(0xffffffff), part[0]
		if part[1] == "" {
			tag += ":"
		} else {
			fmt.Sscan(part[1], &id)
		}
		b = binary.LittleEndian.AppendUint16(b, tags[tag])
		b = binary.LittleEndian.AppendUint16(b, uint16(part[2][0]-'0'))
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return string(b)
}

func setExtra(t testing.TB, path, name, value string) {
	if err := unix.Lsetxattr(path, name, []byte(value), 0); err != nil {
		t.Skipf("SKIPPED: no %s on this file system: %v", name, err)
	}
}

// onEach runs do in a folder of every file system that is at hand.
func onEach(t *testing.T, do func(t *testing.T, root *os.Root)) {
	for name, dir := range map[string]string{"disk": "", "tmpfs": "/dev/shm"} {
		t.Run(name, func(t *testing.T) {
			if dir == "" {
				onDisk(t)
				dir = t.TempDir()
			} else {
				made, err := os.MkdirTemp(dir, "hashline-test-")
				if err != nil {
					t.Skipf("SKIPPED: %v", err)
				}
				t.Cleanup(func() { os.RemoveAll(made) })
				dir = made
			}
			do(t, openRoot(t, dir))
		})
	}
}

// A random set of attributes is the same after an edit, and after an edit that
// was put back.
func TestRandomAttributesAreKept(t *testing.T) {
	onEach(t, func(t *testing.T, root *os.Root) {
		seed := rand.Uint64()
		r := rand.New(rand.NewPCG(seed, 0))
		s := newStore(t)
		s.noLease = true
		path := filepath.Join(root.Name(), "f")
		for round := range 60 {
			os.Remove(path)
			put(t, path, "1")
			put(t, filepath.Join(root.Name(), "g"), "2")
			for range r.IntN(6) {
				value := strings.Repeat(string(rune('a'+r.IntN(26))), r.IntN(300))
				setExtra(t, path, fmt.Sprintf("user.%c %d", rune(0x80+r.IntN(999)), r.IntN(9)), value+"\x00\xff")
			}
			mode := fs.FileMode(0o400 | r.IntN(0o1000))
			if r.IntN(3) == 0 {
				setExtra(t, path, "system.posix_acl_access", acl(fmt.Sprintf("u::%d u:7:%d u:%d:%d g::%d g:9:%d m::%d o::%d",
					4+r.IntN(4), r.IntN(8), nobody, r.IntN(8), r.IntN(8), r.IntN(8), r.IntN(8), r.IntN(8))))
				mode = 0
			}
			if os.Geteuid() == 0 && r.IntN(2) == 0 {
				require.NoError(t, os.Chown(path, r.IntN(3)*1000, r.IntN(3)*1000))
				setExtra(t, path, "trusted.hashline", "x")
				if r.IntN(2) == 0 {
					setExtra(t, path, "security.capability", capability)
				}
				if r.IntN(2) == 0 {
					setExtra(t, path, "security.selinux", "system_u:object_r:etc_t:s0\x00")
				}
			}
			if mode != 0 {
				require.NoError(t, os.Chmod(path, mode|[]fs.FileMode{0, fs.ModeSetuid, fs.ModeSetgid, fs.ModeSticky}[r.IntN(4)]))
			}
			if r.IntN(4) == 0 {
				setFlags(t, path, flagsOf(t, path)|[]uint32{0x40, 0x80, 0xc0}[r.IntN(3)])
			}
			before := described(t, path)
			switch r.IntN(3) {
			case 0:
				s.step = func(p string) {
					if p == "g" {
						put(t, filepath.Join(root.Name(), "g"), "theirs")
					}
				}
				require.Error(t, commit(s, root, edit("f", "1", "new"), edit("g", "2", "new")))
				same(t, "1", contents(t, root.Name())["f"])
				s.step = nil
			default:
				require.NoError(t, commit(s, root, edit("f", "1", "new"), edit("g", "2", "new")))
				same(t, "new", contents(t, root.Name())["f"])
			}
			same(t, before, described(t, path))
			if t.Failed() {
				t.Fatalf("seed %d, round %d", seed, round)
			}
		}
		same(t, 2, len(tree(t, root.Name())))
	})
}

// The tools that people use see the same before and after.
func TestToolsSeeNoDifference(t *testing.T) {
	onEach(t, func(t *testing.T, root *os.Root) {
		run := func(name string, args ...string) string {
			path, err := exec.LookPath(name)
			if err != nil {
				t.Skipf("SKIPPED: %s is not installed (packages acl, attr)", name)
			}
			c := exec.Command(path, args...)
			c.Dir = root.Name()
			out, err := c.CombinedOutput()
			if err != nil {
				t.Skipf("SKIPPED: %s: %s", name, out)
			}
			return string(out)
		}
		put(t, filepath.Join(root.Name(), "f"), "1")
		run("setfacl", "-m", "u:nobody:r--,g:nogroup:rw-,m::rw-", "f")
		run("setfattr", "-n", "user.mime_type", "-v", "text/plain", "f")
		look := func() string { return run("getfacl", "f") + run("getfattr", "-d", "-m", "-", "f") }
		before := look()
		require.Contains(t, before, "user:nobody:r--")
		require.NoError(t, commit(newStore(t), root, edit("f", "1", "2")))
		same(t, before, look())
	})
}

// A new file takes what the folder hands down, an edited one does not.
func TestFolderHandsDown(t *testing.T) {
	onDisk(t)
	root, s := newRoot(t, map[string]string{"plain": "1"}), newStore(t)
	at := func(name string) string { return filepath.Join(root.Name(), name) }
	before := described(t, at("plain"))
	setExtra(t, root.Name(), "system.posix_acl_default", acl(fmt.Sprintf("u::7 u:%d:7 g::7 m::7 o::0", nobody)))
	setFlags(t, root.Name(), flagsOf(t, root.Name())|0x40)
	require.NoError(t, commit(s, root, edit("plain", "1", "2"), create("new", "x")))
	same(t, before, described(t, at("plain")))

	require.NoError(t, os.WriteFile(at("theirs"), []byte("x"), 0o666))
	same(t, described(t, at("theirs")), described(t, at("new")))
	require.Contains(t, described(t, at("new")), "system.posix_acl_access")
}

// What nobody may replace is refused, with the reason.
func TestSealed(t *testing.T) {
	onDisk(t)
	needRoot(t, "seal a file")
	root, s := newRoot(t, map[string]string{"i": "1", "a": "1", "d/f": "1", "b": "2"}), newStore(t)
	for name, flag := range map[string]uint32{"i": flagImmutable, "a": flagAppend, "d": flagAppend} {
		path := filepath.Join(root.Name(), name)
		setFlags(t, path, flagsOf(t, path)|flag)
		defer setFlags(t, path, flagsOf(t, path)&^flag)
	}
	before := stamped(t, root.Name())
	for _, c := range []struct {
		change  Change
		code    hashline.Code
		message string
	}{
		{edit("i", "1", "x"), hashline.ReadOnly, "immutable"},
		{edit("a", "1", "x"), hashline.ReadOnly, "appended"},
		{edit("d/f", "1", "x"), hashline.Denied, "the folder d can only be appended to"},
		{create("d/new", "x"), hashline.Denied, "the folder d can only be appended to"},
	} {
		err := commit(s, root, edit("b", "2", "x"), create("n/e/w", "x"), c.change)
		same(t, []hashline.Code{c.code}, codes(err))
		require.ErrorContains(t, err, c.message)
		same(t, before, stamped(t, root.Name()))
	}
}

// Attributes that change while the edit runs are not lost.
func TestAttributesChangeMeanwhile(t *testing.T) {
	onDisk(t)
	for _, at := range []string{"", "f"} {
		root, s := newRoot(t, map[string]string{"f": "1"}), newStore(t)
		path := filepath.Join(root.Name(), "f")
		setExtra(t, path, "user.a", "1")
		meanwhile(t, s, at, func() { setExtra(t, path, "user.a", "2") })
		err := commit(s, root, edit("f", "1", "2"))
		same(t, []hashline.Code{hashline.ChangedDuringEdit}, codes(err))
		require.ErrorContains(t, err, "its attributes changed")
		same(t, "2", described(t, path)["user.a"])
		same(t, map[string]string{"f": "1"}, contents(t, root.Name()))
	}
}

// A file system without extended attributes has none to keep.
func TestNoAttributesAtAll(t *testing.T) {
	onDisk(t)
	needRoot(t, "mount")
	dir := t.TempDir()
	if err := unix.Mount("none", dir, "ramfs", 0, ""); err != nil {
		t.Skipf("SKIPPED: cannot mount here: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	put(t, filepath.Join(dir, "f"), "1")
	require.Error(t, unix.Setxattr(filepath.Join(dir, "f"), "user.a", nil, 0))
	require.NoError(t, commit(newStore(t), openRoot(t, dir), edit("f", "1", "2"), create("g", "x")))
	same(t, map[string]string{"f": "2", "g": "x"}, contents(t, dir))
}
