package ledger_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// held says what the shelf of a random test can keep.
type held int

const (
	everything held = iota
	hashesOnly
	nothing
)

// world is a few files and sessions that read and change them.
type world struct {
	t      *testing.T
	r      *rand.Rand
	held   held
	ids    int
	files  map[string][]modelLine
	blanks bool
	// texts is how many different texts lines have; 0 is no two alike.
	texts int
	// alone: nobody else changes files, and each change is told.
	alone    bool
	sessions []*session
	now      time.Time
	// what was met, so that a test can tell that it tried something
	met map[string]int
}

type session struct {
	l      *ledger.Ledger
	models map[string]model
	// whole: the ledger was not loaded, so that it holds all old texts.
	whole bool
}

func newShelf(h held) *ledger.Shelf {
	switch h {
	case hashesOnly:
		return ledger.NewShelf(1, 0)
	case nothing:
		return ledger.NewShelf(1, 1)
	}
	return ledger.NewShelf(0, 0)
}

func newWorld(t *testing.T, seed uint64, h held, set func(*world)) *world {
	w := &world{
		t: t, r: rand.New(rand.NewPCG(seed, 1)), held: h, files: map[string][]modelLine{},
		now: time.Unix(1e9, 0), met: map[string]int{},
	}
	set(w)
	for _, p := range []string{"a.go", "dir/b.go"} {
		w.files[p] = w.fresh(w.r.IntN(30))
	}
	w.sessions = []*session{w.open(ledger.New(newShelf(h)))}
	return w
}

func (w *world) open(l *ledger.Ledger) *session {
	return &session{l: l, models: map[string]model{}, whole: true}
}

// fresh makes lines as there were none before.
func (w *world) fresh(n int) []modelLine {
	lines := make([]modelLine, n)
	for i := range lines {
		w.ids++
		lines[i] = modelLine{w.ids, fmt.Sprintf("line %d", w.ids)}
		if w.texts > 0 {
			lines[i].text = fmt.Sprintf("text %d", w.r.IntN(w.texts))
		}
	}
	return lines
}

// version gives the live text, at times with blanks at the ends of lines.
func (w *world) version(p string) ledger.Version { return w.versionOf(w.files[p]) }

func (w *world) versionOf(lines []modelLine) ledger.Version {
	text := textOf(lines)
	if w.blanks {
		text = strings.ReplaceAll(text, "\n", strings.Repeat(" ", w.r.IntN(3))+"\r\n")
	}
	return ledger.VersionOf(snapshot.XXH64, snapshot.New([]byte(text)))
}

// observe notes what a session learns from a live text that it meets.
func (w *world) observe(s *session, p string) {
	m := s.models[p]
	if len(m) > 0 && textOf(m.known()) != textOf(w.files[p]) {
		s.models[p] = append(m, event{before: m.known(), now: w.files[p]})
		w.met["outside change"]++
	}
}

// rows picks some rows of a text.
func (w *world) rows(lines int) (spans []hashline.Span, rows []int) {
	for range 1 + w.r.IntN(3) {
		if lines == 0 {
			break
		}
		a := 1 + w.r.IntN(lines)
		s := hashline.Span{First: a, Last: min(lines, a+w.r.IntN(9))}
		spans = append(spans, s)
		for n := s.First; n <= s.Last; n++ {
			if !slices.Contains(rows, n) {
				rows = append(rows, n)
			}
		}
	}
	return spans, rows
}

// view shows rows of a file.
func (w *world) view(s *session, p string) {
	w.observe(s, p)
	v := w.version(p)
	spans, rows := w.rows(v.Lines)
	if w.r.IntN(4) == 0 {
		spans, rows = []hashline.Span{{First: 1, Last: v.Lines}}, nil
		for n := range v.Lines {
			rows = append(rows, n+1)
		}
	}
	s.l.Shown(p, v, spans, w.now)
	s.models[p] = append(s.models[p], event{view: true, tag: v.Tag, rows: rows, counts: true, now: w.files[p]})
}

// change makes another text of a file, and says how.
func (w *world) change(lines []modelLine) (now []modelLine, changes []ledger.Change) {
	at := 0
	for range 1 + w.r.IntN(3) {
		from := at + w.r.IntN(len(lines)-at+1)
		to := min(len(lines), from+w.r.IntN(4))
		rows := w.r.IntN(4)
		if w.r.IntN(3) == 0 {
			rows = to - from
		}
		now = append(now, lines[at:from]...)
		changes = append(changes, ledger.Change{
			Old: hashline.Span{First: from + 1, Last: to},
			New: hashline.Span{First: len(now) + 1, Last: len(now) + rows},
		})
		now = append(now, w.fresh(rows)...)
		at = to
	}
	return append(now, lines[at:]...), changes
}

// edit is an edit by the session itself.
func (w *world) edit(s *session, p string) {
	w.observe(s, p)
	old, before := w.version(p), w.files[p]
	after, changes := w.change(before)
	if textOf(after) == textOf(before) {
		return // it would not be told
	}
	if w.r.IntN(6) == 0 && !w.alone {
		changes = nil
	}
	w.files[p] = after
	v := w.version(p)
	spans, rows := w.rows(v.Lines)
	if w.r.IntN(3) == 0 {
		spans, rows = nil, nil
	}
	s.l.Edited(p, old, v, changes, spans, w.now)
	s.models[p] = append(s.models[p], event{own: true, before: before, now: after},
		event{view: true, tag: v.Tag, rows: rows, now: after})
}

