package commit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// RecoveryTool is the tool of a record that has Of.
const RecoveryTool = "recovery"

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
		id, err := r.past.noteLeft(r.journal, i, found, r.sync)
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

// noteLeft writes a record of file i of a commit, which left it as it was found;
// unless there is one, or nothing to come back to. It gives its ID, "" for none.
func (p *past) noteLeft(j *journal, i int, found *history.Digest, sync bool) (id string, err error) {
	of := j.Record
	f := of.Files[i]
	if f.Old == nil || found != nil && *found == *f.Old || !p.history.Has(*f.Old) {
		return "", nil
	}
	_, err = p.history.Records(of.Root, func(have history.Record) bool {
		if have.Of == of.ID && have.Files[0].Real == f.Real {
			id = have.ID
		}
		return id == "" && have.ID > of.ID
	})
	if err != nil || id != "" {
		return id, err
	}
	f.New, f.NewTag, f.Added, f.Removed = found, "", 0, 0
	now := time.Now()
	rec := history.Record{ID: history.NewID(now), Time: now.UTC(), Root: of.Root, Session: of.Session, Tool: RecoveryTool,
		Of: of.ID, Files: []history.File{f}}
	return rec.ID, p.history.Append(rec, sync)
}

// noteLeft writes a record for each file that a commit which failed could not put
// back, and says how what it was can be had. Where that cannot be done the commit
// fails no more than it does already.
func (t *transaction) noteLeft(left hashline.Diagnostics) {
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
		c := t.chronicle
		if id, err := c.noteLeft(&c.journal, i, found, c.sync); err == nil && id != "" {
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
	for i, f := range j.Record.Files {
		d := &hashline.Diagnostic{Code: hashline.RecoveryConflict, Path: string(f.Real),
			Msg:  "an edit of this file was interrupted, and the folder of " + path + " leads elsewhere now",
			Hint: "look at the file"}
		id, err := p.noteLeft(j, i, f.New, !s.NoSync)
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
