package commit

import (
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	accessList  = "system.posix_acl_access"
	noAttribute = unix.ENODATA
)

// ruleOf holds the list of attributes that the system writes itself and that are
// not copied, or not at any price; all others are kept.
//
// A process without CAP_SYS_ADMIN does not see trusted.*: those are lost where
// it replaces a file, as they would be by any program of that user.
func ruleOf(name string) rule {
	switch name {
	case "security.selinux", "security.SMACK64":
		return label
	case "security.ima", "security.evm": // a hash or signature of the bytes
		return system
	case "trusted.lov", "trusted.lma", "trusted.link", "trusted.som", "trusted.hsm": // Lustre's own
		return system
	}
	for _, own := range []string{"trusted.overlay.", "user.overlay.", "lustre.", "ceph.", "afs.", "bcachefs_effective."} {
		if strings.HasPrefix(name, own) {
			return system
		}
	}
	for _, hint := range []string{"btrfs.", "bcachefs."} { // how to store it
		if strings.HasPrefix(name, hint) {
			return attempt
		}
	}
	return keep
}

// Flags of an inode, as chattr(1) names them.
const (
	flagImmutable = 0x10
	flagAppend    = 0x20
	flagVerity    = unix.FS_VERITY_FL

	// keptFlags: s, u, c, S, d, A, m, j, t, C, x: how to store, dump and delete
	// the file.
	keptFlags = 0x1 | 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x400 | 0x4000 | 0x8000 | 0x800000 | 0x2000000
)

// readFlags gives the inode's flags, none where the file system has none.
func readFlags(h *os.File, _ fs.FileInfo) uint32 {
	flags, err := unix.IoctlGetUint32(int(h.Fd()), unix.FS_IOC_GETFLAGS)
	if err != nil {
		return 0
	}
	return flags
}

// sealed says what forbids everybody to replace a file with these flags.
func sealed(flags uint32) string {
	switch {
	case flags&flagImmutable != 0:
		return "is immutable (chattr +i)"
	case flags&flagAppend != 0:
		return "can only be appended to (chattr +a)"
	case flags&flagVerity != 0:
		return "is sealed with fs-verity"
	}
	return ""
}

// giveFlags sets the kept flags of a file that is still empty, as some want it,
// in a folder with the flags above, which it may have inherited. They are advice
// to the file system, so that one that does not take them is no failure.
func (a *attributes) giveFlags(h *os.File, above uint32) {
	if (a.flags|above)&keptFlags == 0 {
		return
	}
	have := readFlags(h, nil)
	if want := have&^keptFlags | a.flags&keptFlags; want != have {
		_ = unix.IoctlSetPointerInt(int(h.Fd()), unix.FS_IOC_SETFLAGS, int(want))
	}
}
