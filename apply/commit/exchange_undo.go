package commit

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/hashline"
)

// turns bounds how often two names are exchanged while others keep replacing
// the file.
const turns = 16

// refuse undoes the exchange of f, which met a foreign version, and gives the
// error for it. That version has the name again, or a newer one: only where that
// was made of ours is there more to say than after any other refusal.
func (t *transaction) refuse(f *file, why error) error {
	end, err := t.restore(f)
	if d := t.settled(f, end, err); end != foreign {
		f.left = d
	}
	return why
}

// exchangeBack gives the old version its name again, or tells why not.
func (t *transaction) exchangeBack(f *file) *hashline.Diagnostic {
	end, err := t.restore(f)
	return t.settled(f, end, err)
}

// settled sees to it that f.temp names what may go, or nothing.
func (t *transaction) settled(f *file, end ending, err error) *hashline.Diagnostic {
	f.swapped, f.folder.changed = false, true
	switch {
	case end == restored:
		return nil
	case end == failed:
		if f.temp != "" {
			t.spared = append(t.spared, f.setAside())
		}
		return stuck(f, fault(f.Path, "cannot rename the old version into place", err))
	}
	t.spare(f)
	return overwritten(f)
}

// ending is how an attempt to undo an exchange ended.
type ending int

const (
	failed   ending = iota
	restored        // the target's name has what f.temp named
	foreign         // it has what another writer put in the place of that, or of our new version
	mixed           // it has our new version, with what another writer did to it
)

// restore exchanges the names until what comes out from under the target's name
// is what was put there last: the table at replace has the cases.
func (t *transaction) restore(f *file) (ending, error) {
	root := f.folder.root
	placed, end := f.wrote, foreign
	for range turns {
		t.keepHidden(f)
		held, err := root.Lstat(f.temp)
		if err != nil {
			return failed, err
		}
		err = f.exchange()
		if errors.Is(err, fs.ErrNotExist) {
			// Who removed our new version made room.
			if err = renameNew(root, f.temp, f.name); err == nil {
				f.temp = ""
				return restored, nil
			}
			if errors.Is(err, fs.ErrExist) {
				continue
			}
		}
		if err != nil {
			return failed, err
		}
		t.step("back " + f.Path)
		out, err := root.Lstat(f.temp)
		switch {
		case err != nil:
			return failed, err
		case !os.SameFile(out, placed):
		case placed != f.wrote:
			return end, nil
		case t.pristine(f):
			return restored, nil
		default:
			end = mixed
		}
		placed = held
	}
	return end, nil
}

// pristine reports whether the file under the temporary name is our new version,
// as we wrote it, with nobody known to be about to write more.
func (t *transaction) pristine(f *file) bool {
	h, err := f.folder.root.OpenFile(f.temp, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return false
	}
	defer h.Close()
	info, err := h.Stat()
	if err != nil || !info.Mode().IsRegular() || !os.SameFile(info, f.wrote) {
		return false
	}
	leased, busy := t.takeLease(h)
	if busy {
		return false
	}
	same, err := t.reads(h, f.newVersion())
	f.shared = !leased
	return err == nil && same && (!leased || leaseHolds(h))
}

// removeCreated takes a created file away again, unless another writer has
// changed it.
func (t *transaction) removeCreated(f *file) *hashline.Diagnostic {
	root := f.folder.root
	f.temp = f.backName
	if err := renameNew(root, f.name, f.temp); err != nil {
		f.temp = ""
		return stuck(f, fault(f.Path, "cannot remove it", err))
	}
	f.folder.changed = true
	t.step("back " + f.Path)
	if t.pristine(f) {
		return nil
	}
	t.keepHidden(f)
	if err := renameNew(root, f.temp, f.name); err != nil {
		t.spare(f)
	}
	f.temp = ""
	return overwritten(f)
}

// spare keeps what stands under f.temp, unless it is the target as it was
// compared, which may go.
func (t *transaction) spare(f *file) {
	if f.temp == "" {
		return
	}
	if f.target != nil && t.cameOut(f) && (f.temp == "" || t.intact(f) == nil) {
		f.shared = !f.leased
		return
	}
	t.spared = append(t.spared, f.setAside())
}

// setAside gives what stands under f.temp a name that lasts, and tells it.
func (f *file) setAside() string {
	var b [4]byte
	rand.Read(b[:]) // never fails
	suffix := ".hashline-kept-" + hex.EncodeToString(b[:])
	name := f.name + suffix
	err := renameNew(f.folder.root, f.temp, name)
	if err != nil { // too long a name, for one
		name = suffix
		err = renameNew(f.folder.root, f.temp, name)
	}
	if err != nil {
		name = f.temp
	}
	f.temp = ""
	f.folder.changed = true
	return beside(f, name)
}

// beside gives the path of another name in the file's folder.
func beside(f *file, name string) string {
	dir, _ := split(f.Path)
	return strings.TrimPrefix(dir+"/"+name, "./")
}

// overwritten says that the file is what another writer made of our new version.
func overwritten(f *file) *hashline.Diagnostic {
	return &hashline.Diagnostic{Code: hashline.ChangedDuringEdit, Path: f.Path,
		Msg:  "the new version was already written, then another writer changed the file; it was left as that writer made it",
		Hint: "read the file again"}
}
