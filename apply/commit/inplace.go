package commit

import (
	"io"
	"io/fs"
	"os"
	"time"

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
func (t *transaction) overwrite(f *file) error {
	if err := f.undisturbed(); err != nil {
		return err
	}
	// It would keep us out as well.
	if f.leased {
		dropLease(f.target)
		f.leased = false
	}
	h, err := t.openInPlace(f, f.Old)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := t.mark(markWriting, t.sync); err != nil {
		return err
	}
	// From here on some of the bytes may be new.
	f.wrote = f.before
	if err := t.pour(h, f.New, f.before); err != nil {
		why := fault(f.Path, "cannot write the file in place", err)
		if err := t.pour(h, f.Old, f.before); err != nil {
			f.torn = tornInPlace(f, err)
			return why
		}
		_ = f.folder.root.Chtimes(f.name, time.Time{}, f.before.ModTime())
		return why
	}
	return nil
}

// overwriteBack gives a target that was overwritten its old bytes again.
func (t *transaction) overwriteBack(f *file) *hashline.Diagnostic {
	h, err := t.openInPlace(f, f.New)
	if err != nil {
		return stuck(f, diagnostics(err)[0])
	}
	defer h.Close()
	if err := t.pour(h, f.Old, f.before); err != nil {
		f.torn = tornInPlace(f, err)
		return f.torn
	}
	_ = f.folder.root.Chtimes(f.name, time.Time{}, f.before.ModTime())
	return nil
}

func tornInPlace(f *file, err error) *hashline.Diagnostic {
	return &hashline.Diagnostic{Code: hashline.IO, Path: f.Path,
		Msg:  "some of its bytes are new and some old, and could not be put back (" + reason(err) + "); the next start tries it again",
		Hint: "make room on the disk, then read the file again"}
}

// openInPlace opens the target for writing while it is the file that it was and
// holds want.
func (t *transaction) openInPlace(f *file, want []byte) (*os.File, error) {
	h, err := f.folder.root.OpenFile(f.name, os.O_RDWR|openNonblock, 0)
	if err != nil {
		return nil, fault(f.Path, "cannot open the file for writing", err)
	}
	info, err := h.Stat()
	same := err == nil && info.Mode().IsRegular() && os.SameFile(info, f.before)
	if same {
		same, err = t.reads(io.NewSectionReader(h, 0, int64(len(want))+1), bytesOf(want))
	}
	if err == nil && same {
		return h, nil
	}
	h.Close()
	if err != nil {
		return nil, fault(f.Path, "cannot compare the file", err)
	}
	return nil, changed(f.Path, "its bytes changed")
}

// pour makes data the bytes of an opened file, with the mode that it had.
func (t *transaction) pour(h *os.File, data []byte, like fs.FileInfo) error {
	if _, err := h.WriteAt(data, 0); err != nil {
		return err
	}
	if err := h.Truncate(int64(len(data))); err != nil {
		return err
	}
	// Writing takes setuid and setgid away from all but root.
	if info, err := h.Stat(); err != nil {
		return err
	} else if info.Mode()&keptBits != like.Mode()&keptBits {
		if err := h.Chmod(like.Mode() & keptBits); err != nil {
			return err
		}
	}
	if t.sync {
		if err := h.Sync(); err != nil && !unsupported(err) {
			return err
		}
	}
	return nil
}
