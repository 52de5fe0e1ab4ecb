package commit

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// Report tells what a recovery did.
type Report struct {
	// Done and Undone list the paths of the files of interrupted commits that
	// are all new now, or all old.
	Done, Undone []string
	// Conflicts names the files that were left as they are, or could not be
	// brought to an end, with the code [hashline.RecoveryConflict].
	Conflicts hashline.Diagnostics
}

// Recover brings the commits to an end whose processes were killed in this root:
// their files become all new or all old, and their temporary files go (spec
// 11). It touches a file only while that is byte for byte the commit's old or
// new version; any other is named in the report, and what the journal knew
// stays in the state folder. It may be killed at any point and run by several
// processes at once; commits that are under way are left alone. Where there is
// nothing to do it costs the reading of one folder.
//
// Errors are those of [Store.Lock], or denied, io or locked for the state folder; what
// could not be done then is for the next time. A journal of another version of
// this program is left alone, at every time with recovery_conflict.
func (s *Store) Recover(ctx context.Context, root *os.Root) (Report, error) {
	var report Report
	journals, err := s.existing(journalFolder)
	if err != nil || journals == nil {
		return report, err
	}
	defer journals.Close()
	id, err := rootID(root)
	if err != nil {
		return report, fault("", "cannot look at the root", err)
	}
	names, err := slotNames(journals, id.Key())
	if err != nil {
		return report, stateFault("cannot read the journals in the state folder "+s.dir, err)
	}
	slices.Sort(names)
	var first error
	var again leftovers
	defer again.remove(root)
	for _, name := range names {
		if info, err := journals.Lstat(name); err != nil || info.Size() == 0 {
			continue
		}
		if err := s.recoverSlot(ctx, root, id, journals, name, &report, &again); err != nil && first == nil {
			first = err
		}
	}
	return report, first
}

// recoverSlot recovers one journal, unless it belongs to a commit that is under
// way. The lock of the slot keeps others from doing it at the same time.
func (s *Store) recoverSlot(ctx context.Context, root *os.Root, id history.Root, journals *os.Root, name string, report *Report, again *leftovers) error {
	sl, err := openSlot(journals, name, 0)
	for wait := time.Millisecond; err == nil && sl == nil && wait < s.patience() && recovering(journals, name, id); wait *= 2 {
		sleep(ctx, wait)
		sl, err = openSlot(journals, name, 0)
	}
	if errors.Is(err, os.ErrNotExist) || err == nil && sl == nil {
		return nil
	}
	if err != nil {
		return stateFault("cannot open a journal in the state folder "+s.dir, err)
	}
	defer sl.close()
	data, err := readSlot(sl.file)
	if err != nil {
		return stateFault("cannot read a journal in the state folder "+s.dir, err)
	}
	if len(data) == 0 {
		return nil
	}
	j, marks, err := decodeJournal(data)
	if err == errNewerJournal {
		return leftToNewer(name)
	}
	if err != nil {
		return s.damaged(ctx, root, sl, data, err, report)
	}
	j.learn(marks)
	if !j.Record.Root.Is(id) {
		return nil
	}
	held, err := s.Lock(ctx, root, j.paths())
	if errors.Is(err, hashline.OutsideRoot) || errors.Is(err, hashline.LinkLoop) {
		// A folder became a link that leads away: there is nothing here to
		// recover any more.
		return s.ledAway(ctx, sl, j, diagnostics(err)[0].Path, report)
	}
	if err != nil {
		return err
	}
	defer held.Release()
	past, err := s.past(ctx, s.patience(), true)
	if err != nil {
		return err
	}
	defer past.close()
	r := &recovery{
		transaction: newTransaction(root, !s.NoSync, s.step), journal: j, report: report, again: again,
		staged: strings.Contains(marks, markStaged), writing: strings.Contains(marks, markWriting), published: strings.Contains(marks, markPublished),
		copyTo: s.copyTo, done: strings.Contains(marks, markDone), failed: strings.Contains(marks, markFailed), back: strings.Contains(marks, markBack),
	}
	defer r.close()
	r.past, r.id, r.noLease = past, j.Record.ID, s.noLease
	// For those who meet it meanwhile; a hint, no more.
	_ = sl.mark(markRecovering, false)
	if err := r.run(); err != nil {
		return err
	}
	if len(r.conflicts) > 0 {
		report.Conflicts = append(report.Conflicts, r.conflicts...)
		_, err := s.putAside(sl)
		return err
	}
	if err := sl.empty(!s.NoSync); err != nil {
		return stateFault("cannot end a journal in the state folder "+s.dir, err)
	}
	return nil
}

// recovery is one journal that is being recovered.
type recovery struct {
	*transaction
	journal *journal
	report  *Report
	again   *leftovers
	// What the journal's marks say: all new versions are whole; files are being
	// overwritten; all are new; the commit said that it succeeded, that it
	// failed, or that it failed and some are to be put back.
	staged, writing, published, done, failed, back bool
	ends                                           []*end
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
