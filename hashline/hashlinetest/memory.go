package hashlinetest

import (
	"os"
	"testing"
)

// InMemory runs the tests of a package, with its temporary folders in memory where
// the system has such a place, and gives their exit status. A disk takes many times
// as long to make and remove thousands of small files. Where TMPDIR is set the
// folders are there, so that TMPDIR=/tmp has them on a disk.
func InMemory(m *testing.M) int {
	if os.Getenv("TMPDIR") != "" {
		return m.Run()
	}
	dir, ok := memoryFolder()
	if !ok {
		return m.Run()
	}
	defer os.RemoveAll(dir)
	// As open as /tmp: some tests are another user for a moment.
	if os.Chmod(dir, 0o777|os.ModeSticky) != nil || os.Setenv("TMPDIR", dir) != nil {
		return 1
	}
	return m.Run()
}
