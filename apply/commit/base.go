package commit

import (
	"crypto/sha256"
	"hash"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// Base tells what a file held when it was read from its beginning to its end, for
// a change that holds neither its old bytes nor its new ones.
type Base struct {
	// Size is that of the file, in bytes.
	Size int
	// Page is how many bytes Holds compares at least.
	Page int
	// Holds reports whether data is what the file held at an offset. Both ends
	// are those of pages, or the file's end. It is called by one goroutine at a
	// time.
	Holds func(at int, data []byte) bool
	// Sum is the digest of all bytes.
	Sum *Sum
}

// Part is a piece of the new bytes of a file: bytes From..To of the old ones or,
// where it is not nil, Data.
type Part struct {
	Data     []byte
	From, To int
}

// Sum computes the digest of bytes that are written to it, and remembers the way:
// bytes that begin as those do need not be hashed from the beginning. The zero
// Sum is ready for use, by one goroutine at a time.
type Sum struct {
	hash   hash.Hash
	n      int
	states []hash.Hash
}

// sumStretch is how many bytes lie between two states that are remembered: 1,024 of
// them for 1 GiB.
const sumStretch = 1 << 20

// Write never fails.
func (s *Sum) Write(p []byte) (int, error) {
	if s.hash == nil {
		s.hash = sha256.New()
	}
	n := len(p)
	for len(p) > 0 {
		k := min(len(p), sumStretch-s.n%sumStretch)
		s.hash.Write(p[:k])
		p, s.n = p[k:], s.n+k
		if s.n%sumStretch == 0 {
			s.states = append(s.states, cloneHash(s.hash))
		}
	}
	return n, nil
}

// Digest gives the digest of what was written.
func (s *Sum) Digest() history.Digest {
	if s.hash == nil {
		return history.Sum(nil)
	}
	return history.Digest(s.hash.Sum(nil))
}

// upTo gives the hash of the longest beginning that is known and no longer than
// at, and its length.
func (s *Sum) upTo(at int) (hash.Hash, int) {
	k := min(at/sumStretch, len(s.states))
	if k == 0 {
		return sha256.New(), 0
	}
	return cloneHash(s.states[k-1]), k * sumStretch
}

func cloneHash(h hash.Hash) hash.Hash {
	c, err := h.(hash.Cloner).Clone()
	if err != nil {
		panic("commit: " + err.Error()) // SHA-256 can be copied
	}
	return c
}

// Same gives the offset up to which parts are what the old bytes are.
func Same(parts []Part) int {
	at := 0
	for _, p := range parts {
		if p.Data != nil || p.From != at {
			break
		}
		at = p.To
	}
	return at
}
