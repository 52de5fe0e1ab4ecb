package workspace

import (
	"context"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

// maxLockTries is how often a lock is taken anew because links led elsewhere
// when it was held.
const maxLockTries = 5

// lock takes the locks of real paths. No file under them is in the middle of an
// edit whose process was killed, also where that was since Open.
func (w *core) lock(ctx context.Context, reals ...string) (*commit.Held, error) {
	if w.store == nil {
		return nil, w.noStore
	}
	held, report, err := w.store.LockSettled(ctx, w.root, reals)
	w.noteRecovery(report)
	return held, err
}

// lockPlace resolves a path and locks the place that it leads to.
func (w *core) lockPlace(ctx context.Context, name string) (place, *commit.Held, error) {
	pl, err := w.resolve(name)
	if err == nil {
		err = w.writable(pl)
	}
	for range maxLockTries {
		if err != nil {
			return pl, nil, err
		}
		var held *commit.Held
		if held, err = w.lock(ctx, pl.real); err != nil {
			return pl, nil, err
		}
		locked := pl.real
		if pl, err = w.resolve(name); err == nil {
			err = w.writable(pl)
		}
		if err == nil && pl.real == locked {
			return pl, held, nil
		}
		held.Release()
	}
	if err != nil {
		return pl, nil, err
	}
	return pl, nil, unsettled(pl.path)
}

// lockTargets locks the files of all sections that can be written. What the
// paths lead to is looked at again under the locks: a link that was changed
// while they were waited for leads to a file that is not locked.
func (s *Session) lockTargets(ctx context.Context, targets []*target) (*commit.Held, error) {
	for range maxLockTries {
		var locked []*target
		var reals []string
		for _, t := range targets {
			if t.err == nil {
				locked, reals = append(locked, t), append(reals, t.place.real)
			}
		}
		held, err := s.lock(ctx, reals...)
		if err != nil {
			return nil, err
		}
		settled := true
		for i, t := range locked {
			s.look(t)
			settled = settled && (t.err != nil || t.place.real == reals[i])
		}
		if dups := sameFiles(targets); len(dups) > 0 {
			held.Release()
			return nil, dups
		}
		if settled {
			return held, nil
		}
		held.Release()
	}
	return nil, unsettled("")
}

func unsettled(path string) error {
	return fault(hashline.Locked, path, "symbolic links on the way to the file keep changing", "send it again when they rest")
}
