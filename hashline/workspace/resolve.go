package workspace

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

const maxPath = 4096

// place is where a path leads.
type place struct {
	// path is cleaned and relative to the root: the form that is shown.
	path string
	// real is path without symbolic links, what is opened and locked.
	real string
	// exists tells whether something is there; info is about it.
	exists bool
	info   commit.Info
}

// resolve cleans a path as an agent wrote it and follows its links, none of
// which may lead out of the root (spec 6 and 12). Where nothing is there the
// place is returned with exists false; the caller decides whether that is a
// fault.
func (w *core) resolve(name string) (place, error) {
	return w.resolveBut(name, w.policy.denies)
}

// resolveBut is resolve with a say of its own on what is denied. The path as
// written is judged and the one that its links lead to.
func (w *core) resolveBut(name string, denies func(string) bool) (place, error) {
	clean, err := w.clean(name)
	pl := place{path: clean}
	if err != nil {
		return pl, w.policy.only.explained(err)
	}
	if denies(clean) {
		return pl, w.refusedPath(clean, clean)
	}
	real, exists, err := w.follow(clean)
	if denies(real) || err != nil && w.policy.denies(real) {
		return pl, w.refusedPath(clean, real)
	}
	if err != nil {
		return pl, err
	}
	pl.real, pl.exists = real, exists
	if w.inState(real) {
		return pl, fault(hashline.Denied, clean, "the folder that holds hashline's own state cannot be read or written", "")
	}
	if !exists {
		return pl, nil
	}
	if pl.info, err = commit.Inspect(w.root, real); err != nil {
		return pl, w.system(clean, err)
	}
	return pl, nil
}

// clean makes an agent's path relative to the root, lexically and once. Beside
// an error it gives the path to show.
func (w *core) clean(name string) (string, error) {
	if len(name) > maxPath {
		return name, fault(hashline.BadPath, cut(name, 64), "the path is longer than 4,096 bytes", "")
	}
	clean, err := hashline.CleanPath(filepath.ToSlash(name))
	if err != nil {
		return name, err
	}
	if filepath.IsAbs(filepath.FromSlash(clean)) || path.IsAbs(clean) {
		rel, ok := w.below(clean)
		if !ok {
			return clean, outside(clean)
		}
		return rel, nil
	}
	if clean == ".." || strings.HasPrefix(clean, "../") || !filepath.IsLocal(filepath.FromSlash(clean)) {
		return clean, outside(clean)
	}
	return clean, nil
}

func outside(name string) error {
	return fault(hashline.OutsideRoot, name, "the path leads out of the workspace root", "name a file below the root, relative to it")
}

// below makes an absolute, clean path relative to the root.
func (w *core) below(abs string) (string, bool) {
	for _, dir := range [...]string{w.dir, w.given} {
		rel, err := filepath.Rel(dir, filepath.FromSlash(abs))
		if err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// inState reports whether a real path is the state folder or lies in it.
func (w *core) inState(real string) bool {
	if w.state == "" {
		return false
	}
	return lies(filepath.ToSlash(filepath.Join(w.dir, filepath.FromSlash(real))), filepath.ToSlash(w.state))
}

// withoutLinks resolves the links of an absolute path as far as it exists.
func withoutLinks(abs string) string {
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	parent := filepath.Dir(abs)
	if parent == abs {
		return abs
	}
	return filepath.Join(withoutLinks(parent), filepath.Base(abs))
}

// system turns an error of the operating system into a diagnostic.
func (w *core) system(name string, err error) error {
	var d *hashline.Diagnostic
	switch {
	case errors.As(err, &d):
		return err
	case w.escapes(err):
		return outside(name)
	case errors.Is(err, fs.ErrNotExist):
		return notFound(name)
	case errors.Is(err, fs.ErrPermission):
		return fault(hashline.Denied, name, "the system does not allow it: "+reason(err), "")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return fault(hashline.BadPath, name, "a name in the path is longer than the file system allows", "")
	case errors.Is(err, syscall.ELOOP):
		return fault(hashline.LinkLoop, name, "its symbolic links lead in a circle", "")
	case errors.Is(err, syscall.EAGAIN):
		return fault(hashline.BusyFile, name, "another program has the file to itself", "close the file there, and try again")
	case errors.Is(err, syscall.ENOTDIR):
		return fault(hashline.NotFound, name, "a part of the path is a file, not a folder", "")
	}
	return fault(hashline.IO, name, "the system failed: "+reason(err), "")
}

// escapes reports whether an error says that a link led out of the root. The
// error for that has no name, but asking for ".." gives it.
func (w *core) escapes(err error) bool {
	_, out := w.root.Lstat("..")
	return errors.Is(err, errors.Unwrap(out))
}

// reason is the cause of an error without the path that [fs.PathError] adds,
// which is told elsewhere.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
