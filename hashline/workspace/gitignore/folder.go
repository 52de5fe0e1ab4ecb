// Package gitignore tells which files git would ignore, from gitignore(5),
// without running git and without reading its index: a tracked file that
// matches a pattern counts as ignored here, though git goes on tracking it.
//
// It follows .gitignore files in the folder of an entry and above it up to the
// top of the repository, .git/info/exclude of the main or linked work tree, the
// user's global excludes file, and core.ignoreCase. Where a folder holds a
// repository of its own, that repository's rules alone apply inside. Where there
// is no repository, the root counts as the top of one.
//
// What an ignore file can cost is bounded: of a file larger than 1 MiB only the
// lines that end within it are read, lines over 4,096 bytes are passed over, at
// most 100,000 patterns apply to one folder, and matching takes at most the
// product of the lengths of pattern and path.
package gitignore

import (
	"os"
	"path/filepath"
)

const (
	maxFile     = 1 << 20
	maxPattern  = 4096
	maxPatterns = 100_000
)

// A Folder knows what is ignored directly inside one folder. It is immutable
// and may be used by several goroutines.
type Folder struct {
	user User
	fold bool
	// abs is the folder's own path, "" where it is not known.
	abs string
	// path is relative to the top of the repository, "" for the top, else with
	// a slash at its end.
	path string
	// lists holds what applies, the weakest first.
	lists []list
	// room is how many more patterns may apply.
	room int
}

// A list holds the patterns of one ignore file.
type list struct {
	// base is the length of the path of the file's folder: where it begins in
	// the paths that are matched.
	base     int
	patterns []pattern
}

// Enter gives the Folder for the folder name inside f, opened as dir. Where it
// is the top of a repository, the rules outside it no longer apply.
func (f *Folder) Enter(name string, dir *os.Root) *Folder {
	abs := filepath.Join(f.abs, name)
	if repo, ok := findRepository(abs, dir); ok {
		return repo.top(f.user, dir)
	}
	return f.inside(abs, name, dir)
}

// Ignored reports whether git would ignore the entry name directly inside the
// folder. Of a folder that is ignored, git ignores all that is in it, which is
// for the caller to apply by not entering it. A symbolic link is no folder.
func (f *Folder) Ignored(name string, isDir bool) bool {
	if len(f.lists) == 0 {
		return false
	}
	path := f.path + name
	for i := len(f.lists) - 1; i >= 0; i-- {
		l := &f.lists[i]
		for k := len(l.patterns) - 1; k >= 0; k-- {
			p := &l.patterns[k]
			if p.matches(path[l.base:], name, isDir) {
				return !p.negated
			}
		}
	}
	return false
}

// inside is Enter within one repository.
func (f Folder) inside(abs, name string, dir *os.Root) *Folder {
	f.abs = abs
	f.path += name + "/"
	return f.with(dir)
}

// with adds the .gitignore of the folder, opened as dir.
func (f Folder) with(dir *os.Root) *Folder {
	// git does not follow a link here.
	if info, err := dir.Lstat(ignoreFile); err == nil && info.Mode().IsRegular() {
		f.add(readIn(dir, ignoreFile), len(f.path))
	}
	return &f
}

// add appends the patterns of an ignore file's text. The slice is never shared
// with a sibling's.
func (f *Folder) add(text []byte, base int) {
	patterns := parseFile(nil, text, f.fold, f.room)
	if len(patterns) == 0 {
		return
	}
	f.room -= len(patterns)
	f.lists = append(f.lists[:len(f.lists):len(f.lists)], list{base, patterns})
}

const ignoreFile = ".gitignore"
