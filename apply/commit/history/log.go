package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/hashline-go/hashline/apply/commit/own"
)

// The records of a root lie in one file, the newest last, each as a line break,
// 8 hex digits, a blank and JSON. The line break comes first so that a line cut
// short by a full disk spoils no other.
const (
	maxLine   = 4 << 20
	logChunk  = 64 << 10
	logSuffix = ".log"
	// maxLog is how long such a file may be after pruning.
	maxLog = 16 << 20
)

func logName(r Root) string { return recordFolder + "/" + r.Key() + logSuffix }

// Append adds a record to those of its root; with sync it lasts through a power
// failure from the return on. Errors are the system's, or the record is too
// long.
func (s *Store) Append(r Record, sync bool) error {
	line, err := logLine(r)
	if err != nil {
		return err
	}
	open := func() (*os.File, error) {
		return own.Open(s.root, logName(r.Root), os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	}
	f, err := open()
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.make(recordFolder); err == nil {
			f, err = open()
		}
	}
	if err != nil {
		return err
	}
	// One call, so that nobody's bytes come between.
	if _, err = f.Write(line); err == nil && sync {
		err = syncFile(f)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

func logLine(r Record) ([]byte, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if len(body) > maxLine-16 {
		return nil, errors.New("the record is too long")
	}
	return fmt.Appendf(nil, "\n%08x %s", crc32.Checksum(body, castagnoli), body), nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// parseLine reads a record; ok is false for anything that is none.
func parseLine(line []byte) (r Record, ok bool) {
	sum, body, found := bytes.Cut(line, []byte{' '})
	if !found || string(sum) != fmt.Sprintf("%08x", crc32.Checksum(body, castagnoli)) {
		return r, false
	}
	if json.Unmarshal(body, &r) != nil || !r.Believable() {
		return Record{}, false
	}
	return r, true
}

// Records calls yield with the records of a root, newest first, until it
// returns false. Lines that are no records of this root are passed over and
// counted. A root without records is no error.
func (s *Store) Records(root Root, yield func(Record) bool) (skipped int, err error) {
	return s.Latest(root, math.MaxInt64, yield)
}

// Latest is Records of those alone that lie in the last most bytes of what is
// stored of them.
func (s *Store) Latest(root Root, most int64, yield func(Record) bool) (skipped int, err error) {
	f, err := s.openLog(logName(root))
	if err != nil || f == nil {
		return 0, err
	}
	defer f.Close()
	err = backwards(f, most, func(line []byte) bool {
		r, ok := parseLine(line)
		if !ok || !r.Root.Is(root) {
			skipped++
			return true
		}
		return yield(r)
	})
	return skipped, err
}

// openLog opens a file of records; it gives nil where there is none.
func (s *Store) openLog(name string) (*os.File, error) {
	f, err := s.open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// backwards calls yield with the lines of a file from the last on, as far as they
// lie in its last most bytes. A line that is too long is given cut off at its
// beginning, as something that is no record.
func backwards(f *os.File, most int64, yield func(line []byte) bool) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var rest []byte
	buf := make([]byte, logChunk)
	begin := max(0, info.Size()-most)
	for at := info.Size(); at > begin; {
		n := min(at-begin, logChunk)
		at -= n
		piece := buf[:n]
		if _, err := f.ReadAt(piece, at); err != nil && err != io.EOF {
			return err
		}
		for {
			i := bytes.LastIndexByte(piece, '\n')
			if i < 0 {
				break
			}
			line := append(bytes.Clone(piece[i+1:]), rest...)
			piece, rest = piece[:i], nil
			if len(line) > 0 && !yield(line) {
				return nil
			}
		}
		if len(rest) <= maxLine {
			rest = append(bytes.Clone(piece), rest...)
		}
	}
	if len(rest) > 0 && begin == 0 {
		yield(rest)
	}
	return nil
}
