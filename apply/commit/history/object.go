package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/klauspost/compress/s2"

	"github.com/hashline-go/hashline/apply/commit/own"
)

// An object is a file of its own:
//
//	"hlo1" size { length block }
//
// size and length are uvarints, size that of the content; a block is up to
// chunk bytes of the content, compressed in the block format of S2.
const (
	objectMagic = "hlo1"
	chunk       = 1 << 20
)

// Put stores data and gives its digest; with sync it lasts through a power
// failure from the return on. What is there already is looked at, since it may
// be torn. Errors are the system's.
func (s *Store) Put(data []byte, sync bool) (Digest, error) {
	var d Digest
	parts := compress(data, func() { d = Sum(data) })
	head := binary.AppendUvarint([]byte(objectMagic), uint64(len(data)))
	pieces := make([][]byte, 0, 2*len(parts)+1)
	for _, part := range parts {
		pieces = append(pieces, binary.AppendUvarint(head, uint64(len(part))), part)
		head = nil
	}
	if len(parts) <= 1 {
		// One call for what is nearly always one piece.
		pieces = [][]byte{append(head, bytes.Join(pieces, nil)...)}
	}
	return d, s.putPieces(objectFolder+"/"+d.String(), pieces, sync)
}

// PutFrom stores size bytes of r, whose digest is known, without holding them; it
// is like Put else. Bytes with another digest are not stored: the error is
// [ErrCorrupt].
func (s *Store) PutFrom(d Digest, size int, r io.Reader, sync bool) error {
	f, temp, err := s.create(objectFolder)
	if err != nil {
		return err
	}
	sum := sha256.New()
	head := binary.AppendUvarint([]byte(objectMagic), uint64(size))
	if size == 0 {
		_, err = f.Write(head)
	}
	data, block := make([]byte, min(chunk, size)), []byte(nil)
	for left := size; left > 0 && err == nil; {
		n := min(left, chunk)
		if _, err = io.ReadFull(r, data[:n]); err != nil {
			break
		}
		sum.Write(data[:n])
		block = s2.Encode(block[:cap(block)], data[:n])
		_, err = f.Write(append(binary.AppendUvarint(head, uint64(len(block))), block...))
		head, left = nil, left-n
	}
	if n, _ := r.Read(make([]byte, 1)); err == io.EOF || err == io.ErrUnexpectedEOF || err == nil && (n > 0 || Digest(sum.Sum(nil)) != d) {
		err = ErrCorrupt
	}
	return s.name(f, temp, objectFolder+"/"+d.String(), sync, err)
}

func (s *Store) putPieces(name string, pieces [][]byte, sync bool) error {
	if s.renew(name, pieces, sync) {
		return nil
	}
	f, temp, err := s.create(objectFolder)
	if err != nil {
		return err
	}
	for i := 0; err == nil && i < len(pieces); i++ {
		_, err = f.Write(pieces[i])
	}
	return s.name(f, temp, name, sync, err)
}

// name gives a file that was written its name, or takes it away where err says
// that it was not.
func (s *Store) name(f *os.File, temp, name string, sync bool, err error) error {
	if err == nil {
		err = s.root.Rename(temp, name)
	}
	if err == nil && sync {
		// After the renaming, so that the name lasts as well. Until then the
		// digest tells a torn object from a whole one.
		err = syncFile(f)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = s.root.Remove(temp)
	}
	return err
}

// renew makes a whole object, that is there already, the youngest. One that is
// not whole is taken away.
func (s *Store) renew(name string, pieces [][]byte, sync bool) bool {
	info, err := s.root.Lstat(name)
	if err != nil {
		return false
	}
	if info.Mode().IsRegular() && s.renewFile(name, pieces, sync) {
		return true
	}
	// Replacing it by renaming would have some file systems write it to the
	// disk at once.
	_ = s.root.Remove(name)
	return false
}

func (s *Store) renewFile(name string, pieces [][]byte, sync bool) bool {
	f, err := own.Open(s.root, name, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	for _, want := range pieces {
		got := make([]byte, len(want))
		if _, err := io.ReadFull(f, got); err != nil || !bytes.Equal(got, want) {
			return false
		}
	}
	now := time.Now()
	if n, err := f.Read(make([]byte, 1)); n > 0 || err != io.EOF || s.root.Chtimes(name, now, now) != nil {
		return false
	}
	return !sync || syncFile(f) == nil
}

// compress gives the blocks of data. Meanwhile it does beside.
func compress(data []byte, beside func()) [][]byte {
	if len(data) <= chunk {
		beside()
		if len(data) == 0 {
			return nil
		}
		return [][]byte{s2.Encode(nil, data)}
	}
	parts := make([][]byte, (len(data)+chunk-1)/chunk)
	next := make(chan int, len(parts))
	for i := range parts {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	wg.Go(beside)
	for range min(runtime.GOMAXPROCS(0), 4, len(parts)) {
		wg.Go(func() {
			scratch := make([]byte, s2.MaxEncodedLen(chunk))
			for i := range next {
				parts[i] = bytes.Clone(s2.Encode(scratch, data[i*chunk:min((i+1)*chunk, len(data))]))
			}
		})
	}
	wg.Wait()
	return parts
}

// syncFile syncs, where the file system can.
func syncFile(f *os.File) error {
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !invalid(err) {
		return err
	}
	return nil
}
