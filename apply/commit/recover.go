package commit

import (
	"context"
	"errors"
	"os"
	"slices"
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
	x := &rescue{s: s, root: root, id: id, journals: journals, report: &report}
	defer x.again.remove(root)
	for _, name := range names {
		if info, err := journals.Lstat(name); err != nil || info.Size() == 0 {
			continue
		}
		if err := x.slot(ctx, name); err != nil && first == nil {
			first = err
		}
	}
	return report, first
}

// rescue is the recovery of all journals of a root.
type rescue struct {
	s        *Store
	root     *os.Root
	id       history.Root
	journals *os.Root
	report   *Report
	again    leftovers
}

// slot recovers one journal, unless it belongs to a commit that is under way. The
// lock of the slot keeps others from doing it at the same time.
func (x *rescue) slot(ctx context.Context, name string) error {
	s := x.s
	sl, err := x.open(ctx, name)
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
		return s.damaged(ctx, x.root, sl, data, err, x.report)
	}
	j.learn(marks)
	if !j.Record.Root.Is(x.id) {
		return nil
	}
	return x.journal(ctx, sl, j, progressOf(marks))
}

// open locks a slot; it gives nil where another process keeps it for longer than
// a recovery may take.
func (x *rescue) open(ctx context.Context, name string) (*slot, error) {
	sl, err := openSlot(x.journals, name, 0)
	for wait := time.Millisecond; err == nil && sl == nil && wait < x.s.patience() && recovering(x.journals, name, x.id); wait *= 2 {
		sleep(ctx, wait)
		sl, err = openSlot(x.journals, name, 0)
	}
	return sl, err
}

// journal brings one commit to its end, and ends its journal.
func (x *rescue) journal(ctx context.Context, sl *slot, j *journal, came progress) error {
	s := x.s
	held, err := s.Lock(ctx, x.root, j.paths())
	if errors.Is(err, hashline.OutsideRoot) || errors.Is(err, hashline.LinkLoop) {
		// A folder became a link that leads away: there is nothing here to
		// recover any more.
		return s.ledAway(ctx, sl, j, diagnostics(err)[0].Path, x.report)
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
		transaction: newTransaction(x.root, !s.NoSync, s.step), journal: j, report: x.report, again: &x.again,
		progress: came, copyTo: s.copyTo,
	}
	defer r.close()
	r.past, r.id, r.noLease = past, j.Record.ID, s.noLease
	// For those who meet it meanwhile; a hint, no more.
	_ = sl.mark(markRecovering, false)
	if err := r.run(); err != nil {
		return err
	}
	if len(r.conflicts) > 0 {
		x.report.Conflicts = append(x.report.Conflicts, r.conflicts...)
		_, err := s.putAside(sl)
		return err
	}
	if err := sl.empty(!s.NoSync); err != nil {
		return stateFault("cannot end a journal in the state folder "+s.dir, err)
	}
	return nil
}
