package history

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"time"

	"github.com/hashline-go/hashline/apply/commit/own"
)

// The file pruned bears the time by which the last pruning that was due for age
// looked for what is too old.
const (
	prunedFile = "pruned"
	pruneEvery = 24 * time.Hour
)

// AgesFrom gives the time at which something must have been too old to be taken away
// for its age now: not now, but that of a pruning before, at least a day ago. So one
// edit made while the clock is wrong, by however much, takes nothing away that is
// not too old, neither at once nor later. What is too old goes a day later than it
// could, or, where nothing was edited for long, with the second pruning from then
// on. Where there was no such pruning, or the clock has it still to come, it is the
// zero time, at which nothing is old.
func (s *Store) AgesFrom(now time.Time) time.Time {
	from, _ := s.agesFrom(now)
	return from
}

// agesFrom reports as well whether now is to be noted for the next pruning.
func (s *Store) agesFrom(now time.Time) (from time.Time, due bool) {
	last, err := s.root.Lstat(prunedFile)
	if err != nil || now.Before(last.ModTime()) {
		return from, true
	}
	if now.Sub(last.ModTime()) < pruneEvery {
		return from, false
	}
	return last.ModTime(), true
}

// touch notes the time of a pruning.
func (s *Store) touch(now time.Time) error {
	f, err := own.Open(s.root, prunedFile, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return err
	}
	err = s.root.Chtimes(prunedFile, now, now)
	return errors.Join(err, f.Close())
}

// ageDue reports whether it is time to look for what is too old. A clock that was
// set back is noted as soon as one that goes on.
func (s *Store) ageDue(now time.Time) (bool, error) {
	last, err := s.root.Lstat(prunedFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, s.touch(now)
	}
	return err == nil && now.Sub(last.ModTime()).Abs() >= pruneEvery, err
}

// pruneLog drops the records that are too old, what is none, and the oldest
// where there are too many. Their order is that in which they were written: one of
// a clock that was wrong says nothing about those before it.
func (s *Store) pruneLog(name string, from time.Time) error {
	f, err := s.openLog(name)
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	var kept [][]byte
	size, dropped := 0, false
	err = backwards(f, math.MaxInt64, func(line []byte) bool {
		if r, ok := parseLine(line); !ok || from.Sub(r.Time) > s.MaxAge() {
			dropped = true
			return true
		}
		if size+len(line)+1 > maxLog {
			dropped = true
			return false
		}
		size += len(line) + 1
		kept = append(kept, line)
		return true
	})
	switch {
	case err != nil || !dropped:
		return err
	case len(kept) == 0:
		return s.root.Remove(name)
	}
	data := make([]byte, 0, size)
	for _, line := range slices.Backward(kept) {
		data = append(append(data, '\n'), line...)
	}
	return s.replace(name, data)
}
