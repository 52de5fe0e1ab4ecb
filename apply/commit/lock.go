package commit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/hashline-go/hashline/apply/commit/own"
	"github.com/hashline-go/hashline/hashline"
)

const (
	defaultWait = 10 * time.Second
	lockFolder  = "locks"
)

// Held is a set of locks. Its methods are safe for concurrent use.
type Held struct {
	once  sync.Once
	locks []lock
	// stripes are those that the locks are for.
	stripes []stripe
}

type lock struct {
	file  *os.File
	leave func()
}

// Release gives the locks back. Doing it again does nothing.
func (h *Held) Release() {
	h.once.Do(func() {
		for _, l := range h.locks {
			l.release()
		}
	})
}

// release unlocks before it closes: a child process that is just being started
// may hold a copy of the handle for a moment.
func (l lock) release() {
	_ = unlockFile(l.file)
	l.file.Close()
	l.leave()
}

// Lock locks the files at the paths, relative to root and cleaned, against
// every other Lock, in this process or another, that names one of them by
// whatever root, link or spelling of its folder, or by another hard link (spec
// 11). The locks are the kernel's: they end with their process. A file need not
// exist. Files may share a lock, so that a caller that waits for itself would wait
// in vain: all files of a document are locked by one call. Sets are taken in one
// order, so that those that overlap never wait for one another in a circle.
//
// A file whose folder does not exist is locked under the nearest folder that
// does; whoever comes after the folder was made does not meet that lock.
//
// It waits at most [Store.Wait] in all. Errors are a [*hashline.Diagnostic]:
// locked, cancelled, timeout (ctx had a deadline), denied (the state folder is
// not to be trusted, or a folder may not be looked at), bad_path, outside_root,
// link_loop or io.
func (s *Store) Lock(ctx context.Context, root *os.Root, paths []string) (*Held, error) {
	limit, stop := context.WithTimeout(ctx, s.wait())
	defer stop()
	want, err := stripesOf(root, paths)
	for err == nil {
		var held *Held
		if held, err = s.take(limit, want); err != nil {
			break
		}
		// A folder that was made or moved while we waited has other locks.
		var now []stripe
		if now, err = stripesOf(root, paths); err == nil && sameStripes(now, want) {
			return held, nil
		}
		held.Release()
		want = now
	}
	if late, ok := errors.AsType[*lateError](err); ok {
		if err := cancelled(ctx); err != nil {
			return nil, err
		}
		return nil, s.locked(late)
	}
	return nil, err
}

func (s *Store) wait() time.Duration {
	if s.Wait <= 0 {
		return defaultWait
	}
	return s.Wait
}

// lateError says that the time was up before the lock of path was free.
type lateError struct{ path, holder string }

// late names whoever holds the lock, where the system tells.
func late(dir *os.Root, w stripe) error {
	e := &lateError{path: w.path}
	if info, err := dir.Stat(w.file()); err == nil {
		if holder := lockHolder(info); holder != "" {
			e.holder = " (" + holder + ")"
		}
	}
	return e
}

func (e *lateError) Error() string { return "waited too long for the lock of " + e.path }

func sameStripes(a, b []stripe) bool {
	return slices.EqualFunc(a, b, func(x, y stripe) bool { return x.number == y.number })
}

func (s *Store) take(limit context.Context, want []stripe) (*Held, error) {
	held := &Held{stripes: want}
	if len(want) == 0 {
		return held, nil
	}
	dir, err := s.folder(lockFolder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	for _, w := range want {
		l, err := s.lock(limit, dir, w)
		if err != nil {
			held.Release()
			return nil, err
		}
		held.locks = append(held.locks, l)
	}
	return held, nil
}

// lock takes one stripe: first the gate, which queues the goroutines of this
// store, then the file's kernel lock.
func (s *Store) lock(limit context.Context, dir *os.Root, w stripe) (lock, error) {
	name := w.file()
	leave := s.enter(limit, lockFolder+"/"+name)
	if leave == nil {
		return lock{}, late(dir, w)
	}
	f, err := own.Open(dir, name, os.O_RDWR|os.O_CREATE)
	if err != nil {
		leave()
		return lock{}, stateFault("cannot open a lock in the state folder "+s.dir, err)
	}
	l := lock{f, leave}
	tooLate, err := l.acquire(limit)
	switch {
	case tooLate:
		return lock{}, late(dir, w)
	case err != nil:
		l.release()
		return lock{}, fault(w.path, "cannot lock it", err)
	}
	// Whoever clears the state folder under us must not make two owners: the
	// others would lock the file that has the name now.
	named, err := os.Lstat(filepath.Join(s.dir, lockFolder, name))
	opened, oerr := f.Stat()
	if err != nil || oerr != nil || !os.SameFile(named, opened) {
		l.release()
		return lock{}, &hashline.Diagnostic{Code: hashline.Locked, Path: w.path,
			Msg:  "the state folder was removed while its lock was taken",
			Hint: "send the same document again"}
	}
	return l, nil
}

// acquire waits for the kernel's lock. The kernel cannot be called back: a wait
// that came too late goes on in the background, at most one for each lock of a
// store, and then lets go of file and gate.
//
// Whoever asks first takes a turn, and keeps it until the lock is his: one who
// has just let go of the lock, and asks again before those who waited for it
// have woken up, would else get it again, and so on.
func (l lock) acquire(limit context.Context) (late bool, err error) {
	turn := takeTurn(l.file, false)
	if turn {
		held, err := tryLockFile(l.file)
		if err != nil || !held {
			endTurn(l.file)
			return false, err
		}
	}
	got, tooLate := make(chan error), make(chan struct{})
	go func() {
		if !turn {
			takeTurn(l.file, true)
		}
		err := lockFile(l.file)
		endTurn(l.file)
		select {
		case got <- err:
		case <-tooLate:
			l.release()
		}
	}()
	select {
	case err := <-got:
		return false, err
	case <-limit.Done():
		close(tooLate)
		return true, nil
	}
}
