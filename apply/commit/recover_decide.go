package commit

import (
	"fmt"

	"github.com/hashline-go/hashline/hashline"
)

// forward decides whether the files become new or old, and marks those that
// must be left alone. Nothing was promised to anybody: forward is taken where
// a file is new already and all can be, since that is less work.
func (r *recovery) forward() bool {
	started, can, conflict, meant := false, true, false, false
	for _, e := range r.ends {
		torn := r.torn(e)
		if e.captured() || !e.isOld() && !e.isNew() && !torn {
			conflict = true
			// Another writer changed it after it was new: the others belong
			// to that version.
			meant = meant || e.published() && !e.captured()
			e.conflict = true
			continue
		}
		started = started || e.isNew() || torn
		can = can && (e.isNew() || r.canForward(e))
	}
	if conflict && !meant {
		return false
	}
	return (started || meant) && can
}

// canForward reports whether an old or torn target can be made new.
func (r *recovery) canForward(e *end) bool {
	switch {
	case e.new == nil:
		return true
	case e.work.InPlace:
		return r.past.history.Has(*e.new)
	}
	return e.stage.holds(e.new)
}

// finishFiles makes the files new, or old.
func (r *recovery) finishFiles(forward bool) error {
	for _, e := range r.ends {
		if e.conflict {
			r.leave(e)
			continue
		}
		do, done := r.takeBack, e.isOld()
		if forward {
			do, done = r.carryOut, e.isNew()
		}
		if done {
			continue
		}
		if err := do(e); err != nil {
			ds := diagnostics(err)
			if !hopeless[ds[0].Code] {
				// A full disk, perhaps: the next start tries again.
				return err
			}
			e.conflict = true
			r.conflicts = append(r.conflicts, conflict(e, "it stays as it is: "+ds[0].Msg))
		}
	}
	return nil
}

// hopeless are the faults that another try would meet again.
var hopeless = map[hashline.Code]bool{
	hashline.ChangedDuringEdit: true, hashline.Exists: true, hashline.NotFound: true, hashline.Attributes: true,
}

// leave says why a file stays as it is, and gives a writer's version back that
// was replaced.
func (r *recovery) leave(e *end) {
	if !e.captured() {
		r.conflicts = append(r.conflicts, conflict(e, "it is neither what it was before the edit nor what the edit makes of it, and stays as it is"))
		return
	}
	how := "another writer's version, which the edit had just replaced, was put back"
	give := e.folder.root.Rename
	if e.target == nil {
		give = func(from, to string) error { return renameNew(e.folder.root, from, to) }
	}
	if err := give(e.stageName, e.name); err != nil {
		how = fmt.Sprintf("another writer's version, which the edit had just replaced, is %s in the same folder (%s)", e.stageName, reason(err))
	} else {
		e.stage = nil
		e.folder.changed = true
	}
	r.conflicts = append(r.conflicts, conflict(e, how))
}

func conflict(e *end, how string) *hashline.Diagnostic {
	return &hashline.Diagnostic{Code: hashline.RecoveryConflict, Path: e.Path,
		Msg:  "an edit of this file was interrupted: " + how,
		Hint: "look at the file; what it was before the edit is in the history"}
}
