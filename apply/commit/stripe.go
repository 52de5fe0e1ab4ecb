package commit

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"
)

// stripes is the number of lock files. All versions of this software that share
// a state folder must agree on it and on the key.
const stripes = 1024

// stripe is a lock that is wanted, and one of the files it is wanted for.
type stripe struct {
	number int
	path   string
}

// file gives the name of its lock file.
func (s stripe) file() string { return fmt.Sprintf("%03x", s.number) }

// stripesOf gives the locks of the files, each once and in the order in which
// they are taken. A file that may be written in place, since it has other names
// or is a mount point, has a second lock, that all of its names share.
func stripesOf(root *os.Root, paths []string) ([]stripe, error) {
	list := make([]stripe, 0, len(paths))
	places := make(map[string]place, len(paths))
	for _, p := range paths {
		if err := checkPath(p); err != nil {
			return nil, err
		}
		dir, name := split(p)
		at, ok := places[dir]
		if !ok {
			var err error
			if at, err = locate(root, p, dir); err != nil {
				return nil, err
			}
			places[dir] = at
		}
		list = append(list, stripe{at.stripe(name), p})
		if n, ok := inodeStripe(root, p); ok {
			list = append(list, stripe{n, p})
		}
	}
	slices.SortStableFunc(list, func(a, b stripe) int { return cmp.Compare(a.number, b.number) })
	return slices.CompactFunc(list, func(a, b stripe) bool { return a.number == b.number }), nil
}

// place is a folder: the nearest one that exists, and the names from there.
type place struct {
	id   ID
	rest string
}

// lookTries is how often a folder is looked at again that is swapped just then.
const lookTries = 16

func locate(root *os.Root, p, dir string) (place, error) {
	var rest []string
	for tries := 0; ; {
		info, err := root.Stat(dir)
		switch {
		case errors.Is(err, syscall.ELOOP) && tries < lookTries:
			// It was a link, and none any more when that was to be followed.
			tries++
			time.Sleep(time.Duration(tries) * time.Microsecond) // out of step
			continue
		case err == nil && info.IsDir():
			// Where the platform knows no identity all folders share one.
			id, _, _ := identify(root, dir, info)
			slices.Reverse(rest)
			return place{id, strings.Join(rest, "/")}, nil
		case err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
			if dir == "." {
				return place{}, fault(p, "cannot find the root", fs.ErrNotExist)
			}
		default:
			return place{}, lookFault(root, p, "cannot look at the folder "+dir, err)
		}
		above, name := split(dir)
		rest = append(rest, fold(name))
		dir = above
	}
}

func (at place) stripe(name string) int { return at.id.stripe(path.Join(at.rest, fold(name))) }

// inodeStripe gives the lock of the file itself, where it needs one.
func inodeStripe(root *os.Root, p string) (n int, ok bool) {
	info, err := root.Lstat(p)
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	id, links, ok := identify(root, p, info)
	// No name is empty, so that it is not meant for one of a folder.
	return id.stripe(""), ok && (links > 1 || mountPoint(root, p, info))
}

func (id ID) stripe(name string) int {
	h := fnv.New64a()
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], id.device)
	binary.LittleEndian.PutUint64(b[8:], id.inode)
	h.Write(b[:])
	h.Write([]byte(name))
	return int(h.Sum64() % stripes)
}

// fold gives the names that some file system takes for one the same key. Which
// letters those are differs from system to system, so that names that are not
// ASCII share one key in a folder: sharing costs a wait, never an update.
func fold(name string) string {
	for i := range len(name) {
		if name[i] >= 0x80 {
			return "\x00"
		}
	}
	return strings.ToLower(name)
}
