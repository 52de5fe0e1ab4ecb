package commit

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/hashline"
)

const compareBuffer = 128 << 10

// lookup finds the target and checks that it can still be the file whose bytes
// the caller has.
func (f *file) lookup() (fs.FileInfo, error) {
	info, err := f.folder.root.Lstat(f.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, changed(f.Path, "the file is gone")
	case err != nil:
		return nil, fault(f.Path, "cannot look at the file", err)
	case !info.Mode().IsRegular():
		return nil, changed(f.Path, "it is no longer a regular file")
	case info.Size() != int64(f.oldVersion().size):
		return nil, changed(f.Path, "its bytes changed")
	}
	return info, nil
}

// compare checks that the target is byte for byte and in its attributes what
// the change was made from, or that there is none for a file to be created, and
// that the folder is still where the path leads.
func (t *transaction) compare(f *file) error {
	if !f.folder.there() {
		return changed(f.Path, "its folder was moved or replaced")
	}
	if f.Create {
		_, err := f.folder.root.Lstat(f.name)
		switch {
		case err == nil:
			return f.exists()
		case !errors.Is(err, fs.ErrNotExist):
			return fault(f.Path, "cannot look at the file", err)
		}
		return nil
	}
	info, err := f.lookup()
	switch {
	case err != nil:
		return err
	case !os.SameFile(info, f.before):
		return changed(f.Path, "the file was replaced")
	case !sameAttributes(info, f.before), f.target != nil && !untouched(info, f.before) && !f.kept.same(f.target, info):
		return changed(f.Path, "its attributes changed")
	}
	if err := t.lease(f); err != nil {
		return err
	}
	same := f.compared && f.leased
	if !same {
		same, err = t.unchanged(f, info)
	}
	switch {
	case err != nil:
		return fault(f.Path, "cannot compare the file", err)
	case !same:
		return changed(f.Path, "its bytes changed")
	}
	// What is remembered dates from before the reading, so that a write during
	// it shows in recheck.
	f.seen = info
	return nil
}

// recheck is compare right before the rename: where the system shows no sign of
// a change since the bytes were compared they are not read again.
func (t *transaction) recheck(f *file) error {
	if f.seen != nil && f.folder.there() {
		info, err := f.folder.root.Lstat(f.name)
		if err == nil && untouched(info, f.seen) {
			return f.undisturbed()
		}
	}
	return t.compare(f)
}

func untouched(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.Mode() == b.Mode() &&
		a.ModTime().Equal(b.ModTime()) && changeTime(a) == changeTime(b)
}

// holds reports whether the file under f's name is the one info describes and
// holds exactly want. It reads in pieces of a fixed size.
func (t *transaction) holds(f *file, info fs.FileInfo, want version) (bool, error) {
	return t.holdsAs(f, f.name, info, want)
}

// holdsAs is holds for another name in f's folder.
func (t *transaction) holdsAs(f *file, name string, info fs.FileInfo, want version) (bool, error) {
	h, err := f.folder.root.OpenFile(name, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return false, err
	}
	defer h.Close()
	opened, err := h.Stat()
	if err != nil || !opened.Mode().IsRegular() || !os.SameFile(opened, info) {
		return false, err
	}
	return t.reads(h, want)
}

// reads reports whether the rest of a file is exactly want.
func (t *transaction) reads(h io.Reader, v version) (bool, error) {
	switch {
	case v.base != nil:
		return compareBase(h, v.base)
	case v.digest != nil:
		return compareDigest(h, v)
	}
	want := v.data
	// One byte more than is wanted, so that a longer file shows at once.
	if n := min(len(want)+1, compareBuffer); n > len(t.buf) {
		t.buf = make([]byte, n)
	}
	for {
		n, err := h.Read(t.buf)
		if n > len(want) || !bytes.Equal(t.buf[:n], want[:n]) {
			return false, nil
		}
		want = want[n:]
		switch {
		case err == io.EOF:
			return len(want) == 0, nil
		case err != nil:
			return false, err
		}
	}
}

func (f *file) exists() error {
	return &hashline.Diagnostic{Code: hashline.Exists, Path: f.Path,
		Msg:  "the file appeared while the edit ran, and is not replaced",
		Hint: "read it and edit it, or choose another path"}
}
