package commit

import (
	"errors"
	"os"
	"time"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/hashline"
)

// irreplaceable reports whether the target cannot be replaced by renaming
// another file over it (spec 11).
func (t *transaction) irreplaceable(f *file) bool {
	_, links, _ := identify(f.folder.root, f.name, f.before)
	return links > 1 || mountPoint(f.folder.root, f.name, f.before) || !canName(f.folder.root)
}

// givingOrder puts those that are overwritten last: they are the hardest to put
// back.
func (t *transaction) givingOrder() []*file {
	order := make([]*file, 0, len(t.files))
	for _, inPlace := range [...]bool{false, true} {
		for _, f := range t.files {
			if f.inPlace == inPlace {
				order = append(order, f)
			}
		}
	}
	return order
}

// overwrite gives the target, its inode, the new bytes. The history has the old
// ones and the new ones, and the journal says so: whatever part of them is
// written when the process ends, the next start finds out and brings to an end.
//
// Where there are leases nobody else can open the file from before it is compared
// for the last time until the commit has ended.
func (t *transaction) overwrite(f *file) error {
	if err := f.undisturbed(); err != nil {
		return err
	}
	if err := t.openInPlace(f); err != nil {
		return err
	}
	// Before the last comparison, since syncing takes long.
	if err := t.mark(markWriting, t.sync); err != nil {
		return err
	}
	// From here on some of the bytes may be new.
	f.wrote = f.before
	p := pouring{t, f, f.target, f.Old, f.New, f.before.Mode() & keptBits}
	err := p.run()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errNotPoured):
		return changed(f.Path, "its bytes changed")
	case errors.Is(err, errMixed):
		f.torn = writtenByBoth(f)
		return changed(f.Path, "its bytes changed")
	}
	why := fault(f.Path, "cannot write the file in place", err)
	switch err := p.putBack(); {
	case errors.Is(err, errMixed):
		f.torn = writtenByBoth(f)
		return why
	case err != nil:
		f.torn, f.unfinished = tornInPlace(f, err), true
		return why
	}
	_ = f.folder.root.Chtimes(f.name, time.Time{}, f.before.ModTime())
	return why
}

// overwriteBack gives a target that was overwritten its old bytes again.
func (t *transaction) overwriteBack(f *file) *hashline.Diagnostic {
	p := pouring{t, f, f.target, f.New, f.Old, f.before.Mode() & keptBits}
	err := p.run()
	switch {
	case errors.Is(err, errNotPoured):
		return overwritten(f)
	case errors.Is(err, errMixed):
		return writtenByBoth(f)
	case err != nil:
		f.torn, f.unfinished = tornInPlace(f, err), true
		return f.torn
	}
	_ = f.folder.root.Chtimes(f.name, time.Time{}, f.before.ModTime())
	return nil
}

// writtenByBoth says that the file holds what came of writing into it while another writer
// did, too.
func writtenByBoth(f *file) *hashline.Diagnostic {
	return &hashline.Diagnostic{Code: hashline.ChangedDuringEdit, Path: f.Path,
		Msg:  "it was being overwritten in place when another writer changed it; it holds what came of that, perhaps parts of both, and was left so",
		Hint: "read the file again"}
}

func tornInPlace(f *file, err error) *hashline.Diagnostic {
	return &hashline.Diagnostic{Code: hashline.IO, Path: f.Path,
		Msg:  "some of its bytes are new and some old, and could not be put back (" + reason(err) + "); the next start tries it again",
		Hint: "make room on the disk, or mend what else failed, and read the file again; what it was before is kept in the state folder until that start"}
}

// openInPlace opens the target for writing, with a lease where one is to be had.
func (t *transaction) openInPlace(f *file) error {
	if f.target != nil {
		// Its lease would keep us out as well, and it a lease for writing.
		f.target.Close()
		f.target, f.leased = nil, false
	}
	h, err := t.openWriting(f)
	if err != nil {
		return err
	}
	leased, busy := t.patiently(takeWriteLease, h)
	if busy {
		// By a reader, perhaps, who is in nobody's way.
		h.Close()
		if err := t.unwritten(f); err != nil {
			return err
		}
		if h, err = t.openWriting(f); err != nil {
			return err
		}
	}
	f.target, f.leased = h, leased
	return nil
}

// openWriting opens the file that the target was found to be.
func (t *transaction) openWriting(f *file) (*os.File, error) {
	h, err := f.folder.root.OpenFile(f.name, os.O_RDWR|beneath.NoWait, 0)
	if err != nil {
		return nil, fault(f.Path, "cannot open the file for writing", err)
	}
	info, err := h.Stat()
	if err == nil && info.Mode().IsRegular() && os.SameFile(info, f.before) {
		return h, nil
	}
	h.Close()
	return nil, changed(f.Path, "the file was replaced")
}

// unwritten refuses a file that others have open for writing.
func (t *transaction) unwritten(f *file) error {
	h, err := f.folder.root.OpenFile(f.name, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return fault(f.Path, "cannot open the file", err)
	}
	defer h.Close()
	if _, busy := t.takeLease(h); busy {
		return busyFile(f, "another process holds the file open for writing")
	}
	return nil
}
