package commit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/apply/commit/own"
	"github.com/hashline-go/hashline/hashline"
)

// guardFile is locked, shared, by all that use the history, and alone by what
// takes something away.
const guardFile = "guard"

// past is the opened history.
type past struct {
	history *history.Store
	root    *os.Root
	guard   *os.File
}

// past opens the history. Without create it gives nil where there is none. It
// waits at most for a time while others take something away from it. Errors are
// those of pastIn.
func (s *Store) past(ctx context.Context, wait time.Duration, create bool) (*past, error) {
	root, err := s.existing(historyFolder)
	if err == nil && root == nil && create {
		root, err = s.folder(historyFolder)
	}
	if err != nil || root == nil {
		return nil, err
	}
	return s.pastIn(ctx, wait, root)
}

// reading opens the history for a call that cannot be cancelled, and so must not
// wait for long.
func (s *Store) reading() (*past, error) {
	return s.past(context.Background(), s.patience(), false)
}

// pastIn opens the history in its folder, which becomes its own. Errors are a
// diagnostic: locked, cancelled, timeout, denied or io.
func (s *Store) pastIn(ctx context.Context, wait time.Duration, root *os.Root) (*past, error) {
	var err error
	p := &past{history: history.New(root), root: root}
	p.history.Bytes, p.history.Age = s.HistoryBytes, s.HistoryAge
	p.guard, err = own.Open(root, guardFile, os.O_RDWR|os.O_CREATE)
	if err == nil {
		err = p.history.Trust()
	}
	if err == nil {
		err = p.share(ctx, wait)
	}
	if err == nil {
		return p, nil
	}
	p.close()
	if d, ok := errors.AsType[*hashline.Diagnostic](err); ok {
		return nil, d
	}
	return nil, stateFault("cannot open the history in the state folder "+s.dir, err)
}

// share takes the guard's lock with the others that use the history. Whoever has
// it alone may have been stopped, so that the wait has an end.
func (p *past) share(ctx context.Context, wait time.Duration) error {
	limit, stop := context.WithTimeout(ctx, wait)
	defer stop()
	for pause := time.Millisecond; ; pause = min(2*pause, 32*time.Millisecond) {
		held, err := tryShareFile(p.guard)
		if err != nil || !held {
			return err
		}
		if err := cancelled(ctx); err != nil {
			return err
		}
		if limit.Err() != nil {
			return p.busy(wait)
		}
		sleep(limit, pause)
	}
}

// busy names whoever has the guard's lock, where the system tells.
func (p *past) busy(wait time.Duration) error {
	who := "another process"
	if info, err := p.guard.Stat(); err == nil {
		if holder := lockHolder(info); holder != "" {
			who += " (" + holder + ")"
		}
	}
	d := &hashline.Diagnostic{Code: hashline.Locked, Msg: who + " is clearing up the history in the state folder",
		Hint: "send the same call again; if that process does not end by itself, end it"}
	if wait > 0 {
		d.Msg += "; gave up after " + wait.String()
	}
	return d
}

func (p *past) close() {
	if p.guard != nil {
		_ = unlockFile(p.guard)
		p.guard.Close()
	}
	p.root.Close()
}

// existing opens a folder in the state folder; it gives nil where there is none.
func (s *Store) existing(name string) (*os.Root, error) {
	if _, err := os.Lstat(s.dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	state, err := s.open()
	if err != nil {
		return nil, err
	}
	defer state.Close()
	root, err := own.Folder(state, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, stateFault("cannot open a folder in the state folder "+s.dir, err)
	}
	return root, nil
}

// tidy brings the history back within its bounds, and never makes anything
// fail.
func (s *Store) tidy() {
	p, err := s.past(context.Background(), 0, false)
	if err != nil || p == nil {
		return
	}
	defer p.close()
	s.alone(p, func() {
		now := time.Now()
		_ = p.history.Prune(now, s.needed(p, now))
	})
}

// needed gives the digests that journals may need, and removes those that nobody
// used for long.
func (s *Store) needed(p *past, now time.Time) map[history.Digest]bool {
	journals, err := s.existing(journalFolder)
	if err != nil || journals == nil {
		return map[history.Digest]bool{}
	}
	defer journals.Close()
	return pruneJournals(journals, p.history.AgesFrom(now), p.history.MaxAge())
}

// alone runs do while nobody else uses the history, unless somebody does.
func (s *Store) alone(p *past, do func()) {
	_ = unlockFile(p.guard)
	if held, err := tryLockFile(p.guard); err == nil && !held {
		do()
	}
}

// Count adds one to the count of a name: lower-case letters and "_". It is for
// statistics: it never fails nor waits, and makes no folder where nothing was
// stored yet.
func (s *Store) Count(name string) {
	p, err := s.past(context.Background(), 0, false)
	if err != nil || p == nil {
		return
	}
	defer p.close()
	if full, err := p.history.Count(name); full && err == nil {
		s.alone(p, func() { _ = p.history.CompactCounts() })
	}
}
