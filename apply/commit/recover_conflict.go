package commit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// RecoveryTool is the tool of a record that has Of.
const RecoveryTool = "recovery"

// SetupTool is the tool of a record of what was done to a program's configuration.
// No undo takes it back that does not name the file.
const SetupTool = "setup"

// putAside keeps a journal for people to look at.
func (s *Store) putAside(sl *slot) (name string, err error) {
	if name, err = sl.putAside(); err != nil {
		err = stateFault("cannot put a journal aside in the state folder "+s.dir, err)
	}
	return name, err
}

// nameMixed names the files that are old though the others were made new, or new
// though the others are old: others made them so, and they stay. Where the commit
// had made all files new before, what others made of them since is their affair.
func (r *recovery) nameMixed(forward bool) error {
	if r.done || r.failed || r.published || len(r.ends) < 2 {
		return nil
	}
	want, way := "old", "what the edit makes of it, though the other files are not"
	if forward {
		want, way = "new", "what it was before the edit, though the other files are not"
	}
	for _, e := range r.ends {
		if e.conflict || e.folder == nil {
			continue
		}
		now, err := see(e.folder.root, e.name)
		if err != nil {
			return fault(e.Path, "cannot look at the file", err)
		}
		isOld, isNew := now.holds(e.old), now.holds(e.new)
		if isOld == isNew || want == "old" && isOld || want == "new" && isNew {
			continue
		}
		e.conflict = true
		r.conflicts = append(r.conflicts, conflict(e, "another writer made it "+way+", and it stays as it is"))
	}
	return nil
}

// noteConflicts writes a record for each file that stays as it is, by which what
// it was before the edit can be had, and says so.
func (r *recovery) noteConflicts() error {
	notes := r.past.notesOn(r.journal, r.sync)
	for i, e := range r.ends {
		if !e.conflict || e.old == nil {
			continue
		}
		var found *history.Digest
		if e.folder != nil {
			now, err := see(e.folder.root, e.name)
			if err != nil {
				return fault(e.Path, "cannot look at the file", err)
			}
			if now != nil && now.info.Mode().IsRegular() {
				found = &now.digest
			}
		}
		id, err := notes.left(i, found)
		if err != nil {
			return stateFault("cannot write into the history what an interrupted edit left", err)
		}
		for _, d := range r.conflicts {
			if d.Path == e.Path && id != "" {
				d.Hint = wayBack(id, r.journal.Record.Files[i])
			}
		}
	}
	return nil
}

// noteLeft writes a record for each file that a commit which failed could not put
// back, and says how what it was can be had. Where that cannot be done the commit
// fails no more than it does already.
func (t *transaction) noteLeft(left hashline.Diagnostics) {
	c := t.chronicle
	notes := c.notesOn(&c.journal, c.sync)
	for i, f := range t.files {
		at := slices.IndexFunc(left, func(d *hashline.Diagnostic) bool { return d.Path == f.Path })
		if at < 0 || f.unfinished || f.folder == nil {
			continue
		}
		now, err := see(f.folder.root, f.name)
		if err != nil {
			continue
		}
		var found *history.Digest
		if now != nil && now.info.Mode().IsRegular() {
			found = &now.digest
		}
		if id, err := notes.left(i, found); err == nil && id != "" {
			left[at].Hint = wayBack(id, c.journal.Record.Files[i])
		}
	}
}

// wayBack tells how to get back what a file was before an edit.
func wayBack(id string, f history.File) string {
	short := id[strings.LastIndexByte(id, '-')+1:]
	return fmt.Sprintf("look at the file; undo with its path puts back what it was before the edit, "+
		"hashline show %s --before %s prints it", short, f.Path)
}

// ledAway ends a journal of files whose folder became a link that leads away:
// there is nothing here to recover any more.
func (s *Store) ledAway(ctx context.Context, sl *slot, j *journal, path string, report *Report) error {
	p, err := s.past(ctx, s.patience(), true)
	if err != nil {
		return err
	}
	defer p.close()
	notes := p.notesOn(j, !s.NoSync)
	for i, f := range j.Record.Files {
		d := &hashline.Diagnostic{Code: hashline.RecoveryConflict, Path: string(f.Real),
			Msg:  "an edit of this file was interrupted, and the folder of " + path + " leads elsewhere now",
			Hint: "look at the file"}
		id, err := notes.left(i, f.New)
		if err != nil {
			return stateFault("cannot write into the history what an interrupted edit left", err)
		}
		if id != "" {
			d.Hint = wayBack(id, f)
		}
		report.Conflicts = append(report.Conflicts, d)
	}
	_, err = s.putAside(sl)
	return err
}
