package ledger

import (
	"maps"
	"path"
	"slices"
	"sync"
	"time"
)

const (
	maxFiles    = 2048
	maxVersions = 128
	// maxTracked is how many texts of a file keep a track to the head, and
	// maxTrack how long one may be.
	maxTracked = 32
	maxTrack   = 1024
	// maxRuns bounds the runs of a ledger, maxFileRuns those of one file.
	maxRuns     = 200_000
	maxFileRuns = 50_000
)

// Ledger is the record of what one agent has in front of it. Paths are as
// headers have them, relative to the root with "/", and are cleaned.
//
// A Ledger may be used by several goroutines: each call is one step. Steps that
// belong together, such as reading a file and telling that it was shown, or
// judging an edit, making it and telling of it, are to be done under one lock of
// the file. Where they are not, a text that was already replaced may come in
// late: that looks like a change by others and back, so that a few more edits
// are refused, but none is let through.
type Ledger struct {
	mu    sync.Mutex
	shelf *Shelf
	files map[string]*file
	// clock counts uses, so that files can be ordered by their last.
	clock uint64
	runs  int
	done  []applied
}

// New makes the ledger of an agent that has seen nothing. A nil shelf is one of
// its own with the bounds of [NewShelf].
func New(shelf *Shelf) *Ledger {
	if shelf == nil {
		shelf = NewShelf(0, 0)
	}
	return &Ledger{shelf: shelf, files: map[string]*file{}}
}

// Fork makes the ledger of a sub-agent, which has seen nothing. It shares the
// shelf.
func (l *Ledger) Fork() *Ledger { return New(l.shelf) }

// Forget makes files ones that were never shown, as after the agent's context
// lost them. What was applied is still known, since it is on disk.
func (l *Ledger) Forget(paths ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range paths {
		l.drop(path.Clean(p))
	}
}

// ForgetAll is [Ledger.Forget] for every file.
func (l *Ledger) ForgetAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.files, l.runs = map[string]*file{}, 0
}

// Paths lists the files that were shown, in order of their paths.
func (l *Ledger) Paths() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.files))
}

// file is the record of one file.
type file struct {
	used uint64
	head Version // without Text
	// removed: there is no file, as far as the session knows.
	removed bool
	// lines says of each line of the head as what number it was last shown.
	lines runs
	// seen says of each number where the row is that it last stood for.
	seen runs
	// told is as seen, but only for views that an agent counts from: not for
	// previews of its own edits; rows that are gone are left out. end is how many
	// lines the text had in which the highest of these numbers was shown.
	told runs
	end  int
	// versions were shown, the last one last.
	versions []*version
	stamp    stamped
	// size is what the file counts among the ledger's runs.
	size int
}

// version is a text under whose tag rows were shown.
type version struct {
	Version // without Text
	shown   runs
	// offers are operations on it that answers spelt out, the last ones last.
	offers []Offer
	// at is when rows were last shown under it.
	at time.Time
	// track leads to the head, where it is known.
	track   runs
	tracked bool
	// mine are the lines that the session itself changed or removed since.
	mine runs
	// bad are the lines that a document under this tag could not touch when the
	// text was last live, and where in it the rows stood that had been shown under
	// their numbers; judged tells whether they are known.
	bad    runs
	judged bool
}

// byTag gives the version that was last shown under a tag.
func (f *file) byTag(v Version) *version {
	for _, o := range slices.Backward(f.versions) {
		if o.Tag == v.Tag {
			return o
		}
	}
	return nil
}

func (l *Ledger) drop(p string) {
	if f := l.files[p]; f != nil {
		l.runs -= f.size
		delete(l.files, p)
	}
}

// open gives the record of a file, with the live text as its head.
func (l *Ledger) open(p string, v Version) *file {
	l.shelf.put(v)
	f := l.files[p]
	if f == nil {
		f = &file{head: bare(v)}
		l.files[p] = f
	}
	l.look(f, v)
	l.clock++
	f.used = l.clock
	return f
}

// known gives the record of a file that was shown, with the live text as its
// head, or nil.
func (l *Ledger) known(p string, v Version) *file {
	if l.files[p] == nil {
		return nil
	}
	return l.open(p, v)
}

func bare(v Version) Version {
	v.Text = nil
	return v
}

// settle counts the runs of a file again and drops what is too much.
func (l *Ledger) settle(p string) {
	f := l.files[p]
	if len(f.lines)+len(f.seen)+len(f.told) > maxFileRuns {
		f.blur()
	}
	if n := len(f.versions) - maxVersions; n > 0 {
		f.versions = slices.Delete(f.versions, 0, n)
	}
	f.limitOffers()
	size := 8 + len(f.lines) + len(f.seen) + len(f.told)
	for i, v := range slices.Backward(f.versions) {
		if len(f.versions)-i > maxTracked || len(v.track) > maxTrack || len(v.bad) > maxTrack || len(v.mine) > maxTrack {
			v.untrack(false)
			v.bad, v.judged = nil, false
		}
		size += 4 + len(v.shown) + len(v.offers) + len(v.track) + len(v.bad) + len(v.mine)
	}
	l.runs += size - f.size
	f.size = size
	for (l.runs > maxRuns || len(l.files) > maxFiles) && len(l.files) > 1 {
		oldest := p
		for q, g := range l.files {
			if g.used < l.files[oldest].used {
				oldest = q
			}
		}
		l.drop(oldest)
	}
}
