package ledger

import (
	"container/list"
	"sync"

	"github.com/hashline-go/hashline/snapshot"
)

// The bounds of a shelf where none are given, in bytes.
const (
	TextBytes = 64 << 20
	HashBytes = 32 << 20
)

// Shelf keeps the texts of ledgers within a bound of bytes, and hashes of their
// lines, 8 bytes each, within another; of both, what was not used for longest
// goes first. A text is kept once, whatever files and ledgers it belongs to. A
// Shelf may be used by several ledgers and goroutines at once: what one knows
// does not become known to another through it.
type Shelf struct {
	mu     sync.Mutex
	texts  pile[*snapshot.Text]
	hashes pile[[]uint64]
}

// NewShelf makes a shelf with bounds in bytes; 0 is [TextBytes] or [HashBytes].
func NewShelf(textBytes, hashBytes int) *Shelf {
	if textBytes == 0 {
		textBytes = TextBytes
	}
	if hashBytes == 0 {
		hashBytes = HashBytes
	}
	return &Shelf{texts: newPile[*snapshot.Text](textBytes), hashes: newPile[[]uint64](hashBytes)}
}

// Held tells how many bytes of texts and of hashes are kept.
func (s *Shelf) Held() (texts, hashes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.texts.bytes, s.hashes.bytes
}

// put keeps the text of a version. Of texts that leave the hashes stay.
func (s *Shelf) put(v Version) {
	if v.Text == nil {
		return
	}
	s.mu.Lock()
	dropped := s.texts.put(v.id(), v.Text, textSize(v.Text))
	for id := range dropped {
		if _, ok := s.hashes.get(id); ok {
			delete(dropped, id)
		}
	}
	s.mu.Unlock()
	// Others need not wait while lines are hashed.
	for id, t := range dropped {
		s.putHashes(id, t)
	}
}

func (s *Shelf) putHashes(id ident, t *snapshot.Text) []uint64 {
	h := lineHashes(t)
	s.keep(id, h)
	return h
}

func (s *Shelf) keep(id ident, h []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hashes.put(id, h, hashSize(h))
}

// text gives a text that is kept, or nil.
func (s *Shelf) text(id ident) *snapshot.Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, _ := s.texts.get(id)
	return t
}

// lines gives the hashes of a version's lines, nil and false where neither they
// nor the text are kept.
func (s *Shelf) lines(v Version) ([]uint64, bool) {
	if v.Lines == 0 {
		return nil, true
	}
	s.mu.Lock()
	h, ok := s.hashes.get(v.id())
	t := v.Text
	if t == nil {
		t, _ = s.texts.get(v.id())
	}
	s.mu.Unlock()
	if ok || t == nil {
		return h, ok
	}
	return s.putHashes(v.id(), t), true
}

func lineHashes(t *snapshot.Text) []uint64 {
	h := make([]uint64, 0, t.Lines())
	for _, line := range t.Rows(1, t.Lines()) {
		h = append(h, snapshot.Sum64(line))
	}
	return h
}

// overhead is what an entry costs beside its content, in bytes.
const overhead = 256

func textSize(t *snapshot.Text) int { return len(t.Bytes()) + len(t.Bytes())/512 + overhead }

func hashSize(h []uint64) int { return 8*len(h) + overhead }

// pile keeps values by identity, the last used first.
type pile[T any] struct {
	max, bytes int
	order      *list.List
	entries    map[ident]*list.Element
}

type entry[T any] struct {
	id    ident
	value T
	size  int
}

func newPile[T any](limit int) pile[T] {
	return pile[T]{max: limit, order: list.New(), entries: map[ident]*list.Element{}}
}

func (p *pile[T]) get(id ident) (value T, ok bool) {
	e, ok := p.entries[id]
	if !ok {
		return value, false
	}
	p.order.MoveToFront(e)
	return e.Value.(*entry[T]).value, true
}

// put keeps a value in place of the one of the same identity, and gives the
// values that had to go.
func (p *pile[T]) put(id ident, value T, size int) map[ident]T {
	if e, ok := p.entries[id]; ok {
		p.remove(e)
	}
	p.entries[id] = p.order.PushFront(&entry[T]{id, value, size})
	p.bytes += size
	var dropped map[ident]T
	for p.bytes > p.max {
		if dropped == nil {
			dropped = map[ident]T{}
		}
		last := p.order.Back()
		e := last.Value.(*entry[T])
		dropped[e.id] = e.value
		p.remove(last)
	}
	return dropped
}

func (p *pile[T]) remove(at *list.Element) {
	e := p.order.Remove(at).(*entry[T])
	delete(p.entries, e.id)
	p.bytes -= e.size
}
