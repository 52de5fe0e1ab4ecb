package commit

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// end is a file of an interrupted commit: what stands under its names.
type end struct {
	*file
	old, new *history.Digest
	work     work
	mode     fs.FileMode
	// attributes are those of a file that the commit removes.
	attributes *history.Attributes
	// What is there, nil where nothing is: under the target's name, and under
	// those of the temporary files.
	target, stage, back *seen
	// was tells how far the commit came with it; torn says that it is being
	// overwritten.
	was  evidence
	torn bool
	// wasOld says that the target was the old version, known that it was that or
	// the new one, and conflict that it stays as it is and is named.
	wasOld, known, conflict bool
	// busy says that another process has the target open for writing.
	busy bool
}

// whole reports that a temporary file may have had the target's name.
func (e *end) whole(temp *seen) bool { return temp.holds(e.old) || temp.holds(e.new) }

// seen is a name in a folder, as it was found.
type seen struct {
	info   fs.FileInfo
	digest history.Digest
}

// holds reports whether what was seen is what a digest says: nil stands for
// nothing there.
func (s *seen) holds(d *history.Digest) bool {
	if s == nil || d == nil {
		return s == nil && d == nil
	}
	return s.info.Mode().IsRegular() && s.digest == *d
}

func (e *end) isOld() bool { return e.target.holds(e.old) }
func (e *end) isNew() bool { return e.target.holds(e.new) }

// look finds out what stands under the names of file i.
func (r *recovery) look(i int) (*end, error) {
	entry, w := r.journal.Record.Files[i], r.journal.Work[i]
	p := string(entry.Real)
	dir, name := split(p)
	e := &end{
		file: &file{Change: Change{Path: p}, name: name, stageName: w.Stage, backName: w.Back, inPlace: w.InPlace},
		old:  entry.Old, new: entry.New, work: w, mode: entry.Mode, attributes: entry.Kept,
	}
	r.files = append(r.files, e.file)
	d, err := r.folder(p, dir, false)
	if err != nil {
		// Without its folder nothing of it is there.
		if absent(err) {
			e.wasOld = e.isOld()
			return e, nil
		}
		return nil, err
	}
	e.folder = d
	if err := r.hold(e); err != nil {
		return nil, fault(p, "cannot look at what an interrupted edit left", err)
	}
	for _, at := range []struct {
		name string
		into **seen
	}{{e.name, &e.target}, {w.Stage, &e.stage}, {w.Back, &e.back}} {
		if *at.into, err = see(d.root, at.name); err != nil {
			return nil, fault(p, "cannot read what an interrupted edit left", err)
		}
	}
	e.wasOld = e.isOld()
	return e, nil
}

// absent reports that a folder is gone, or something else has its name.
func absent(err error) bool {
	return errors.Is(err, hashline.ChangedDuringEdit) || errors.Is(err, hashline.Exists)
}

// see looks at a name; it gives nil where there is nothing.
func see(root *os.Root, name string) (*seen, error) {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return &seen{info: info}, err
	}
	h, err := root.OpenFile(name, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, h); err != nil {
		return nil, err
	}
	return &seen{info, history.Digest(sum.Sum(nil))}, nil
}

// again looks once more whether the target is still what it was seen to be.
func (e *end) again() error {
	if e.leased && leaseHolds(e.file.target) && e.target != nil && os.SameFile(e.before, e.target.info) {
		// Nobody could write to it since it was read.
		if now, err := e.folder.root.Lstat(e.name); err == nil && os.SameFile(now, e.target.info) {
			return nil
		}
	}
	now, err := see(e.folder.root, e.name)
	switch {
	case err != nil:
		return fault(e.Path, "cannot look at the file", err)
	case now == nil && e.target == nil:
		return nil
	case now == nil || e.target == nil || now.digest != e.target.digest || !os.SameFile(now.info, e.target.info):
		return changed(e.Path, "the file changed")
	}
	return nil
}
