package commit

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/apply/commit/own"
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

// past opens the history. Without create it gives nil where there is none.
func (s *Store) past(create bool) (*past, error) {
	root, err := s.existing(historyFolder)
	if err == nil && root == nil && create {
		root, err = s.folder(historyFolder)
	}
	if err != nil || root == nil {
		return nil, err
	}
	return s.pastIn(root)
}

// pastIn opens the history in its folder, which becomes its own.
func (s *Store) pastIn(root *os.Root) (*past, error) {
	var err error
	p := &past{history: history.New(root), root: root}
	p.history.Bytes, p.history.Age = s.HistoryBytes, s.HistoryAge
	p.guard, err = own.Open(root, guardFile, os.O_RDWR|os.O_CREATE)
	if err == nil {
		err = p.history.Trust()
	}
	if err == nil {
		err = shareLockFile(p.guard)
	}
	if err != nil {
		p.close()
		return nil, stateFault("cannot open the history in the state folder "+s.dir, err)
	}
	return p, nil
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
	p, err := s.past(true)
	if err != nil {
		return
	}
	defer p.close()
	s.alone(p, func() {
		needed := map[history.Digest]bool{}
		now := time.Now()
		if journals, err := s.existing(journalFolder); err == nil && journals != nil {
			needed = pruneJournals(journals, now, p.history.MaxAge())
			journals.Close()
		}
		_ = p.history.Prune(now, needed)
	})
}

// alone runs do while nobody else uses the history, unless somebody does.
func (s *Store) alone(p *past, do func()) {
	_ = unlockFile(p.guard)
	if held, err := tryLockFile(p.guard); err == nil && !held {
		do()
	}
}

// Count adds one to the count of a name: lower-case letters and "_". It is for
// statistics: it never fails, and makes no folder where nothing was stored yet.
func (s *Store) Count(name string) {
	p, err := s.past(false)
	if err != nil || p == nil {
		return
	}
	defer p.close()
	if full, err := p.history.Count(name); full && err == nil {
		s.alone(p, func() { _ = p.history.CompactCounts() })
	}
}
