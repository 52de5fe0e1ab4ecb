package workspace

import (
	"io"
	"os"
	"sync"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// streaming says which files are not held in memory. Tests have smaller ones.
type streaming struct {
	// from is the size in bytes from which on a file is not held. Measured as
	// processor time of whole unsynced edits, medians of 41 paired runs, held and
	// streamed: 10 and 13 ms for 0.5 MB, 13 and 16 for 1 MB, 17 and 15 for 2 MB, 28
	// and 21 for 4 MB.
	from int64
	// seen takes its place where the session has a ledger, which would know less of
	// a text that it cannot keep: it keeps no larger ones.
	seen int64
	// page is the page of such a text.
	page int
}

var usualStreaming = streaming{from: 1 << 20, seen: ledger.TextBytes, page: snapshot.PageSize}

const (
	scanBuffer  = 128 << 10
	scanBuffers = 4
)

// large is what is known of a file that is not held in memory.
type large struct {
	file *os.File
	page int
	scan *snapshot.Scan
	// sum is nil where the file was opened to be read only.
	sum *commit.Sum
}

// loadLarge is load that does not hold what is large; the caller closes it. For
// an edit, write says that the file may be changed.
func (s *Session) loadLarge(pl place, write bool) (file, error) {
	from := s.streaming.from
	if s.ledger != nil {
		from = s.streaming.seen
	}
	if write && s.hardLinks == InPlace {
		// What may have to be written in place is held, as long as that is allowed.
		from = max(from, s.streaming.seen+1)
	}
	if !commit.CanStream || !pl.exists || !pl.info.Mode().IsRegular() || pl.info.Size() < from {
		return s.load(pl)
	}
	h, info, err := s.open(pl)
	if err != nil {
		return file{}, err
	}
	f, held, err := s.scanOpened(pl, h, info.Size(), write)
	if held {
		h.Close()
	}
	if held && err == nil {
		return s.load(pl)
	}
	return f, err
}

// scanOpened reads an opened file from its beginning to its end. done says that
// the file is not needed any more; without an error it is for load to read.
func (s *Session) scanOpened(pl place, h *os.File, size int64, write bool) (f file, done bool, err error) {
	if info, err := h.Stat(); err == nil && !info.Mode().IsRegular() {
		return file{}, true, regular(pl.path, info.Mode())
	}
	if size > MaxFile {
		return file{}, true, tooLarge(pl.path)
	}
	head := make([]byte, 2)
	if n, _ := h.ReadAt(head, 0); snapshot.Marked16(head[:n]) {
		// Held whole: a line of UTF-16 has no place of its own in the text.
		return file{}, true, nil
	}
	l := &large{file: h, page: s.streaming.page, scan: snapshot.NewScan(s.scheme, s.streaming.page)}
	if write {
		l.sum = &commit.Sum{}
	}
	n, err := l.read()
	switch {
	case err == errTooLarge:
		return file{}, true, tooLarge(pl.path)
	case err != nil:
		return file{}, true, s.system(pl.path, err)
	}
	text, err := l.scan.Text(h)
	if err != nil {
		size := int(max(size, n))
		return file{}, true, at(pl.path, l.scan.NotText(h, size))
	}
	tag := l.scan.Tagger()
	return file{place: pl, snap: snapshot.Snapshot{Path: pl.path, Tag: tag.Tag(), Text: text}, large: l}, false, nil
}

// read reads the file in one pass. The digest is made beside, by another
// goroutine: it takes as long as all else.
func (l *large) read() (n int64, err error) {
	free, full := make(chan []byte, scanBuffers), make(chan []byte, scanBuffers)
	for range scanBuffers {
		free <- nil
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for buf := range full {
			if l.sum != nil {
				_, _ = l.sum.Write(buf)
			}
			free <- buf[:cap(buf)]
		}
	})
	defer func() {
		close(full)
		wg.Wait()
	}()
	for {
		buf := <-free
		if buf == nil {
			buf = make([]byte, scanBuffer)
		}
		k, err := io.ReadFull(l.file, buf)
		if n += int64(k); n > MaxFile {
			return n, errTooLarge
		}
		full <- buf[:k]
		if _, bad := l.scan.Write(buf[:k]); bad != nil {
			return n, nil
		}
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return n, nil
		case err != nil:
			return n, err
		}
	}
}

// close ends the use of a file's text.
func (f *file) close() {
	if f.large != nil {
		f.large.file.Close()
	}
}

// failed tells, as a fault of the file, that its text could not be read again.
func (f *file) failed() error {
	if f.large == nil || f.snap.Text.Err() == nil {
		return nil
	}
	if err := f.snap.Text.Err(); err != snapshot.ErrChanged {
		return fault(hashline.IO, f.path, "the file cannot be read: "+reason(err), "")
	}
	return fault(hashline.ChangedDuringEdit, f.path, "another writer changed the file while it was read", "try again")
}

// versionOf is a file's text as the ledger knows it.
func (w *core) versionOf(f file) ledger.Version {
	if f.large == nil {
		return ledger.VersionOf(w.scheme, f.snap.Text)
	}
	tag := f.large.scan.Tagger()
	return ledger.Version{Tag: f.snap.Tag, Sum: tag.Sum64(), Lines: f.snap.Text.Lines()}
}
