package commit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"syscall"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/hashline"
)

// folder is an opened folder. All work in it goes through its handle, so that
// a folder swapped for a link meanwhile leads nowhere else.
type folder struct {
	path   string // relative to the transaction's root
	name   string
	parent *folder // nil for the transaction's root
	root   *os.Root
	info   fs.FileInfo
	made   bool // by this transaction
	// self is the open folder, nil until it is needed; flags are its inode's.
	self  *os.File
	flags uint32
	// plain says that names in it cannot be exchanged.
	plain bool
	// changed says that a name in it was given or taken since the last sync.
	changed bool
}

func split(p string) (dir, name string) { return path.Dir(p), path.Base(p) }

// folder opens dir for the file at p, step by step and each folder once, and
// makes what is missing when it may. A symbolic link on the way is refused: the
// caller has resolved them, so it came meanwhile.
func (t *transaction) folder(p, dir string, create bool) (*folder, error) {
	if d := t.folders[dir]; d != nil {
		return d, nil
	}
	if dir == "." {
		info, err := t.root.Stat(".")
		if err != nil {
			return nil, fault(p, "cannot look at the root", err)
		}
		return t.keep(&folder{path: dir, root: t.root, info: info}), nil
	}
	above, name := split(dir)
	parent, err := t.folder(p, above, create)
	if err != nil {
		return nil, err
	}
	d := &folder{path: dir, name: name, parent: parent}
	if d.root, err = beneath.Enter(parent.root, name); create && errors.Is(err, fs.ErrNotExist) {
		like := t.made[dir]
		err = parent.root.Mkdir(name, like.perm())
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fault(p, "cannot make the folder "+dir, err)
		}
		d.made = err == nil
		parent.changed = parent.changed || d.made
		if d.root, err = beneath.Enter(parent.root, name); err == nil && d.made {
			err = d.furnish(p, like)
		}
	}
	if err == nil {
		d.info, err = d.root.Stat(".")
	}
	if err == nil && d.info != nil && d.there() {
		return t.keep(d), nil
	}
	if d.root != nil {
		d.root.Close()
	}
	if d.made {
		_ = removeFolder(parent.root, name)
	}
	return nil, d.refuse(p, err)
}

func (t *transaction) keep(d *folder) *folder {
	t.folders[d.path] = d
	t.order = append(t.order, d)
	return d
}

// there reports whether the folder still stands under its name in its parent,
// not as a link to it, and so on up to the root.
func (d *folder) there() bool {
	for ; d.parent != nil; d = d.parent {
		info, err := d.parent.root.Lstat(d.name)
		if err != nil || !info.IsDir() || !os.SameFile(info, d.info) {
			return false
		}
	}
	return true
}

// refuse says why the folder of the file at p could not be opened.
func (d *folder) refuse(p string, err error) error {
	if errors.Is(err, hashline.Attributes) {
		return err
	}
	info, lerr := d.parent.root.Lstat(d.name)
	switch {
	case errors.Is(lerr, fs.ErrNotExist):
		return changed(p, fmt.Sprintf("the folder %s is gone", d.path))
	case lerr == nil && info.Mode()&fs.ModeSymlink != 0:
		return changed(p, fmt.Sprintf("the folder %s became a symbolic link", d.path))
	case lerr == nil && !info.IsDir():
		return &hashline.Diagnostic{Code: hashline.Exists, Path: p,
			Msg:  fmt.Sprintf("%s is a file, so it cannot hold others", d.path),
			Hint: "choose another path"}
	case err == nil || misled(err):
		return changed(p, fmt.Sprintf("the folder %s was replaced", d.path))
	}
	return fault(p, "cannot open the folder "+d.path, err)
}

// misled reports an error that tells of what stood under the name: nothing, a
// file, or a link out of the root, whose error has no number.
func misled(err error) bool {
	errno, ok := errors.AsType[syscall.Errno](err)
	return !ok || errno == syscall.ENOTDIR || errors.Is(err, fs.ErrNotExist)
}

// syncFolders makes the renames last. They are done, so that a failure is only
// a warning.
func (t *transaction) syncFolders() hashline.Diagnostics {
	var warnings hashline.Diagnostics
	for _, d := range t.order {
		if !d.changed || !t.sync {
			continue
		}
		if err := d.sync(); err != nil && !unsupported(err) {
			warnings = append(warnings, &hashline.Diagnostic{Code: hashline.Sync, Path: d.path,
				Msg: "the change is made, but the folder could not be synced (" + reason(err) + "), so that a power failure may undo it"})
		}
		d.changed = false
	}
	return warnings
}

// removeFolders takes away the folders that were made, where they are empty.
func (t *transaction) removeFolders() {
	for i := len(t.order) - 1; i >= 0; i-- {
		d := t.order[i]
		if !d.made {
			continue
		}
		info, err := d.parent.root.Lstat(d.name)
		if err == nil && os.SameFile(info, d.info) && removeFolder(d.parent.root, d.name) == nil {
			d.made, d.changed = false, false
			d.parent.changed = true
		}
	}
}

func (t *transaction) close() {
	for _, f := range t.files {
		if f.target != nil {
			f.target.Close()
		}
	}
	for _, d := range t.order {
		if d.self != nil {
			d.self.Close()
		}
		if d.parent != nil {
			d.root.Close()
		}
	}
}