// offer spells out operations on the live text, with all their lines or some.
func (w *world) offer(s *session, p string) {
	w.observe(s, p)
	v := w.version(p)
	offers := ledger.OffersOf(w.ops(v.Lines))
	for i := range offers {
		if o := &offers[i]; w.r.IntN(2) == 0 {
			o.Lines.First += w.r.IntN(o.Lines.Len())
			o.Lines.Last -= w.r.IntN(o.Lines.Len())
		}
	}
	// checkLive judges one operation on all lines.
	offers = slices.DeleteFunc(offers, func(o ledger.Offer) bool { return o.Span.Len() == v.Lines })
	s.l.Offered(p, v, offers, w.now)
	s.models[p] = append(s.models[p], event{view: true, tag: v.Tag, offers: offers, now: w.files[p]})
}

// again makes operations on a text, at times such as were offered for it.
func (w *world) again(m model, tag hashline.Tag, lines int) []hashline.Op {
	var offers []ledger.Offer
	for _, e := range m {
		if e.tag == tag {
			offers = append(offers, e.offers...)
		}
	}
	ops := w.ops(lines)
	for len(offers) > 0 && w.r.IntN(4) > 0 {
		o := offers[w.r.IntN(len(offers))]
		clash := slices.ContainsFunc(ops, func(p hashline.Op) bool {
			return p.Kind != hashline.Append && p.Span.First <= o.Span.Last+1 && o.Span.First <= p.Span.Last+1
		})
		if o.Span.Last > lines || clash {
			break
		}
		op := hashline.Op{Kind: o.Kind, Span: o.Span, Body: []string{"new"}}
		if o.Kind == hashline.Delete {
			op.Body = nil
		}
		ops = append(ops, op)
	}
	return ops
}

// reload saves and loads the ledger, and checks that nothing was lost.
func (w *world) reload(s *session) {
	var first, second bytes.Buffer
	require.NoError(w.t, s.l.Save(&first))
	l, err := ledger.Load(bytes.NewReader(first.Bytes()), newShelf(w.held))
	require.NoError(w.t, err)
	if w.held != nothing {
		require.NoError(w.t, l.Save(&second))
		require.Equal(w.t, first.String(), second.String())
	}
	s.l, s.whole = l, false
}

func (w *world) step() {
	s := w.sessions[w.r.IntN(len(w.sessions))]
	p := []string{"a.go", "dir/b.go"}[w.r.IntN(2)]
	w.now = w.now.Add(time.Second)
	kind := w.r.IntN(15)
	if w.alone && (kind == 7 || kind == 8 || kind == 12) {
		kind = 4
	}
	switch kind {
	case 0, 1, 2, 3:
		w.view(s, p)
	case 4, 5, 6:
		w.edit(s, p)
	case 7:
		w.files[p], _ = w.change(w.files[p])
	case 8:
		// Others may do and undo before anybody looks.
		was := w.files[p]
		for range 2 {
			w.files[p], _ = w.change(w.files[p])
		}
		if w.r.IntN(2) == 0 {
			w.files[p] = was
		}
	case 9:
		w.blanks = !w.blanks
	case 10:
		w.reload(s)
	case 11:
		if w.r.IntN(3) == 0 {
			s.l.Forget(p)
			delete(s.models, p)
		}
	case 12:
		if len(w.sessions) < 3 {
			w.sessions = append(w.sessions, w.open(s.l.Fork()))
		}
	case 13:
		w.observe(s, p)
		s.l.Observe(p, w.version(p))
	case 14:
		w.offer(s, p)
	}
	w.check(s, p)
}

var onlySeed = flag.Uint64("seed", 0, "the one seed that TestRandom tries")

// TestRandom holds ledgers against the model.
func TestRandom(t *testing.T) {
	tries := []string{"good", "moved", "unseen", "outside change", "stale"}
	told := tries
	if !testing.Short() { // with so few worlds it may happen in none
		told = append(tries[:len(tries):len(tries)], "misnumbered", "located by an offer", "corrected")
	}
	t.Run("held=everything", func(t *testing.T) { runWorlds(t, everything, told, func(*world) {}) })
	t.Run("held=hashes", func(t *testing.T) { runWorlds(t, hashesOnly, tries, func(*world) {}) })
	t.Run("held=nothing", func(t *testing.T) {
		runWorlds(t, nothing, append(tries[:len(tries):len(tries)], "void"), func(*world) {})
	})
	t.Run("alike", func(t *testing.T) {
		runWorlds(t, everything, tries[:4], func(w *world) { w.texts = 5 })
	})
	t.Run("alike/alone", func(t *testing.T) {
		runWorlds(t, nothing, tries[:3], func(w *world) { w.texts, w.alone = 5, true })
	})
}

func runWorlds(t *testing.T, h held, tries []string, set func(*world)) {
	worlds := 60
	if testing.Short() {
		worlds = 12
	}
	met := map[string]int{}
	for range worlds {
		seed := cmp.Or(*onlySeed, rand.Uint64())
		ok := t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			w := newWorld(t, seed, h, set)
			for range 60 {
				w.step()
			}
			for k, n := range w.met {
				met[k] += n
			}
		})
		if !ok {
			return
		}
	}
	t.Log(met)
	for _, what := range tries {
		require.NotZero(t, met[what], what)
	}
}
