package workspace

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/hashline"
)

// openTries is how often a file is opened that is replaced just then, as every
// edit does.
const openTries = 4

// leaseWait bounds how long a file is waited for that another process has to itself:
// twice as long in all.
const leaseWait = 512 * time.Millisecond

// open opens what stands at a real path for reading. What was opened was, at one
// moment, the very thing that the path names without any symbolic link: links
// that are put on the way after the path was judged lead nowhere.
func (w *core) open(pl place) (*os.File, fs.FileInfo, error) {
	var err error
	for tries, wait := 0, time.Millisecond; tries < openTries; {
		var f *os.File
		var info fs.FileInfo
		f, info, err = openReal(w.root, pl.real)
		switch {
		case err == nil:
			return f, info, nil
		case errors.Is(err, syscall.EAGAIN) && wait < leaseWait:
			// Another process has a lease on it, as one of ours that overwrites it.
			time.Sleep(wait)
			wait *= 2
		case errors.Is(err, beneath.ErrMoved):
			tries++
		default:
			return nil, nil, w.system(pl.path, err)
		}
	}
	return nil, nil, fault(hashline.ChangedDuringEdit, pl.path, "the path was replaced while it was opened", "try again")
}

func openReal(root *os.Root, real string) (*os.File, fs.FileInfo, error) {
	dir, name, below := root, real, ""
	for {
		if name, below, _ = strings.Cut(name, "/"); below == "" {
			break
		}
		sub, err := beneath.Enter(dir, name)
		if dir != root {
			dir.Close()
		}
		if err != nil {
			return nil, nil, err
		}
		dir, name = sub, below
	}
	if dir != root {
		defer dir.Close()
	}
	before, err := dir.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(before, info) {
		// It may have been replaced before it was opened, and be what stands
		// there now.
		var after fs.FileInfo
		if after, err = dir.Lstat(name); err == nil && !os.SameFile(after, info) {
			err = beneath.ErrMoved
		}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}
