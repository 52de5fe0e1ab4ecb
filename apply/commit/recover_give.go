package commit

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/hashline-go/hashline/apply/commit/beneath"
)

// hold opens the target and takes a lease on it, where there is one to be had: from
// then on nobody changes its bytes without our noticing.
func (r *recovery) hold(e *end) error {
	if e.work.InPlace || !holdsTargets { // pouring takes its own lease
		return nil
	}
	h, err := e.folder.root.OpenFile(e.name, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return nil // to look at it says why
	}
	info, err := h.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return h.Close()
	}
	e.file.target, e.before = h, info
	e.leased, e.busy = r.takeLease(h)
	if e.kept, err = readAttributes(h, info); err != nil {
		e.kept = attributesOf(info)
	}
	return nil
}

// give gives the version under a temporary name that of the target, and what stood
// there the temporary one, where it must be exactly what was seen of the target:
// else that has its name again, as in a commit (see [transaction.replace]). It
// gives what stands under the temporary name then, nil for nothing.
func (r *recovery) give(e *end, from string, version *seen) (*seen, error) {
	if e.target == nil {
		if err := renameNew(e.folder.root, from, e.name); err != nil {
			return nil, fault(e.Path, "cannot give the file its name", err)
		}
		e.folder.changed = true
		return nil, nil
	}
	if e.busy {
		return nil, heldOpen(e.file)
	}
	if err := e.again(); err != nil {
		return nil, err
	}
	e.temp, e.wrote = from, version.info
	e.file.was, e.file.is = e.target.version(), version.version()
	defer func() { e.temp = "" }()
	r.step("exchange " + e.Path)
	err := e.exchange()
	switch {
	case cannotExchange(err):
		if err = e.folder.root.Rename(from, e.name); err == nil {
			e.folder.changed = true
			return nil, nil
		}
		return nil, fault(e.Path, "cannot give the file its name", err)
	case errors.Is(err, fs.ErrNotExist):
		return nil, changed(e.Path, "the file was removed")
	case err != nil:
		return nil, fault(e.Path, "cannot give the file its name", err)
	}
	e.folder.changed = true
	r.step("exchanged " + e.Path)
	out, err := see(e.folder.root, from)
	if err == nil && out != nil && os.SameFile(out.info, e.target.info) && out.digest == e.target.digest && e.undisturbed() == nil {
		return out, nil
	}
	why := changed(e.Path, "the file was replaced")
	spared := len(r.spared)
	ending, err := r.restore(e.file)
	_ = r.settled(e.file, ending, err)
	if kept := r.spared[spared:]; len(kept) > 0 {
		why.Msg += "; what it held before is kept as " + strings.Join(kept, ", ")
	}
	return nil, why
}

func (s *seen) version() *version { return &version{digest: &s.digest, size: int(s.info.Size())} }
