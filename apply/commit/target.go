package commit

import (
	"errors"
	"io/fs"
	"os"
	"runtime"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/hashline"
)

// holdsTargets says that a file may be replaced while it is open.
const holdsTargets = runtime.GOOS != "windows"

// CanStream says that changes with a [Base] can be made on this system.
const CanStream = holdsTargets

// handle opens the folder itself, once: for calls that package os does not have,
// and to sync it.
func (d *folder) handle() (*os.File, error) {
	if d.self == nil {
		h, err := d.root.OpenFile(".", os.O_RDONLY|beneath.NoWait, 0)
		if err != nil {
			return nil, err
		}
		d.self = h
	}
	return d.self, nil
}

// changeable refuses a folder in which nothing can be replaced. Names could
// still be added, and not be removed again.
func (d *folder) changeable(p string) error {
	if d.self != nil || !holdsTargets {
		return nil
	}
	h, err := d.handle()
	if err != nil {
		return fault(p, "cannot open the folder "+d.path, err)
	}
	d.flags = readFlags(h, d.info)
	if why := sealed(d.flags); why != "" {
		return &hashline.Diagnostic{Code: hashline.Denied, Path: p, Msg: "the folder " + d.path + " " + why,
			Hint: "have its owner take that back, or work on a copy elsewhere"}
	}
	return nil
}

// inspect opens the target and reads what is kept of it.
func (f *file) inspect() error {
	if !holdsTargets {
		f.kept = attributesOf(f.before)
		return nil
	}
	h, err := f.folder.root.OpenFile(f.name, os.O_RDONLY|beneath.NoWait, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return changed(f.Path, "the file is gone")
	case err != nil:
		return fault(f.Path, "cannot open the file", err)
	}
	if err := f.examine(h); err != nil {
		h.Close()
		return err
	}
	f.target = h
	return nil
}

func (f *file) examine(h *os.File) error {
	info, err := h.Stat()
	switch {
	case err != nil:
		return fault(f.Path, "cannot look at the file", err)
	case !os.SameFile(info, f.before):
		return changed(f.Path, "the file was replaced")
	}
	if f.kept, err = readAttributes(h, f.before); err != nil {
		return notKept(f.Path, err)
	}
	if why := sealed(f.kept.flags); why != "" {
		return &hashline.Diagnostic{Code: hashline.ReadOnly, Path: f.Path, Msg: "the file " + why + ", so that it cannot be replaced",
			Hint: "have its owner take that back, or edit a copy"}
	}
	return nil
}
