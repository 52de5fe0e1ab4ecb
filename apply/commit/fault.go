package commit

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/hashline-go/hashline/apply/commit/own"
	"github.com/hashline-go/hashline/hashline"
)

// fault makes the diagnostic for an error of the system, met while doing
// something for the file at p.
func fault(p, doing string, err error) *hashline.Diagnostic {
	d := &hashline.Diagnostic{Path: p, Msg: doing + ": " + reason(err)}
	switch {
	case errors.Is(err, fs.ErrPermission):
		d.Code, d.Hint = hashline.Denied, "the system does not allow it to the user who runs this; have the permissions changed"
	case errors.Is(err, fs.ErrNotExist):
		d.Code = hashline.NotFound
	case errors.Is(err, fs.ErrExist):
		d.Code = hashline.Exists
	default:
		d.Code, d.Hint = systemCode(err)
	}
	return d
}

// stateFault makes the diagnostic for an error of the system met in the state
// folder: whatever it is, no file of the agent's is at fault.
func stateFault(doing string, err error) *hashline.Diagnostic {
	if errors.Is(err, own.ErrForeign) {
		return &hashline.Diagnostic{Code: hashline.Denied, Msg: doing + ": " + err.Error(),
			Hint: "give the state folder and all in it to yourself alone (chown, chmod -R go-rwx), or name another with XDG_STATE_HOME"}
	}
	// A full disk, for one, is no reason to move.
	code, hint := systemCode(err)
	if code != hashline.IO || hint == "" {
		hint = "name a folder for the state that can be written, with XDG_STATE_HOME"
	}
	return &hashline.Diagnostic{Code: hashline.IO, Msg: doing + ": " + reason(err), Hint: hint}
}

// checkPath refuses a path that the caller has not made relative and clean.
func checkPath(p string) error {
	if fs.ValidPath(p) && p != "." {
		return nil
	}
	return &hashline.Diagnostic{Code: hashline.BadPath, Path: p, Msg: "not a cleaned path below the root"}
}

// lookFault is fault for a path that was followed from root, perhaps out of it.
func lookFault(root *os.Root, p, doing string, err error) *hashline.Diagnostic {
	d := fault(p, doing, err)
	if errors.Is(err, syscall.ENOTDIR) {
		d.Code = hashline.NotFound
	}
	// The error for that has no name, but asking for ".." gives it.
	if _, out := root.Lstat(".."); errors.Is(err, errors.Unwrap(out)) {
		d.Code, d.Hint = hashline.OutsideRoot, "only files below the root can be read and edited"
	}
	return d
}

// reason gives the innermost text of an error: names of temporary files and of
// system calls help nobody.
func reason(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

// changed makes the diagnostic for a file that is not what the edit was made
// from.
func changed(p, how string) *hashline.Diagnostic {
	return &hashline.Diagnostic{Code: hashline.ChangedDuringEdit, Path: p,
		Msg:  how + " while the edit ran, by a writer that does not use our locks",
		Hint: "read the file again and write the edit against what it holds now"}
}

// diagnostics gives the list that an error of this package is.
func diagnostics(err error) hashline.Diagnostics {
	if ds, ok := errors.AsType[hashline.Diagnostics](err); ok {
		return ds
	}
	if d, ok := errors.AsType[*hashline.Diagnostic](err); ok {
		return hashline.Diagnostics{d}
	}
	panic("commit: an error without a code: " + err.Error())
}
