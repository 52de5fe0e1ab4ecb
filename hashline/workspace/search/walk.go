package search

import (
	"context"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
)

const (
	maxDepth = 200
	// chunk is how many entries of a folder are read at once.
	chunk = 4096
)

// A folder is one that is open. It closes when nobody uses it any more.
type folder struct {
	root *os.Root
	uses atomic.Int32
}

func newFolder(root *os.Root) *folder {
	f := &folder{root: root}
	f.uses.Store(1)
	return f
}

func (f *folder) use() *folder {
	f.uses.Add(1)
	return f
}

func (f *folder) done() {
	if f.uses.Add(-1) == 0 {
		f.root.Close()
	}
}

// A walker goes through a tree in the byte order of paths and emits the files
// to search.
type walker struct {
	ctx     context.Context
	plan    *plan
	allow   func(path string, isDir bool) bool
	emit    func(dir *folder, name, path string) bool
	skipped Skipped
	// entries is how many more may be looked at; full is set when there are
	// more.
	entries int
	full    bool
}

// walk goes through an open folder; prefix is its path with a slash at the end,
// "" for the root. It reports false when the walk is to end.
func (w *walker) walk(dir *folder, prefix string, ignore *gitignore.Folder, depth int) bool {
	for _, e := range w.list(dir.root) {
		// An ignore file from an enemy can make each entry slow.
		if w.ctx.Err() != nil {
			return false
		}
		name, isDir := e.Name(), e.IsDir()
		path := prefix + name
		if !w.wants(e, path) {
			continue
		}
		switch {
		case name[0] == '.' && !w.plan.IncludeHidden:
			w.skipped.Hidden++
		case ignore.Ignored(name, isDir):
			w.skipped.Ignored++
		case !nameable(path, isDir):
			w.skipped.BadName++
		case !isDir:
			if !w.emit(dir, name, path) {
				return false
			}
		case depth >= maxDepth:
			w.skipped.TooDeep++
		default:
			sub, err := beneath.Enter(dir.root, name)
			if err != nil {
				w.skipped.Unreadable++
				continue
			}
			open := newFolder(sub)
			more := w.walk(open, path+"/", ignore.Enter(name, sub), depth+1)
			open.done()
			if !more {
				return false
			}
		}
	}
	return !w.full
}

// wants reports whether an entry is a folder to enter or a file that is looked
// for, its name alone considered.
func (w *walker) wants(e fs.DirEntry, path string) bool {
	isDir := e.IsDir()
	if !isDir && !e.Type().IsRegular() || strings.EqualFold(e.Name(), ".git") {
		return false
	}
	return (isDir || w.plan.glob == nil || w.plan.glob.Match(path)) && w.allow(path, isDir)
}

// list reads a folder, as far as the limit on entries goes, in the order in
// which the paths below it sort.
func (w *walker) list(dir *os.Root) []fs.DirEntry {
	f, err := dir.Open(".")
	if err != nil {
		w.skipped.Unreadable++
		return nil
	}
	defer f.Close()
	var all []fs.DirEntry
	for w.ctx.Err() == nil {
		part, err := f.ReadDir(min(chunk, w.entries+1))
		if len(part) > w.entries {
			part, w.full = part[:w.entries], true
		}
		w.entries -= len(part)
		all = append(all, part...)
		if err != nil && err != io.EOF {
			w.skipped.Unreadable++
		}
		if err != nil || w.full {
			break
		}
	}
	slices.SortFunc(all, byPath)
	return all
}

// byPath orders entries as the paths of files in and under them: a folder by its
// name and a slash.
func byPath(a, b fs.DirEntry) int {
	x, y := a.Name(), b.Name()
	n := min(len(x), len(y))
	if c := strings.Compare(x[:n], y[:n]); c != 0 {
		return c
	}
	return next(a, n) - next(b, n)
}

func next(e fs.DirEntry, n int) int {
	switch name := e.Name(); {
	case n < len(name):
		return int(name[n])
	case e.IsDir():
		return '/'
	}
	return -1
}
