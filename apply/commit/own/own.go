// Package own opens what lies in the state folder, and refuses what another user
// could have put there (spec 12): whoever can write there could make us write for
// him. It never waits, whatever stands under a name.
package own

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/hashline-go/hashline/apply/commit/beneath"
)

var (
	// ErrForeign is the error for what another user owns, or can write to.
	ErrForeign = errors.New("it is not this user's alone")
	// ErrOdd is the error for what is neither a regular file nor a folder.
	ErrOdd = errors.New("it is no regular file")
)

// Open opens a regular file of this user in a folder. It is made with mode 0600
// where flag says os.O_CREATE and it is missing. Errors wrap ErrForeign or ErrOdd,
// or are the system's.
func Open(dir *os.Root, name string, flag int) (*os.File, error) {
	f, err := dir.OpenFile(name, flag|beneath.NoWait, 0o600)
	if err != nil {
		// A FIFO to write to, a link that leads away.
		if info, lerr := dir.Lstat(name); lerr == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s: %w", name, ErrOdd)
		}
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s: %w", name, ErrOdd)
	case foreign(info):
		err = fmt.Errorf("%s: %w", name, ErrForeign)
	default:
		return f, nil
	}
	f.Close()
	return nil, err
}

// Folder opens a folder in a folder. It must belong to this user, and nobody else
// may write to it; that others may read it is changed. Errors wrap ErrForeign, or
// are the system's.
func Folder(dir *os.Root, name string) (*os.Root, error) {
	root, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if err := trust(name, root, "."); err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// Trust is the check of Folder, for one that is not to be opened and in a folder
// that passed it. One that is not there passes.
func Trust(dir *os.Root, name string) error {
	err := trust(name, dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func trust(shown string, dir *os.Root, name string) error {
	info, err := dir.Lstat(name)
	switch {
	case err != nil:
		return err
	case !info.IsDir() || foreign(info) || writable(info):
		return fmt.Errorf("%s: %w", shown, ErrForeign)
	case !private(info):
		return dir.Chmod(name, 0o700)
	}
	return nil
}
