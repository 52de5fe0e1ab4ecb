package commit

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// takeLease takes a read lease on an opened file. While it holds nobody has the
// file open for writing, or maps it so, and whoever wants to open it for writing,
// or to truncate it, waits in the kernel until the lease is given back: that
// such a one waits shows in leaseHolds. Closing the file gives it back.
//
// Leases are for the owner of the file and for those with CAP_LEASE, on local
// file systems: where there is none to be had it answers no, no.
func takeLease(h *os.File) (leased, busy bool) { return setLease(h, unix.F_RDLCK) }

// takeWriteLease takes a write lease on a file that is opened for writing: while
// it holds nobody else has the file open, and whoever wants to open it, for
// reading too, waits in the kernel as above. Kernels before 5.4 are busy where
// another hard link of the file was used lately.
func takeWriteLease(h *os.File) (leased, busy bool) { return setLease(h, unix.F_WRLCK) }

func setLease(h *os.File, kind int) (leased, busy bool) {
	fd := h.Fd()
	// The news that somebody waits comes as a signal. Of SIGIO, the default, a
	// program that is not Go all through could die; SIGURG does nothing by
	// default, and the Go runtime sends it to itself all the time.
	if _, err := unix.FcntlInt(fd, unix.F_SETSIG, int(unix.SIGURG)); err != nil {
		return false, false
	}
	err := again(func() error {
		_, err := unix.FcntlInt(fd, unix.F_SETLEASE, kind)
		return err
	})
	if errors.Is(err, unix.EAGAIN) {
		return false, !remote(int(fd))
	}
	return err == nil, false
}

// leaseHolds reports that the lease is ours and nobody waits for its end to
// write. A write lease becomes a read lease where somebody waits to read.
func leaseHolds(h *os.File) bool {
	kind, err := unix.FcntlInt(h.Fd(), unix.F_GETLEASE, 0)
	return err == nil && (kind == unix.F_RDLCK || kind == unix.F_WRLCK)
}

// remote reports whether the file lies on a file system that says "try again"
// where it has no lease from its server.
func remote(fd int) bool {
	var st unix.Statfs_t
	if err := again(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return true
	}
	switch uint32(st.Type) {
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC,
		unix.AFS_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.V9FS_MAGIC, unix.FUSE_SUPER_MAGIC:
		return true
	}
	return false
}
