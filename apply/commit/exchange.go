package commit

import (
	"errors"
	"io/fs"
	"math"
	"os"

	"io"

	"github.com/hashline-go/hashline/hashline"
)

// replace gives the new version the target's name. Where the system can it
// exchanges the two names, so that the replaced file is not lost before it was
// looked at: it then stands under f.temp until retire.
//
// Let O be the target as it was compared, N our new version, F, G, H what
// writers that know nothing of us bring, and "name temp" what stands under the
// two names. What can happen, and what becomes of it:
//
//	before   exchange  meanwhile    then                                end
//	O N      N O       -            settle, retire                      N -   done
//	F N      N F       -            back: F N                           F -   refused
//	O' N     N O'      -            back: O' N (O' is O with new bytes) O' -  refused
//	- N      ENOENT    -                                                - -   refused
//	O -      ENOENT    -                                                O -   refused
//	F N      N F       G over N     back: F G, again: G F               G F*  refused
//	F N      N F       N' (in N)    back: F N', again: N' F             N' F* refused, told
//	F N      N F       N removed    F gets its free name                F -   refused
//	F N      N F       G, then H    F G, then H F or, at the limit, G H H F*  refused
//	O N      N O       G over N     settle, retire                      G -   done, then replaced
//	O N      N O       O' in O      settle: back, as above              O' -  refused
//	O N      N O       O removed    nothing to retire                   N -   done
//
// F* is a version that its own writers have replaced, under a name of its own,
// which the answer tells. Nothing but N, byte for byte as we wrote it and open
// for writing nowhere, and O, byte for byte as it was compared, is ever removed.
func (t *transaction) replace(f *file) error {
	if f.folder.plain || f.target == nil {
		return t.rename(f)
	}
	t.step("exchange " + f.Path)
	err := f.exchange()
	switch {
	case cannotExchange(err):
		f.folder.plain = true
		return t.rename(f)
	case errors.Is(err, fs.ErrNotExist):
		return changed(f.Path, "the file, or the new version beside it, was removed")
	case err != nil:
		return fault(f.Path, "cannot rename the new version into place", err)
	}
	f.swapped, f.folder.changed = true, true
	t.step("exchanged " + f.Path)
	if t.cameOut(f) {
		return nil
	}
	return t.refuse(f, changed(f.Path, "the file was replaced"))
}

// rename replaces the target without a second look.
func (t *transaction) rename(f *file) error {
	if f.keep {
		if err := t.chronicle.preserve(f, errors.ErrUnsupported); err != nil {
			return err
		}
	}
	err := f.folder.root.Rename(f.temp, f.name)
	switch {
	case err == nil:
		f.temp = ""
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist):
		return changed(f.Path, "it was replaced by a folder, or the new version beside it was removed,")
	default:
		return fault(f.Path, "cannot rename the new version into place", err)
	}
	return nil
}

func (f *file) exchange() error {
	h, err := f.folder.handle()
	if err != nil {
		return err
	}
	return exchangeNames(h, f.temp, f.name)
}

// cameOut reports whether the file under the temporary name is the target.
func (t *transaction) cameOut(f *file) bool {
	info, err := f.folder.root.Lstat(f.temp)
	if errors.Is(err, fs.ErrNotExist) {
		// Somebody cleans up after us.
		f.temp = ""
		return true
	}
	if err != nil || os.SameFile(info, f.before) {
		return err == nil
	}
	// A file system of layers may have moved it to another one just now.
	now, err := f.target.Stat()
	return err == nil && os.SameFile(info, now)
}

// settle looks at the replaced files again, with all new versions in their
// places: one that was changed after all ends the commit, with nothing lost.
func (t *transaction) settle() error {
	for _, f := range t.files {
		if !f.swapped {
			continue
		}
		t.step("settle " + f.Path)
		if err := t.intact(f); err != nil {
			return err
		}
	}
	return nil
}

// intact checks that the target, wherever it stands now, is in bytes and
// attributes what the change was made from.
func (t *transaction) intact(f *file) error {
	if err := f.undisturbed(); err != nil {
		return err
	}
	info, err := f.target.Stat()
	switch {
	case err != nil:
		return fault(f.Path, "cannot look at the replaced file", err)
	case !f.kept.same(f.target, info):
		return changed(f.Path, "its attributes changed")
	}
	f.seen = info
	if f.leased {
		return nil
	}
	same, err := t.unchanged(f, info)
	switch {
	case err != nil:
		return fault(f.Path, "cannot compare the replaced file", err)
	case !same:
		return changed(f.Path, "its bytes changed")
	}
	return nil
}

// retireAll takes the replaced files away. The commit is done: what goes wrong
// here is a warning.
func (t *transaction) retireAll() (warnings hashline.Diagnostics) {
	for _, f := range t.files {
		if !f.swapped || f.temp == "" {
			if f.keep { // somebody cleaned it up
				_ = t.chronicle.preserve(f, fs.ErrNotExist)
			}
			continue
		}
		t.step("retire " + f.Path)
		if !t.stillIntact(f) {
			if f.keep {
				_ = t.chronicle.preserve(f, errChanged)
			}
			warnings = append(warnings, &hashline.Diagnostic{Code: hashline.ChangedDuringEdit, Path: f.Path,
				Msg:  "the change is made, but another writer changed the replaced version meanwhile; that is kept as " + f.setAside(),
				Hint: "compare the two"})
			continue
		}
		if err := t.retire(f); err != nil {
			warnings = append(warnings, &hashline.Diagnostic{Code: hashline.IO, Path: f.Path,
				Msg: "the change is made, but the replaced version stays as " + beside(f, f.temp) + " (" + reason(err) + ")"})
		}
		f.temp = ""
		// Closed before the folder is synced: removing a file for good is then
		// part of the same work for the file system.
		f.target.Close()
		f.target = nil
	}
	return warnings
}

var (
	errChanged = errors.New("another writer changed it")
	errNoLease = errors.New("another program may have it open for writing")
)

// stillIntact is the last look at a replaced file, right before it goes.
func (t *transaction) stillIntact(f *file) bool {
	if f.leased {
		return leaseHolds(f.target)
	}
	info, err := f.target.Stat()
	return err == nil && (untouched(info, f.seen) || t.intact(f) == nil)
}

// retire takes away one replaced file, which stands under f.temp and was found
// intact. f.target is still open, and leased where f.leased says so.
func (t *transaction) retire(f *file) error {
	if f.keep {
		err := errNoLease
		if f.leased {
			err = t.chronicle.keepReplaced(f)
		}
		if err == nil {
			return nil
		}
		_ = t.chronicle.preserve(f, err)
	}
	return t.takeAway(f, f.temp, f.leased)
}

// unchanged reports whether the target, which info describes, is byte for byte
// what the change was made from.
func (t *transaction) unchanged(f *file, info fs.FileInfo) (bool, error) {
	if f.target == nil {
		return t.holds(f, info, f.oldVersion())
	}
	return t.reads(io.NewSectionReader(f.target, 0, math.MaxInt64), f.oldVersion())
}
