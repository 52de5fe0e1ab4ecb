package commit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/hashline-go/hashline/hashline"
)

// Torn is the error of a commit that failed in the middle and could not put
// back every file that it had written: it must never be reported as "nothing
// was written". It unwraps to its faults.
type Torn struct {
	// Faults holds why the commit failed, and then one for each file left
	// behind, which says what it holds now.
	Faults hashline.Diagnostics
}

// Error gives the lines of the faults.
func (e *Torn) Error() string { return e.Faults.Error() }

// Unwrap gives the faults to errors.Is and errors.As.
func (e *Torn) Unwrap() error { return e.Faults }

// fail puts everything back and tells what became of it.
func (t *transaction) fail(cause error) error {
	faults := diagnostics(cause)
	back, left := t.undo()
	torn := false
	for _, f := range t.files {
		torn = torn || f.unfinished
		if f.torn != nil && !f.written {
			left = append(left, f.torn)
		}
	}
	strays := t.discard()
	if len(strays) > 0 {
		faults[0].Msg += "; not removed: " + strings.Join(strays, ", ")
	}
	if len(t.spared) > 0 {
		faults[0].Msg += "; what it held before is kept as " + strings.Join(t.spared, ", ")
	}
	t.removeFolders()
	t.syncFolders()
	if t.chronicle != nil {
		t.chronicle.abandon(len(strays)+len(left) > 0, torn)
		t.noteLeft(left)
	}
	switch {
	case len(left) > 0:
		faults[0].Msg += fmt.Sprintf("; of the files already written %d could be put back and %d not", back, len(left))
		return &Torn{append(faults, left...)}
	case back > 0:
		faults[0].Msg += fmt.Sprintf("; the %d file(s) already written were put back", back)
	}
	return faults
}

// undo puts back what was written, the last file first.
func (t *transaction) undo() (back int, left hashline.Diagnostics) {
	for i := len(t.files) - 1; i >= 0; i-- {
		f := t.files[i]
		if f.left != nil {
			left = append(left, f.left)
		}
		if !f.written {
			continue
		}
		if d := t.putBack(f); d != nil {
			left = append(left, d)
			continue
		}
		f.written = false
		f.folder.changed = true
		back++
	}
	return back, left
}

// putBack gives a written file its old bytes, attributes and time again, or
// removes a created one, but only while it is what we made of it.
func (t *transaction) putBack(f *file) *hashline.Diagnostic {
	if f.Remove {
		return t.giveBack(f)
	}
	if f.inPlace {
		return t.overwriteBack(f)
	}
	if d := t.ours(f); d != nil {
		t.spare(f)
		return d
	}
	switch {
	case f.Create:
		return t.removeCreated(f)
	case f.swapped && f.temp != "":
		return t.exchangeBack(f)
	}
	if _, err := f.folder.stage(f.backName, f.Path, f.oldBytes(), f.kept, t.sync); err != nil {
		return stuck(f, diagnostics(err)[0])
	}
	// discard removes it if it does not get its name.
	f.temp = f.backName
	_ = f.folder.root.Chtimes(f.temp, time.Time{}, f.before.ModTime())
	if f.swapped {
		return t.exchangeBack(f)
	}
	if d := t.ours(f); d != nil {
		return d
	}
	if err := f.folder.root.Rename(f.temp, f.name); err != nil {
		return stuck(f, fault(f.Path, "cannot rename the old version into place", err))
	}
	f.temp = ""
	return nil
}

// ours reports, as nil, that the file is byte for byte what we wrote.
func (t *transaction) ours(f *file) *hashline.Diagnostic {
	info, err := f.folder.root.Lstat(f.name)
	same := err == nil && info.Mode().IsRegular() && os.SameFile(info, f.wrote)
	if same {
		same, err = t.holds(f, info, f.newVersion())
	}
	switch {
	case same:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return &hashline.Diagnostic{Code: hashline.ChangedDuringEdit, Path: f.Path,
			Msg: "the new version was already written, then another writer removed the file; it stays removed"}
	case err != nil:
		return stuck(f, fault(f.Path, "cannot look at it", err))
	}
	return overwritten(f)
}

// stuck says that the new version stays, and why.
func stuck(f *file, why *hashline.Diagnostic) *hashline.Diagnostic {
	state := "it holds the new version"
	switch {
	case f.Create:
		state = "it stays created"
	case f.Remove:
		state = "it stays removed"
	}
	why.Msg = "could not be put back, " + state + " (" + why.Msg + ")"
	why.Hint = "read the file again"
	return why
}

// discard removes the temporary files and names those that stay.
func (t *transaction) discard() (strays []string) {
	for _, f := range t.files {
		if f.temp == "" {
			continue
		}
		if err := t.takeAway(f, f.temp, !f.shared); err != nil {
			if _, lerr := f.folder.root.Lstat(f.temp); lerr == nil {
				strays = append(strays, beside(f, f.temp))
			}
		}
		f.temp = ""
	}
	return strays
}
