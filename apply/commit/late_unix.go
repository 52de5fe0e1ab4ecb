//go:build linux || darwin

package commit

import (
	"os"

	"golang.org/x/sys/unix"
)

// moveAcross moves a file to another folder.
func moveAcross(from *os.Root, name string, to *os.Root, as string) error {
	return inFolder(from, func(fd int) error {
		return inFolder(to, func(tofd int) error { return unix.Renameat(fd, name, tofd, as) })
	})
}
