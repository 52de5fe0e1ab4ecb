package ledger

import (
	"cmp"
	"path"
	"slices"
	"time"

	"github.com/hashline-go/hashline/hashline"
)

// Shown tells that an answer showed rows of the live text under its tag: a
// read, a search, a refusal. rows may be empty where only a header was shown, or
// where the agent proved otherwise that it has the tag; they need not be in order, and those out of range are passed over. The time
// grows with the number of spans, not with that of rows.
func (l *Ledger) Shown(p string, live Version, rows []hashline.Span, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = path.Clean(p)
	f := l.open(p, live)
	f.show(live, rows, now, true)
	l.settle(p)
}

// Glimpsed is as [Ledger.Shown], for the refusal of a document that could not be
// judged: rows whose numbers the agent may have from a time when they were those of
// others do not count. Else the document would pass with these numbers once its
// form is mended.
func (l *Ledger) Glimpsed(p string, live Version, rows []hashline.Span, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = path.Clean(p)
	f := l.open(p, live)
	var shown runs
	if v := f.live(); v != nil {
		shown = v.shown
	}
	var sure []hashline.Span
	for _, s := range within(rows, live.Lines) {
		f.sort(s, shown, func(r run, st state) {
			if st == goodLine || st == unseenLine {
				sure = joined(sure, hashline.Span{First: r.first, Last: r.last})
			}
		})
	}
	f.show(live, sure, now, true)
	l.settle(p)
}

// Wrote tells that the session wrote the whole file; old is what it was, the zero
// Version where it was not there. Every row counts as shown, and no number of the
// old text means anything any more.
func (l *Ledger) Wrote(p string, old, v Version, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = path.Clean(p)
	l.made(p, old.id(), v.id())
	f := l.known(p, old)
	if f == nil {
		f = l.open(p, v)
	} else {
		l.shelf.put(v)
		l.change(f, v, nil)
	}
	f.lines, f.seen, f.told = nil, nil, nil
	f.show(v, []hashline.Span{{First: 1, Last: v.Lines}}, now, true)
	l.settle(p)
}

// Edited tells that the session changed a file from one version to another, by
// changes of lines in order and apart, and that the answer showed rows of the
// new one. Lines that no change names keep their records; others lose theirs.
// Where changes is empty, or does not lead from one to the other, the texts are
// compared.
func (l *Ledger) Edited(p string, old, v Version, changes []Change, rows []hashline.Span, now time.Time) {
	l.edited(p, old, v, changes, rows, now, false)
}

// Undone is as [Ledger.Edited], for an undo: what it took back is no longer
// applied (see [Ledger.Applied]). Where changes is empty, and the version that comes
// back was shown and is known by its lines still, those say what changes.
func (l *Ledger) Undone(p string, old, v Version, changes []Change, rows []hashline.Span, now time.Time) {
	l.edited(p, old, v, changes, rows, now, true)
}

// Removed tells that the session removed a file, as an undo does with one that
// was created. Tags that were shown are still known.
func (l *Ledger) Removed(p string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = path.Clean(p)
	f := l.files[p]
	if f == nil {
		return
	}
	l.undone(p, f.head.id(), ident{})
	f.leave()
	f.untrack(true)
	f.lines, f.seen, f.told, f.stamp = nil, nil, nil, stamped{}
	f.head, f.removed = Version{}, true
	l.settle(p)
}

func (l *Ledger) edited(p string, old, v Version, changes []Change, rows []hashline.Span, now time.Time, undo bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = path.Clean(p)
	if undo {
		l.undone(p, old.id(), v.id())
	} else {
		l.made(p, old.id(), v.id())
	}
	f := l.open(p, old)
	l.shelf.put(v)
	if undo && len(changes) == 0 {
		changes = f.wayBack(v)
	}
	l.change(f, v, changes)
	f.show(v, rows, now, false)
	l.settle(p)
}

// show notes that rows of the head were shown.
func (f *file) show(v Version, rows []hashline.Span, now time.Time, counts bool) {
	rows = within(rows, v.Lines)
	f.lines = f.lines.show(rows)
	f.seen = f.seen.show(rows)
	if counts && len(rows) > 0 {
		f.told = f.told.show(rows)
		if last := rows[len(rows)-1].Last; last == f.told[len(f.told)-1].last {
			f.end = v.Lines
		}
	}
	i := slices.IndexFunc(f.versions, func(o *version) bool { return o.Same(v) && o.Tag == v.Tag })
	var o *version
	if i < 0 {
		o = &version{Version: bare(v)}
	} else {
		o = f.versions[i]
		f.versions = slices.Delete(f.versions, i, i+1)
	}
	f.versions = append(f.versions, o)
	o.shown = o.shown.show(rows)
	o.at = now
	o.bad, o.judged = nil, false
	o.mine = nil
	if o.track, o.tracked = nil, true; v.Lines > 0 {
		o.track = runs{{first: 1, last: v.Lines, to: 1}}
	}
	// One tag stands for one text, the last that it was shown for.
	for _, other := range f.versions {
		if other.Tag == v.Tag && !other.Same(v) {
			other.shown, other.offers = nil, nil
		}
	}
}

// within gives the lines of spans that a text has, ascending and apart.
func within(spans []hashline.Span, lines int) []hashline.Span {
	out := make([]hashline.Span, 0, len(spans))
	for _, s := range spans {
		if s = (hashline.Span{First: max(s.First, 1), Last: min(s.Last, lines)}); s.First <= s.Last {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b hashline.Span) int { return cmp.Compare(a.First, b.First) })
	k := 0
	for _, s := range out {
		if k > 0 && s.First <= out[k-1].Last+1 {
			out[k-1].Last = max(out[k-1].Last, s.Last)
			continue
		}
		out[k] = s
		k++
	}
	return out[:k]
}
