package commit

import (
	"bytes"
	"errors"
	"os"
	"slices"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/apply/commit/history"
)

// sweep removes what the commit left lying about: temporary files, folders,
// and the name that the history gave an inode.
func (r *recovery) sweep(forward bool) error {
	for _, e := range r.ends {
		if e.folder == nil {
			continue
		}
		if e.work.Kept && !r.failed && e.old != nil && e.stage.holds(e.old) {
			if err := r.keepStage(e); err != nil {
				return err
			}
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
	h, leased := r.leasedAs(e, name)
	defer h.Close() // of nil as well
	what, err := see(e.folder.root, name)
	if err != nil {
		return fault(e.Path, "cannot look at the temporary file "+name, err)
	}
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
	if err := r.takeAway(e.file, name, leased || !e.whole(what)); err != nil {
		if _, lerr := e.folder.root.Lstat(name); lerr == nil {
			return fault(e.Path, "cannot remove the temporary file "+name, err)
		}
	}
	e.folder.changed = true
	return nil
}

// leasedAs opens a temporary file and takes a lease on it: without one somebody
// may have it open for writing. The caller closes the file, which may be nil.
func (r *recovery) leasedAs(e *end, name string) (h *os.File, leased bool) {
	h, err := e.folder.root.OpenFile(name, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return nil, false
	}
	leased, _ = r.takeLease(h)
	return h, leased
}

// keepStage puts the old version, which stands under the temporary name, into the
// history, which has no copy of it: the file itself, where it stays what it is, or
// what else saveOld makes.
func (r *recovery) keepStage(e *end) error {
	h, leased := r.leasedAs(e, e.stageName)
	if h == nil {
		return nil
	}
	defer h.Close()
	now, err := see(e.folder.root, e.stageName)
	if err != nil {
		return fault(e.Path, "cannot read the old version", err)
	}
	if e.stage = now; !now.holds(e.old) {
		return nil
	}
	why := errNoLease
	if leased {
		if why = r.past.adopt(e.file, e.stageName, *e.old); why == nil {
			e.stage, e.folder.changed = nil, true
			return nil
		}
	}
	if now.info.Size() <= int64(r.copyTo) {
		err = r.past.history.PutFrom(*e.old, int(now.info.Size()), h, r.sync)
		if errors.Is(err, history.ErrCorrupt) {
			return nil // it is being written to
		}
		if err != nil {
			return fault(e.Path, "cannot keep the old version", err)
		}
		return nil
	}
	clone := func(folder *os.Root, name string) error { return cloneAs(folder, name, h) }
	if r.past.history.Keep(*e.old, clone) != nil {
		r.journal.Record.Files[slices.Index(r.ends, e)].NoImage = tooLargeToCopy(why)
	}
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
