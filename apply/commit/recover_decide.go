package commit

import (
	"fmt"
	"slices"

	"github.com/hashline-go/hashline/hashline"
)

// evidence is what the names of a file tell of how far its commit came, whatever
// other writers have made of the target since.
type evidence int

const (
	notYet  evidence = iota // the target was not made new, or is old again
	made                    // it was made new
	unknown                 // there is nothing to tell by
)

// evidence weighs what was found. A new version that is whole stands under the
// name of a temporary file until it is published, and again when it was taken
// back; the marks of a commit of several files are on the disk before that.
func (r *recovery) evidence(e *end) evidence {
	switch {
	case e.work.InPlace && (!r.writing || e.isOld()):
		return notYet
	case e.work.InPlace && !e.isNew():
		return unknown
	case e.work.InPlace:
		return made
	case !r.staged && (len(r.ends) > 1 || !e.isNew() || e.stage != nil && !e.stage.holds(e.old)):
		return notYet
	case !r.staged:
		return made
	case e.isOld():
		return notYet
	case e.new == nil && e.stage == nil:
		// Another writer may have removed it, or made it anew.
		return unknown
	case e.new != nil && (e.stage.holds(e.new) || e.back.holds(e.new)):
		return notYet
	}
	return made
}

// captured reports that another writer's version was replaced in the moment in
// which the process ended: it stands under the name of the temporary file.
func (r *recovery) captured(e *end) bool {
	return r.staged && !e.work.InPlace && e.old != nil && e.isNew() && e.stage != nil && e.stage.info.Mode().IsRegular() &&
		!e.stage.holds(e.old) && !e.stage.holds(e.new)
}

// forward decides whether the files become new or old, and marks those that
// must be left alone.
//
// Where no file was new yet, or all were, as the journal or the files tell, nothing
// has to be changed any more, whatever others have made of the files since.
// Between, forward is taken where all can be new, since that is less work and
// nothing was promised to anybody, and a file that is neither new nor old is named.
func (r *recovery) forward() bool {
	if r.published {
		for _, e := range r.ends {
			e.was = made
		}
		return true
	}
	some, all := false, true // were made new
	areNew := true
	can := true  // be made new, those that are not
	odd := false // there is something that no commit leaves by itself
	for _, e := range r.ends {
		e.torn = r.torn(e)
		e.known = e.isOld() || e.isNew() || e.torn
		e.was = r.evidence(e)
		some = some || e.was == made || e.torn
		all = all && e.was != notYet && !e.torn
		areNew = areNew && e.isNew()
		odd = odd || r.captured(e) || e.work.InPlace && !e.known && e.was == unknown
		if e.was == notYet || e.torn {
			can = can && e.known && (e.isNew() || r.canForward(e) && !e.busy)
		}
	}
	if !odd && !some {
		return all && areNew
	}
	if !odd && all && !r.back {
		return true
	}
	for _, e := range r.ends {
		e.conflict = !e.known || r.captured(e)
	}
	return can && some && !r.back && !r.anyCaptured()
}

func (r *recovery) anyCaptured() bool { return slices.ContainsFunc(r.ends, r.captured) }

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
		// What is new, or old, without us another writer made so.
		do, done := r.takeBack, e.isOld() || e.was != made && !e.torn
		if forward {
			do, done = r.carryOut, e.isNew() || e.was != notYet && !e.torn
		}
		if done || !e.known {
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
	if !r.captured(e) {
		r.conflicts = append(r.conflicts, conflict(e, "it is neither what it was before the edit nor what the edit makes of it"+parts(e)+", and stays as it is"))
		return
	}
	how := "another writer's version, which the edit had just replaced, was put back"
	e.temp = e.stageName
	r.keepHidden(e.file)
	e.temp = ""
	// A third writer's version must not be replaced.
	out, err := r.give(e, e.stageName, e.stage)
	if err != nil {
		how = fmt.Sprintf("another writer's version, which the edit had just replaced, is %s in the same folder (%s)", e.stageName, reason(err))
	} else {
		e.stage = out
	}
	r.conflicts = append(r.conflicts, conflict(e, how))
}

// parts warns of a file that was being overwritten.
func parts(e *end) string {
	if e.work.InPlace {
		return ", and may hold parts of both"
	}
	return ""
}

func conflict(e *end, how string) *hashline.Diagnostic {
	return &hashline.Diagnostic{Code: hashline.RecoveryConflict, Path: e.Path,
		Msg:  "an edit of this file was interrupted: " + how,
		Hint: "look at the file"}
}
