package workspace

import (
	"sync"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/search"
	"github.com/hashline-go/hashline/snapshot"
)

// sums are the identities of the texts that a search met. It may be used by
// several goroutines at once.
type sums struct {
	mu  sync.Mutex
	set map[uint64]bool
}

// noting makes a tag function that notes the texts it is given.
func (m *sums) noting(tag func([]byte) hashline.Tag) func([]byte) hashline.Tag {
	return func(text []byte) hashline.Tag {
		// Texts are hashed side by side: only the note is made under the lock.
		sum, made := snapshot.Sum64(text), tag(text)
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.set == nil {
			m.set = map[uint64]bool{}
		}
		m.set[sum] = true
		return made
	}
}

// seeFound remembers the rows that a search shows. The ledger wants the text,
// which the search does not keep: the file is read again, and passed over where
// it is not the one that was searched.
func (s *Session) seeFound(list []search.Shown, met *sums) {
	if s.ledger == nil {
		return
	}
	for _, found := range list {
		if len(found.Lines) == 0 {
			continue
		}
		pl, err := s.resolve(found.Path)
		if err != nil {
			continue
		}
		f, err := s.load(pl)
		if err != nil || f.snap.Tag != found.Tag || !met.set[snapshot.Sum64(f.snap.Text.Bytes())] {
			continue
		}
		rows := found.Lines
		if s.stubs || s.requireSeen == Enforce {
			rows = wholeRows(f.snap.Text, rows)
		}
		s.see([]shown{{f, rows}})
	}
}

// wholeRows leaves out rows that a search cuts: an agent that may read them only
// once, or must have seen what it edits, has not seen them yet.
func wholeRows(t *snapshot.Text, rows []hashline.Span) (whole []hashline.Span) {
	for _, r := range rows {
		for n := r.First; n <= r.Last; n++ {
			if utf8.RuneCount(t.Line(n)) <= search.Width {
				whole = append(whole, hashline.Span{First: n, Last: n})
			}
		}
	}
	return whole
}
