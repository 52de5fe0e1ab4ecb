package workspace

import (
	"context"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

const (
	undoRejected = "undo rejected, nothing was written"
	// maxSteps is how many edits one call takes back at most.
	maxSteps = 100_000
)

// UndoArgs are the arguments of [Session.Undo].
type UndoArgs struct {
	// Path names a file: only edits of it are taken back, whoever made them, with all
	// that they changed in other files. So is what an edit that was interrupted left
	// of it, and what setup did to it, which are passed over without a path.
	// Optional; "" is for the session's own edits of all files of the root or, where
	// it has no identity, those of anyone.
	Path string
	// Steps is how many edits are taken back. Optional; the default is 1.
	Steps *int
}

// Undo takes back the newest edits: each file they changed is again what it was
// before them, a file that they created is gone, with the folders that were made
// for it, and one that they removed is there again (spec 11). All files become
// so or none does, and only where each still is what the edits left. An undo is
// itself an edit: undoing it does again what it undid.
func (s *Session) Undo(ctx context.Context, args UndoArgs) (*Result, error) {
	res, err := s.undo(ctx, args)
	s.count(err)
	return res, err
}

// undoTries is how often the newest edits are looked for when others made newer
// ones before the files were locked.
const undoTries = 100

func (s *Session) undo(ctx context.Context, args UndoArgs) (*Result, error) {
	switch {
	case s.policy.readOnly:
		return nil, s.refuse(undoRejected, readOnly())
	case s.store == nil:
		return nil, s.refuse(undoRejected, s.noStore)
	}
	steps := 1
	if args.Steps != nil {
		steps = *args.Steps
	}
	if steps < 1 || steps > maxSteps {
		d := badArgument("steps is %s", counted(steps))
		d.Hint = "steps is how many edits to take back, from 1 to 100,000"
		return nil, s.refuse(undoRejected, d)
	}
	var pl place
	if args.Path != "" {
		var err error
		if pl, err = s.resolve(args.Path); err != nil {
			return nil, s.refuse(undoRejected, err)
		}
	}
	for range undoTries {
		records, err := s.newest(ctx, pl, steps)
		if err != nil {
			return nil, s.refuse(undoRejected, err)
		}
		res, again, err := s.undoRecords(ctx, pl, records)
		if !again {
			return res, err
		}
	}
	return nil, s.refuse(undoRejected, fault(hashline.Locked, pl.path, "others edit without a pause, so that the newest edit is another each time", "send it again when they rest"))
}

// undoRecords takes the records back, newest first. again tells that there is a
// newer one by now, so that the choice must be made anew.
func (s *Session) undoRecords(ctx context.Context, pl place, records []commit.Record) (res *Result, again bool, err error) {
	refuse := func(err error) (*Result, bool, error) { return nil, false, s.refuseUndo(err) }
	files, err := reverse(records)
	if err != nil {
		return refuse(err)
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.real)
	}
	held, err := s.lock(ctx, paths...)
	if err != nil {
		return refuse(err)
	}
	defer held.Release()
	now, err := s.newest(ctx, pl, 1)
	if err != nil {
		return refuse(err)
	}
	if now[0].ID != records[0].ID {
		return nil, true, nil
	}
	if err := s.notTooMuch(files); err != nil {
		return refuse(err)
	}
	var faults hashline.Diagnostics
	var list []pending
	for _, f := range files {
		p, err := s.comeBack(f, len(files) == 1)
		if err != nil {
			faults = append(faults, faultsOf(err)...)
			continue
		}
		if p != nil {
			list = append(list, *p)
		}
	}
	if len(faults) > 0 {
		// Nobody needs to wait while the history is read.
		held.Release()
		s.nameLater(files, records)
		return refuse(faults)
	}
	if len(list) == 0 {
		return refuse(&hashline.Diagnostic{Code: hashline.NoChange, Msg: "these edits cancel one another out: nothing would change",
			Hint: "an undo counts as an edit; give more steps to go further back"})
	}
	if err := ended(ctx); err != nil {
		return refuse(err)
	}
	note := commit.Note{Tool: "undo"}
	for _, r := range records {
		note.Undoes = append(note.Undoes, r.ID)
		for _, dir := range r.Folders {
			note.Empty = append(note.Empty, string(dir))
		}
		// The oldest comes last, and counts.
		note.Made = append(note.Made, r.Emptied...)
	}
	note.Empty = emptied(append(note.Empty, s.leftFolders(list)...), list)
	warnings, err := s.put(ctx, note, list)
	if err != nil {
		return refuse(err)
	}
	res = s.undoResult(records, list, warnings)
	s.learnUndo(list, res.shown)
	var changed []renumbered
	for _, p := range list {
		if !p.remove && !p.create {
			changed = append(changed, renumbered{p.place, true})
		}
	}
	res.Content = s.renumber(res.Content, changed, len(list) > 1)
	return res, false, nil
}
