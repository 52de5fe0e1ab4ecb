package commit

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// born asks when a folder was made; 0 is for unknown.
func born(*os.Root) int64 { return 0 }

// cloneAs makes a new file that shares the blocks of another.
func cloneAs(*os.Root, string, *os.File) error { return errors.ErrUnsupported }

// tryShareFile locks the file, as others may at the same time, unless one has it
// alone: then held is true.
func tryShareFile(f *os.File) (held bool, err error) {
	return notHeld(lock1(f, windows.LOCKFILE_FAIL_IMMEDIATELY))
}

// canName reports whether names can be made in the folder, as far as is known.
func canName(*os.Root) bool { return true }

// inUse reports that a folder could not be removed because of what is in it.
func inUse(err error) bool { return errors.Is(err, windows.ERROR_DIR_NOT_EMPTY) }
