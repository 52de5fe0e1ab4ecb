package commit

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// takeTurn makes the opened lock file's owner the next to get its lock. The turn
// is another kind of lock on the same file, that neither meets the first nor
// outlives the opened file; without wait it tells whether somebody else has the
// turn. A file system without such locks gives everybody a turn.
func takeTurn(f *os.File, wait bool) bool {
	how := unix.F_OFD_SETLK
	if wait {
		how = unix.F_OFD_SETLKW
	}
	err := turn(f, how, unix.F_WRLCK)
	return !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EACCES)
}

func endTurn(f *os.File) { _ = turn(f, unix.F_OFD_SETLK, unix.F_UNLCK) }

func turn(f *os.File, how int, kind int16) error {
	l := unix.Flock_t{Type: kind, Whence: io.SeekStart, Len: 1}
	return again(func() error { return unix.FcntlFlock(f.Fd(), how, &l) })
}
