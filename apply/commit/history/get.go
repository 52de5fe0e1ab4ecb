package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/klauspost/compress/s2"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/apply/commit/own"
)

// ErrMissing is the error for content that the history does not have, or no
// longer.
var ErrMissing = errors.New("the history does not have it")

// ErrCorrupt is the error for content that is not what was stored.
var ErrCorrupt = errors.New("what the history has is damaged")

// Get gives the content with a digest, verified. Errors wrap [ErrMissing] or
// [ErrCorrupt], or are the system's. The slice is the caller's.
func (s *Store) Get(d Digest) ([]byte, error) {
	stored, err := s.read(objectFolder+"/"+d.String(), s2.MaxEncodedLen(MaxImage))
	if err == nil {
		return decode(stored, d)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	data, err := s.read(keptFolder+"/"+d.String(), maxKept)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrMissing
	case err != nil:
		return nil, err
	case Sum(data) != d:
		return nil, ErrCorrupt
	}
	return data, nil
}

// Has reports whether the history has something under a digest. Only Get tells
// whether it is whole.
func (s *Store) Has(d Digest) bool {
	_, ok := s.Size(d)
	return ok
}

// Size gives the bytes that what the history has under a digest takes.
func (s *Store) Size(d Digest) (bytes int64, ok bool) {
	for _, folder := range [...]string{objectFolder, keptFolder} {
		if info, err := s.root.Lstat(folder + "/" + d.String()); err == nil && info.Mode().IsRegular() {
			return blocks(info.Size()) * block, true
		}
	}
	return 0, false
}

func decode(stored []byte, want Digest) ([]byte, error) {
	rest := stored[min(len(objectMagic), len(stored)):]
	size, rest, ok := uvarint(rest)
	if !ok || string(stored[:len(objectMagic)]) != objectMagic || size > MaxImage {
		return nil, ErrCorrupt
	}
	// A false size costs no more than what is there can unfold to.
	data := make([]byte, 0, min(size, uint64(len(stored))*8))
	for uint64(len(data)) < size {
		var n uint64
		if n, rest, ok = uvarint(rest); !ok || n > uint64(len(rest)) {
			return nil, ErrCorrupt
		}
		m, err := s2.DecodedLen(rest[:n])
		if err != nil || m == 0 || m > chunk || uint64(len(data)+m) > size {
			return nil, ErrCorrupt
		}
		block, err := s2.Decode(make([]byte, m), rest[:n])
		if err != nil {
			return nil, ErrCorrupt
		}
		data, rest = append(data, block...), rest[n:]
	}
	if len(rest) > 0 || Sum(data) != want {
		return nil, ErrCorrupt
	}
	return data, nil
}

func uvarint(b []byte) (v uint64, rest []byte, ok bool) {
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil, false
	}
	return v, b[n:], true
}

// open opens a file for reading. What edits replaced may be another user's, and is
// verified.
func (s *Store) open(name string) (*os.File, error) {
	f, err := own.Open(s.root, name, os.O_RDONLY)
	if errors.Is(err, own.ErrForeign) && strings.HasPrefix(name, keptFolder+"/") {
		f, err = s.root.OpenFile(name, os.O_RDONLY|beneath.NoWait, 0)
	}
	if errors.Is(err, own.ErrOdd) {
		err = fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return f, err
}

// read gives the bytes of a regular file of at most limit bytes.
func (s *Store) read(name string, limit int) ([]byte, error) {
	f, err := s.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > int64(limit) {
		return nil, fmt.Errorf("%w: %s has %d bytes", ErrCorrupt, name, info.Size())
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return data, nil
}

// Length gives how many bytes the content with a digest has, as far as what is
// stored tells without being read; ok is false where there is none.
func (s *Store) Length(d Digest) (bytes int64, ok bool) {
	f, err := s.open(objectFolder + "/" + d.String())
	if err == nil {
		defer f.Close()
		head := make([]byte, len(objectMagic)+binary.MaxVarintLen64)
		n, _ := io.ReadFull(f, head)
		rest, ok := strings.CutPrefix(string(head[:n]), objectMagic)
		size, _, whole := uvarint([]byte(rest))
		return int64(size), ok && whole && size <= MaxImage
	}
	info, err := s.root.Lstat(keptFolder + "/" + d.String())
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Size(), true
}
