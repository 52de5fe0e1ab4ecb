package commit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/apply/commit/own"
	"github.com/hashline-go/hashline/hashline"
)

// LockSettled is [Store.Lock] for a caller that is going to edit the files:
// under these locks none of them is in the middle of a commit whose process was
// killed, since commits that were are first brought to an end, as
// [Store.Recover] does. Where that cannot be done now the locks are given
// nevertheless, and the report says why. Where there is nothing to recover it
// costs the reading of one folder.
//
// Errors are those of [Store.Lock]; the report is good in any case.
func (s *Store) LockSettled(ctx context.Context, root *os.Root, paths []string) (*Held, Report, error) {
	var report Report
	limit := time.Now().Add(s.wait())
	failed := false
	for pause := time.Millisecond; ; pause = min(2*pause, 64*time.Millisecond) {
		held, err := s.Lock(ctx, root, paths)
		if err != nil || failed {
			return held, report, err
		}
		state, err := s.settling(root, held.stripes)
		if err == nil && state == settled {
			return held, report, nil
		}
		held.Release()
		switch {
		case err != nil:
			return nil, report, err
		case time.Now().After(limit):
			return nil, report, s.locked(&lateError{path: strings.Join(paths[:min(1, len(paths))], "")})
		}
		if state == interrupted {
			now, err := s.Recover(ctx, root)
			report.add(now)
			if err != nil {
				report.add(unfinished(err))
				failed = true
				continue
			}
		}
		// Somebody else may be recovering it, or its process be just ending.
		sleep(ctx, pause)
	}
}

// unfinished reports why a recovery could not be brought to an end.
func unfinished(err error) (r Report) {
	for _, d := range diagnostics(err) {
		d.Msg = "an interrupted edit could not be brought to an end: " + d.Msg
		r.Conflicts = append(r.Conflicts, d)
	}
	return r
}

func (r *Report) add(more Report) {
	r.Done = append(r.Done, more.Done...)
	r.Undone = append(r.Undone, more.Undone...)
	r.Conflicts = append(r.Conflicts, more.Conflicts...)
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// settling says what the journals of a root tell of commits that did not end.
type settling int

const (
	settled      settling = iota
	interrupted           // a journal waits for a recovery
	inOtherHands          // one of files that are locked here: it is being recovered, or its process is just being killed
)

// settling looks at the journals of a root. Stripes are the locks that the
// caller holds: a commit of files that have these cannot be under way.
func (s *Store) settling(root *os.Root, held []stripe) (settling, error) {
	journals, err := s.existing(journalFolder)
	if err != nil || journals == nil {
		return settled, err
	}
	defer journals.Close()
	id, err := rootID(root)
	if err != nil {
		return settled, fault("", "cannot look at the root", err)
	}
	names, err := slotNames(journals, id.Key())
	if err != nil {
		return settled, stateFault("cannot read the journals in the state folder "+s.dir, err)
	}
	worst := settled
	for _, name := range names {
		if info, err := journals.Lstat(name); err != nil || info.Size() == 0 {
			continue
		}
		one, err := settlingOf(root, id, journals, name, held)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return settled, stateFault("cannot read a journal in the state folder "+s.dir, err)
		}
		if one == interrupted {
			return interrupted, nil
		}
		worst = max(worst, one)
	}
	return worst, nil
}

func settlingOf(root *os.Root, id history.Root, journals *os.Root, name string, held []stripe) (settling, error) {
	sl, err := openSlot(journals, name, 0)
	if err != nil {
		return settled, err
	}
	if sl != nil {
		defer sl.close()
		data, err := readSlot(sl.file)
		if err != nil || len(data) == 0 {
			return settled, err
		}
		if j, _, err := decodeJournal(data); err == nil && !j.Record.Root.Is(id) {
			return settled, nil
		}
		return interrupted, nil
	}
	f, err := own.Open(journals, name, os.O_RDONLY)
	if err != nil {
		return settled, err
	}
	defer f.Close()
	data, err := readSlot(f)
	if err != nil {
		return settled, err
	}
	j, _, err := decodeJournal(data)
	if err != nil || !j.Record.Root.Is(id) {
		return settled, nil
	}
	locks, err := stripesOf(root, j.paths())
	if err == nil && slices.ContainsFunc(locks, func(a stripe) bool {
		return slices.ContainsFunc(held, func(b stripe) bool { return a.number == b.number })
	}) {
		return inOtherHands, nil
	}
	return settled, nil
}

// paths lists the files of a journal.
func (j *journal) paths() (list []string) {
	for _, f := range j.Record.Files {
		list = append(list, string(f.Real))
	}
	return list
}

// locked is the answer where a lock was waited for in vain.
func (s *Store) locked(late *lateError) *hashline.Diagnostic {
	return &hashline.Diagnostic{Code: hashline.Locked, Path: late.path,
		Msg:  "another edit" + late.holder + " holds the lock of this file; gave up after " + s.wait().String(),
		Hint: "send the same document again"}
}
