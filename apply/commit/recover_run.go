package commit

import (
	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// recovery is one journal that is being recovered.
type recovery struct {
	*transaction
	journal *journal
	report  *Report
	again   *leftovers
	progress
	ends []*end
	// copyTo is that of keeping.
	copyTo    int
	conflicts hashline.Diagnostics
}

func (r *recovery) run() error {
	for i := range r.journal.Work {
		e, err := r.look(i)
		if err != nil {
			return err
		}
		r.ends = append(r.ends, e)
	}
	forward := false
	if !r.done && !r.failed {
		forward = r.forward()
		if err := r.finishFiles(forward); err != nil {
			return err
		}
	}
	if err := r.sweep(forward); err != nil {
		return err
	}
	if err := r.nameMixed(forward); err != nil {
		return err
	}
	// The names must last before the journal goes that would bring them back.
	if unsynced := r.syncFolders(); len(unsynced) > 0 {
		return unsynced[0]
	}
	if forward {
		if err := r.note(); err != nil {
			return err
		}
	}
	if err := r.noteConflicts(); err != nil {
		return err
	}
	r.tell(forward)
	return nil
}

// note writes the record of a commit that was carried out, unless it is there.
func (r *recovery) note() error {
	rec := r.journal.Record
	rec.Files = nil
	for i, e := range r.ends {
		if e.conflict { // those have records of their own
			continue
		}
		f := r.journal.Record.Files[i]
		if e.work.Kept && f.NoImage == "" && !r.past.history.Has(*f.Old) {
			// The commit, or a recovery, could not keep it, and was killed then.
			f.NoImage = "its old version could not be kept"
		}
		rec.Files = append(rec.Files, f)
	}
	if len(rec.Files) == 0 {
		return nil
	}
	there := false
	_, err := r.past.history.Records(rec.Root, func(have history.Record) bool {
		there = have.ID == rec.ID
		return have.ID > rec.ID
	})
	if err == nil && !there {
		err = r.past.history.Append(rec, r.sync)
	}
	if err != nil {
		return fault("", "cannot write the record of an interrupted edit", err)
	}
	return nil
}

func (r *recovery) tell(forward bool) {
	if r.done || r.failed {
		return
	}
	for _, e := range r.ends {
		switch {
		case e.conflict:
		case forward:
			r.report.Done = append(r.report.Done, e.Path)
		default:
			r.report.Undone = append(r.report.Undone, e.Path)
		}
	}
}
