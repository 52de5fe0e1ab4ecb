package hashlinetest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Setup is one line of a case's member "setup": a verb and its operands.
type Setup struct {
	Verb string
	Args []string
}

var operands = map[string]int{"symlink": 2, "hardlink": 2, "mode": 2, "fifo": 1, "mkdir": 1}

func (c *Case) setup(text string) error {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || operands[words[0]] != len(words)-1 {
			return fmt.Errorf("bad line %q", line)
		}
		c.Setup = append(c.Setup, Setup{words[0], words[1:]})
	}
	return nil
}

// Place is where a case runs: a workspace root and an unrelated folder.
type Place struct {
	Root, Outside string
}

// Install makes the files of the case in new temporary folders. Their time
// stamps lie in the past, so that a rewritten file shows. It skips the test
// where the system cannot make what the case needs.
func (c *Case) Install(tb testing.TB) Place {
	tb.Helper()
	// The real path, so that {ROOT} is what the workspace calls it.
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	p := Place{filepath.Join(dir, "root"), filepath.Join(dir, "outside")}
	for folder, files := range map[string][]File{p.Root: c.Files, p.Outside: c.Outside} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			tb.Fatal(err)
		}
		for _, f := range files {
			WriteFile(tb, folder, f)
		}
	}
	for _, s := range c.Setup {
		if err := p.prepare(s); err != nil {
			tb.Skipf("SKIPPED: %s %s: %v", s.Verb, strings.Join(s.Args, " "), err)
		}
	}
	return p
}

// WriteFile makes a file, with the folders above it and an old time stamp.
func WriteFile(tb testing.TB, folder string, f File) {
	tb.Helper()
	name := filepath.Join(folder, filepath.FromSlash(f.Path))
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	if err == nil {
		err = os.WriteFile(name, f.Data, 0o666)
	}
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err == nil {
		err = os.Chtimes(name, old, old)
	}
	if err != nil {
		tb.Fatal(err)
	}
}

func (p Place) prepare(s Setup) error {
	at := func(name string) string { return filepath.Join(p.Root, filepath.FromSlash(name)) }
	switch s.Verb {
	case "symlink":
		target := Fill(s.Args[1], func(kind, _ string) string {
			return map[string]string{"ROOT": p.Root, "OUTSIDE": p.Outside}[kind]
		})
		return os.Symlink(filepath.FromSlash(target), at(s.Args[0]))
	case "hardlink":
		return os.Link(at(s.Args[1]), at(s.Args[0]))
	case "fifo":
		return makeFIFO(at(s.Args[0]))
	case "mkdir":
		return os.MkdirAll(at(s.Args[0]), 0o777)
	}
	mode, err := strconv.ParseUint(s.Args[0], 8, 9)
	if err != nil {
		return err
	}
	return os.Chmod(at(s.Args[1]), fs.FileMode(mode))
}

// Entry is what [ReadTree] keeps of a file, folder or link.
type Entry struct {
	Mode fs.FileMode
	// ModTime is the time stamp in nanoseconds; 0 for folders, which change
	// when a temporary file comes and goes.
	ModTime int64
	// Data is the content of a file.
	Data string
	// Link is the text of a symbolic link.
	Link string
}

// Tree holds the entries below a folder by their path, with "/" between names.
type Tree map[string]Entry

// ReadTree reads a folder with all that lies below it.
func ReadTree(tb testing.TB, folder string) Tree {
	tb.Helper()
	t := Tree{}
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == folder {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		e := Entry{Mode: info.Mode(), ModTime: info.ModTime().UnixNano()}
		switch {
		case e.Mode.IsDir():
			e.ModTime = 0
		case e.Mode.IsRegular():
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			e.Data = string(data)
		case e.Mode.Type() == fs.ModeSymlink:
			if e.Link, err = os.Readlink(name); err != nil {
				return err
			}
		}
		rel, err := filepath.Rel(folder, name)
		t[filepath.ToSlash(rel)] = e
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// CheckFiles compares the tree after the calls with the one before them and
// describes every file that is not as the case says; "" means that all are.
// Files that the case does not name must be the same to the time stamp, and
// modes never change.
func (c *Case) CheckFiles(before, after Tree) string {
	want := Tree{}
	for name, e := range before {
		want[name] = e
	}
	for _, f := range c.After {
		e, existed := want[f.Path]
		now := after[f.Path]
		if !existed {
			e.Mode = now.Mode
			for dir := f.Path; strings.Contains(dir, "/"); {
				dir = dir[:strings.LastIndexByte(dir, '/')]
				if _, ok := want[dir]; !ok {
					want[dir] = after[dir]
				}
			}
		}
		e.Data, e.ModTime = string(f.Data), now.ModTime
		want[f.Path] = e
	}
	return cmp.Diff(want, after)
}
