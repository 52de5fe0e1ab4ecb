package commit

import (
	"errors"
	"os"
	"time"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// carryOut makes an old or torn target new.
func (r *recovery) carryOut(e *end) error {
	switch {
	case e.work.InPlace:
		return r.mend(e, *e.new)
	case e.new == nil:
		return r.remove(e, &e.stage, e.stageName, *e.old)
	case e.old == nil:
		if err := renameNew(e.folder.root, e.stageName, e.name); err != nil {
			return fault(e.Path, "cannot rename the new version into place", err)
		}
		e.stage = nil
	default:
		if err := e.likeTarget(e.stageName); err != nil {
			return err
		}
		out, err := r.give(e, e.stageName, e.stage)
		if err != nil {
			return err
		}
		e.stage = out
	}
	e.folder.changed = true
	return nil
}

// takeBack makes a new or torn target old.
func (r *recovery) takeBack(e *end) error {
	switch {
	case e.work.InPlace:
		return r.mend(e, *e.old)
	case e.old == nil:
		return r.remove(e, &e.back, e.backName, *e.new)
	case e.stage.holds(e.old):
		if err := e.likeTarget(e.stageName); err != nil {
			return err
		}
		out, err := r.give(e, e.stageName, e.stage)
		if err != nil {
			return err
		}
		e.stage = out
	default:
		if err := r.rebuild(e); err != nil {
			return err
		}
		var err error
		if e.back, err = see(e.folder.root, e.backName); err != nil {
			return fault(e.Path, "cannot look at a temporary file", err)
		}
		out, err := r.give(e, e.backName, e.back)
		if err != nil {
			return err
		}
		e.back = out
	}
	e.folder.changed = true
	return nil
}

// remove takes the target away while it is what a digest says, by way of a
// temporary file, which sweep removes.
func (r *recovery) remove(e *end, as **seen, name string, want history.Digest) error {
	if e.busy {
		return heldOpen(e.file)
	}
	if *as != nil {
		return changed(e.Path, name+" appeared beside it")
	}
	if err := renameNew(e.folder.root, e.name, name); err != nil {
		return fault(e.Path, "cannot take the file away", err)
	}
	e.folder.changed = true
	got, err := see(e.folder.root, name)
	disturbed := e.undisturbed()
	if err == nil && got.holds(&want) && disturbed == nil {
		*as = got
		return nil
	}
	if rerr := renameNew(e.folder.root, name, e.name); rerr != nil {
		return fault(e.Path, "cannot give the file its name back", rerr)
	}
	if err != nil {
		return fault(e.Path, "cannot look at the file", err)
	}
	if disturbed != nil {
		return disturbed
	}
	return changed(e.Path, "the file changed")
}

// likeTarget gives a temporary file, which is to take the target's name, the
// target's attributes: they were changed where the two differ.
func (e *end) likeTarget(name string) error {
	if e.target == nil || !holdsTargets {
		return nil
	}
	h, err := e.folder.root.OpenFile(e.name, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return fault(e.Path, "cannot open the file", err)
	}
	defer h.Close()
	info, err := h.Stat()
	if err != nil || !os.SameFile(info, e.target.info) {
		return changed(e.Path, "the file was replaced")
	}
	kept, err := readAttributes(h, info)
	if err != nil {
		return notKept(e.Path, err)
	}
	temp, err := e.folder.root.OpenFile(name, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return fault(e.Path, "cannot open a temporary file", err)
	}
	defer temp.Close()
	if info, err = temp.Stat(); err == nil && kept.same(temp, info) {
		return nil
	}
	if err == nil {
		err = temp.Chmod(0o600)
	}
	if err == nil {
		info, err = temp.Stat()
	}
	if err == nil {
		err = kept.give(temp, info)
	}
	if err != nil {
		return notKept(e.Path, err)
	}
	return nil
}

// rebuild makes the old version anew, from the history, as a temporary file.
func (r *recovery) rebuild(e *end) error {
	data, err := r.past.history.Get(*e.old)
	if err != nil {
		return lost(e, err)
	}
	if e.folder == nil {
		return changed(e.Path, "its folder is gone")
	}
	if e.back != nil {
		h, leased := r.leasedAs(e, e.backName)
		err := r.takeAway(e.file, e.backName, leased || !e.whole(e.back))
		h.Close() // of nil as well
		if err != nil {
			return fault(e.Path, "cannot remove a temporary file", err)
		}
		e.back = nil
	}
	if e.target != nil {
		e.before = e.target.info
		look := e.inspect
		if h := e.file.target; h != nil {
			look = func() error { return e.examine(h) }
		}
		if err := look(); err != nil {
			return err
		}
	}
	if e.target == nil && e.attributes != nil {
		e.kept = recorded(*e.attributes)
	}
	if _, err := e.folder.stage(e.backName, e.Path, writes(data), e.kept, r.sync); err != nil {
		return err
	}
	if e.target == nil && e.attributes == nil {
		// Its group's bits may have been the mask of an access list.
		if err := e.folder.root.Chmod(e.backName, e.mode&0o700); err != nil {
			return notKept(e.Path, err)
		}
	}
	if e.work.Time != 0 {
		_ = e.folder.root.Chtimes(e.backName, time.Time{}, time.Unix(0, e.work.Time))
	}
	return nil
}

func lost(e *end, err error) error {
	code := hashline.NotFound
	if !errors.Is(err, history.ErrMissing) && !errors.Is(err, history.ErrCorrupt) {
		code = hashline.IO
	}
	return &hashline.Diagnostic{Code: code, Path: e.Path, Msg: "its old version cannot be had: " + reason(err)}
}
