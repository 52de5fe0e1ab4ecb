package commit

import (
	"math"
	"os"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// Record is what an edit did, as the history tells it.
type Record = history.Record

// Records calls yield with the records of the edits in a root, newest first,
// until it returns false. What is damaged is passed over and counted. Errors are
// a [*hashline.Diagnostic]: denied, io, or locked where another process clears up
// the history for more than a moment, as with the other calls that read it.
func (s *Store) Records(root *os.Root, yield func(Record) bool) (skipped int, err error) {
	return s.Latest(root, math.MaxInt64, yield)
}

// Latest is [Store.Records] of those alone that lie in the last most bytes of what
// is stored of them: reading 1 MiB takes some 25 ms.
func (s *Store) Latest(root *os.Root, most int64, yield func(Record) bool) (skipped int, err error) {
	id, err := rootID(root)
	if err != nil {
		return 0, fault("", "cannot look at the root", err)
	}
	p, err := s.reading()
	if err != nil || p == nil {
		return 0, err
	}
	defer p.close()
	skipped, err = p.history.Latest(id, most, yield)
	if err != nil {
		err = stateFault("cannot read the history in the state folder "+s.dir, err)
	}
	return skipped, err
}

// Image gives the bytes with a digest. Errors wrap [history.ErrMissing] or
// [history.ErrCorrupt], or are those of [Store.Records] or the system's.
func (s *Store) Image(d history.Digest) ([]byte, error) {
	p, err := s.reading()
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, history.ErrMissing
	}
	defer p.close()
	return p.history.Get(d)
}

// Lengths gives how many bytes the contents with some digests have, 0 for those
// that the history does not have. Errors are those of [Store.Records].
func (s *Store) Lengths(list []history.Digest) ([]int64, error) {
	lengths := make([]int64, len(list))
	p, err := s.reading()
	if err != nil || p == nil {
		return lengths, err
	}
	defer p.close()
	for i, d := range list {
		lengths[i], _ = p.history.Length(d)
	}
	return lengths, nil
}

// Counts gives what [Store.Count] counted.
func (s *Store) Counts() (map[string]int64, error) {
	p, err := s.reading()
	if err != nil || p == nil {
		return nil, err
	}
	defer p.close()
	return p.history.Counts()
}

// Usage gives the number of pre-images and the bytes they take.
func (s *Store) Usage() (files int, bytes int64, err error) {
	p, err := s.reading()
	if err != nil || p == nil {
		return 0, 0, err
	}
	defer p.close()
	return p.history.Usage()
}
