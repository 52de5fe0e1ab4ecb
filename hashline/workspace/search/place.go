package search

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
)

// A place is where a search begins: a folder, or one file in it.
type place struct {
	dir    *folder
	ignore *gitignore.Folder
	// file is the name of the one file to search, "" for the folder.
	file string
	path string
}

// walk emits the files at the place and lets go of its folder.
func (p *place) walk(w *walker) {
	defer p.dir.done()
	if p.file != "" {
		w.emit(p.dir, p.file, p.path)
		return
	}
	prefix := ""
	if p.path != "." {
		prefix = p.path + "/"
	}
	w.walk(p.dir, prefix, p.ignore, strings.Count(prefix, "/"))
}

// locate opens the place that a path names. That it is hidden or ignored does
// not matter, since it was named; links are not followed.
func locate(root *os.Root, user gitignore.User, path string, allow func(string, bool) bool) (*place, error) {
	fault := func(code hashline.Code, msg, hint string) (*place, error) {
		return nil, &hashline.Diagnostic{Code: code, Path: path, Msg: msg, Hint: hint}
	}
	top, err := root.OpenRoot(".")
	if err != nil {
		return fault(hashline.IO, fmt.Sprintf("the root cannot be opened: %v", err), "")
	}
	at := &place{dir: newFolder(top), ignore: gitignore.Open(root, user), path: path}
	if path == "." {
		return at, nil
	}
	names := strings.Split(path, "/")
	for i, name := range names {
		at, err = at.step(name, strings.Join(names[:i+1], "/"), allow)
		switch {
		case err == nil:
		case errors.Is(err, fs.ErrNotExist):
			return fault(hashline.NotFound, "there is no such file or folder", "")
		case errors.Is(err, hashline.Denied):
			return fault(hashline.Denied, "the policy does not allow searching there", "")
		case errors.Is(err, hashline.NotRegular):
			return fault(hashline.NotRegular, "the path is, or goes through, a symbolic link, device, FIFO or socket", "name the file or folder itself")
		default:
			return fault(hashline.IO, fmt.Sprintf("it cannot be opened: %v", err), "")
		}
	}
	if at.file != "" && !nameable(path, false) {
		at.dir.done()
		return fault(hashline.BadPath, "the path cannot stand in a header", "rename the file with another tool first")
	}
	return at, nil
}

// step goes to the entry name of a folder and lets go of the folder where that
// is not needed any more.
func (p *place) step(name, path string, allow func(string, bool) bool) (*place, error) {
	release := true
	defer func() {
		if release {
			p.dir.done()
		}
	}()
	if p.file != "" {
		return nil, fs.ErrNotExist
	}
	info, err := p.dir.root.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !allow(path, info.IsDir()):
		return nil, hashline.Denied
	case info.Mode().IsRegular():
		release = false
		return &place{dir: p.dir, ignore: p.ignore, file: name, path: path}, nil
	case !info.IsDir():
		return nil, hashline.NotRegular
	}
	sub, err := beneath.Enter(p.dir.root, name)
	switch {
	case errors.Is(err, beneath.ErrMoved) || errors.Is(err, syscall.ENOTDIR):
		return nil, hashline.NotRegular
	case err != nil:
		return nil, err
	}
	return &place{dir: newFolder(sub), ignore: p.ignore.Enter(name, sub), path: path}, nil
}
