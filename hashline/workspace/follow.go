package workspace

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf16"

	"github.com/hashline-go/hashline/hashline"
)

const (
	maxLinks = 40
	// swapTries is how often a name is looked at again that is swapped just then.
	swapTries = 40
	// maxNameLength is how long one name may be, in bytes, or UTF-16 units where
	// the system counts so.
	maxNameLength = 255
)

// follow walks a clean path name by name and puts the targets of symbolic
// links in their place. Beside an error it gives the real path where that stands.
func (w *core) follow(clean string) (real string, exists bool, err error) {
	todo := strings.Split(clean, "/")
	real = "."
	for links, swaps := 0, 0; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			if real == "." {
				return real, false, outside(clean)
			}
			real = path.Dir(real)
			continue
		}
		at := path.Join(real, name)
		info, err := w.root.Lstat(filepath.FromSlash(at))
		if errors.Is(err, fs.ErrNotExist) {
			rest := path.Join(append([]string{at}, todo...)...)
			if slices.ContainsFunc(todo, longName) {
				return at, false, w.system(clean, syscall.ENAMETOOLONG)
			}
			if rest == ".." || strings.HasPrefix(rest, "../") {
				return at, false, outside(clean)
			}
			return rest, false, nil
		}
		if errors.Is(err, syscall.ENOTDIR) && swaps < swapTries {
			// What was a folder when it was passed is a link now and then.
			swaps++
			time.Sleep(time.Duration(swaps) * time.Microsecond) // out of step
			todo = append([]string{name}, todo...)
			continue
		}
		if err != nil {
			return at, false, w.system(clean, err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if len(todo) > 0 && !info.IsDir() {
				return at, false, fault(hashline.NotFound, clean, at+" is not a folder", "")
			}
			real = at
			continue
		}
		if links++; links > maxLinks {
			return at, false, fault(hashline.LinkLoop, clean, "its symbolic links lead in a circle, or are more than 40", "")
		}
		target, err := w.root.Readlink(filepath.FromSlash(at))
		if errors.Is(err, syscall.EINVAL) {
			// It is no link any more.
			if swaps++; swaps > swapTries {
				return at, false, fault(hashline.ChangedDuringEdit, clean, at+" was replaced while the path was followed", "try again")
			}
			links--
			time.Sleep(time.Duration(swaps) * time.Microsecond)
			todo = append([]string{name}, todo...)
			continue
		}
		if err != nil {
			return at, false, w.system(clean, err)
		}
		if filepath.IsAbs(target) {
			rel, ok := w.below(filepath.Clean(target))
			if !ok {
				return at, false, fault(hashline.OutsideRoot, clean, at+" is a symbolic link that leads out of the workspace root", "")
			}
			real, target = ".", rel
		}
		todo = append(strings.Split(filepath.ToSlash(target), "/"), todo...)
	}
	return real, true, nil
}

// longName reports whether no file system at hand takes a name: those that are not
// there yet nobody can be asked about.
func longName(name string) bool {
	if runtime.GOOS == "linux" {
		return len(name) > maxNameLength
	}
	return len(utf16.Encode([]rune(name))) > maxNameLength
}
