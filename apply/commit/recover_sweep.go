package commit

import (
	"bytes"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// sweep removes what the commit left lying about: temporary files, folders,
// and the name that the history gave an inode.
func (r *recovery) sweep(forward bool) error {
	for _, e := range r.ends {
		if e.folder == nil {
			continue
		}
		if e.work.Kept && !r.failed && e.old != nil && e.stage.holds(e.old) && r.past.adopt(e.file, e.stageName, *e.old) == nil {
			e.stage, e.folder.changed = nil, true
		}
		if err := r.clear(e, e.stageName, e.stage); err != nil {
			return err
		}
		if err := r.clear(e, e.backName, e.back); err != nil {
			return err
		}
	}
	list := r.journal.Record.Folders
	if forward || r.done {
		list = r.journal.Empty
	}
	if !r.removeFolders(list) {
		r.again.folders = append(r.again.folders, list...)
	}
	return nil
}

// clear removes a temporary file, unless its bytes are another writer's: those
// get a name that lasts. What a commit said that it left where stays there.
func (r *recovery) clear(e *end, name string, what *seen) error {
	if what == nil || !what.info.Mode().IsRegular() {
		return nil
	}
	if !r.ours(e, name, what) {
		if !r.failed {
			e.temp = name
			r.conflicts = append(r.conflicts, conflict(e, "another writer's version is kept as "+e.setAside()))
		}
		return nil
	}
	if name == e.stageName && what.holds(e.old) && r.keepLate(e, name) {
		e.folder.changed = true
		return nil
	}
	if err := e.folder.root.Remove(name); err != nil {
		if _, lerr := e.folder.root.Lstat(name); lerr == nil {
			return fault(e.Path, "cannot remove the temporary file "+name, err)
		}
	}
	e.folder.changed = true
	return nil
}

// ours reports whether the bytes of a temporary file are from the commit, or in
// the history.
func (r *recovery) ours(e *end, name string, what *seen) bool {
	switch {
	case what.holds(e.new):
		return true
	case what.holds(e.old):
		return !r.failed || name != e.stageName || e.wasOld
	case name == e.stageName && !r.staged && (len(r.ends) > 1 || !e.isNew()):
		// A new version that was being written.
		return true
	}
	return r.isPart(e, name, what)
}

// isPart reports whether a temporary file is the beginning of an old version
// that was being put back.
func (r *recovery) isPart(e *end, name string, what *seen) bool {
	if name != e.backName || e.old == nil || what.info.Size() > history.MaxImage {
		return false
	}
	old, err := r.past.history.Get(*e.old)
	if err != nil {
		return false
	}
	data, err := e.folder.root.ReadFile(name)
	return err == nil && bytes.HasPrefix(old, data)
}
