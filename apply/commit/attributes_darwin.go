package commit

import (
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// accessList: access control lists are no extended attributes here, and
	// without cgo out of reach.
	accessList  = ""
	noAttribute = unix.ENOATTR
)

// ruleOf holds the list of attributes that the system writes itself and that are
// not copied, or not at any price; all others are kept.
func ruleOf(name string) rule {
	switch name {
	case "com.apple.provenance", "com.apple.macl", "com.apple.rootless", "com.apple.decmpfs":
		return system
	case "com.apple.quarantine", "com.apple.FinderInfo":
		return attempt
	}
	for _, own := range []string{"com.apple.system.", "com.apple.lastuseddate", "com.apple.cs."} {
		if strings.HasPrefix(name, own) {
			return system
		}
	}
	return keep
}

const keptFlags = unix.UF_NODUMP | unix.UF_OPAQUE | unix.UF_HIDDEN

func readFlags(_ *os.File, info fs.FileInfo) uint32 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Flags
	}
	return 0
}

// sealed says what forbids everybody to replace a file with these flags.
func sealed(flags uint32) string {
	switch {
	case flags&(unix.UF_IMMUTABLE|unix.SF_IMMUTABLE) != 0:
		return "is locked (chflags uchg or schg)"
	case flags&(unix.UF_APPEND|unix.SF_APPEND) != 0:
		return "can only be appended to (chflags uappnd or sappnd)"
	case flags&(unix.SF_RESTRICTED|unix.SF_NOUNLINK) != 0:
		return "is protected by the system"
	}
	return ""
}

// giveFlags sets the kept flags. They are advice, so that a file system that
// does not take them is no failure.
func (a *attributes) giveFlags(h *os.File, _ uint32) {
	if want := a.flags & keptFlags; want != 0 {
		_ = unix.Fchflags(int(h.Fd()), int(want))
	}
}
