package commit

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// born asks when a folder was made; 0 is for unknown.
func born(*os.Root) int64 { return 0 }

// cloneFile makes one file share the blocks of another.
func cloneFile(_, _ *os.File) error { return errors.ErrUnsupported }

// shareLockFile waits for a lock that others may have at the same time.
func shareLockFile(f *os.File) error { return lock1(f, 0) }

// canName reports whether names can be made in the folder, as far as is known.
func canName(*os.Root) bool { return true }

// inUse reports that a folder could not be removed because of what is in it.
func inUse(err error) bool { return errors.Is(err, windows.ERROR_DIR_NOT_EMPTY) }
