// Package history keeps what edits replaced: the old bytes of files, each under
// the digest of its content, and a record of every edit (spec 11).
//
// Everything in the folder is read with suspicion: what is torn, foreign or
// false is passed over and reported, and never believed. So are clocks: what is too
// old goes only where it was so at an earlier pruning too, see [Store.AgesFrom].
package history

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/apply/commit/own"
)

const (
	// MaxBytes is how much room the history takes where [Store] does not say.
	MaxBytes = 512 << 20
	// MaxAge is how long a record is kept where [Store] does not say.
	MaxAge = 30 * 24 * time.Hour
	// MaxImage is the size of the largest file whose bytes are copied; of a
	// larger one the whole file may be kept, see [Store.Keep].
	MaxImage = 64 << 20
)

const (
	objectFolder = "objects"
	keptFolder   = "kept"
	recordFolder = "records"
)

// Store is the history in one folder. Its methods may be called by several
// goroutines and processes at once, except for [Store.Prune] and
// [Store.CompactCounts]: the caller has a lock that keeps these two apart from
// all others.
type Store struct {
	// Bytes is how much room the history may take. Optional; 0 stands for
	// [MaxBytes].
	Bytes int64
	// Age is how long records and pre-images are kept. Optional; 0 stands for
	// [MaxAge].
	Age time.Duration

	root *os.Root
}

// New gives the history in a folder. The folder stays the caller's, who closes
// it when the Store is no longer used.
func New(root *os.Root) *Store { return &Store{root: root} }

func (s *Store) maxBytes() int64 {
	if s.Bytes > 0 {
		return s.Bytes
	}
	return MaxBytes
}

// MaxAge gives how long records and pre-images are kept.
func (s *Store) MaxAge() time.Duration {
	if s.Age > 0 {
		return s.Age
	}
	return MaxAge
}

// Digest is the SHA-256 of a file's bytes. It may be compared and used as a
// key.
type Digest [sha256.Size]byte

// Sum gives the digest of data.
func Sum(data []byte) Digest { return sha256.Sum256(data) }

// String gives the digest as 64 lower-case hex digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText gives what String gives.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what String gives, and nothing else.
func (d *Digest) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(d)) {
		return fmt.Errorf("history: a digest has %d hex digits, not %d", hex.EncodedLen(len(d)), len(text))
	}
	if _, err := hex.Decode(d[:], text); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return nil
}

// Trust refuses a history whose folders another user owns, or can write to. Errors
// wrap [own.ErrForeign], or are the system's.
func (s *Store) Trust() error {
	for _, name := range [...]string{objectFolder, keptFolder, recordFolder, lateFolder} {
		if err := own.Trust(s.root, name); err != nil {
			return err
		}
	}
	return nil
}

// make makes a folder of the history where it is missing.
func (s *Store) make(folder string) error {
	if err := s.root.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// create makes a file that nobody else has, in a folder that is made as well.
func (s *Store) create(folder string) (f *os.File, name string, err error) {
	name = folder + "/" + tempPrefix + random()
	open := func() (*os.File, error) {
		return s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|beneath.NoWait, 0o600)
	}
	if f, err = open(); errors.Is(err, fs.ErrNotExist) {
		if err = s.make(folder); err == nil {
			f, err = open()
		}
	}
	return f, name, err
}

// tempPrefix begins the names of files that are being written.
const tempPrefix = "new-"

func random() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
