package ledger

import (
	"path"

	"github.com/hashline-go/hashline/hashline"
)

// Observe tells of a live text that the agent was not shown. It is enough to
// call it where no other method gets the live version.
func (l *Ledger) Observe(p string, live Version) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = path.Clean(p)
	if l.known(p, live) != nil {
		l.settle(p)
	}
}

// look makes a live text the head. Where it is not the head already, others
// changed the file.
func (l *Ledger) look(f *file, v Version) {
	if f.head.Same(v) && !f.removed {
		f.head.Tag = v.Tag
		return
	}
	old, ok := l.shelf.lines(f.head)
	var now []uint64
	if ok && !f.removed {
		now, ok = l.shelf.lines(v)
	}
	if !ok || f.removed {
		f.leave()
		f.setHead(v)
		f.blur()
		f.untrack(false)
		return
	}
	track := diff(old, now)
	f.leave()
	f.lines = f.lines.rekey(track)
	f.seen = f.seen.through(track, gone)
	f.told = f.told.through(track, gone)
	f.follow(track, false)
	f.setHead(v)
}

// change makes what the session itself made of the head the new head.
func (l *Ledger) change(f *file, v Version, changes []Change) {
	if f.head.Same(v) {
		f.head.Tag = v.Tag
		return
	}
	track, ok := trackOf(changes, f.head.Lines, v.Lines)
	if !ok || len(changes) == 0 {
		var old, now []uint64
		if old, ok = l.shelf.lines(f.head); ok {
			now, ok = l.shelf.lines(v)
		}
		if !ok {
			f.leave()
			f.setHead(v)
			f.blur()
			f.untrack(true)
			return
		}
		track = diff(old, now)
	}
	f.leave()
	kept := track.kept()
	f.lines = f.lines.rekey(kept)
	f.seen = f.seen.through(kept, edited)
	f.told = f.told.through(kept, 0)
	f.follow(track, true)
	f.setHead(v)
}

func (f *file) setHead(v Version) { f.head, f.removed = bare(v), false }

// follow leads the tracks of all versions on. own tells that the session made
// the change itself.
func (f *file) follow(track runs, own bool) {
	if len(track) > maxTrack {
		// Others changed so much that each track would become as long.
		f.untrack(own)
		return
	}
	for _, v := range f.versions {
		if !v.tracked {
			v.untrack(own)
			continue
		}
		if own {
			v.mine = v.mine.show(v.track.lost(track))
		}
		v.track = v.track.through(track, 0)
	}
}

// untrack is for when nobody knows how the head came about.
func (f *file) untrack(own bool) {
	for _, v := range f.versions {
		v.untrack(own)
	}
}

// untrack forgets the track. own tells that the session changed nobody knows
// which lines.
func (v *version) untrack(own bool) {
	v.track, v.tracked = nil, false
	if (own || len(v.mine) > 0) && v.Lines > 0 {
		v.mine = runs{{first: 1, last: v.Lines, to: 1}}
	}
}

// leave notes, for the version that is the head and will not be any more, what
// a document under its tag must not touch.
func (f *file) leave() {
	v := f.live()
	if v == nil {
		return
	}
	v.bad, v.judged = nil, true
	f.sort(hashline.Span{First: 1, Last: f.head.Lines}, v.shown, func(r run, s state) {
		if s != movedLine && s != newLine {
			return
		}
		f.seen.within(hashline.Span{First: r.first, Last: r.last}, func(n run, ok bool) {
			b := run{first: n.first, last: n.last, to: n.to}
			if !ok || n.mark&(noPlace|changed) != 0 {
				b.to, b.mark = 0, unknown
			}
			v.bad = v.bad.add(b)
		})
	})
}

// live gives the version of the head, where its tag was shown for this text and
// for none since; nil otherwise.
func (f *file) live() *version {
	if v := f.byTag(f.head); v != nil && v.Same(f.head) && !f.removed {
		return v
	}
	return nil
}

// blur makes every row that was shown one that may have moved or changed.
func (f *file) blur() {
	if len(f.lines) > 0 && f.head.Lines > 0 {
		f.lines = runs{{first: 1, last: f.head.Lines, to: 1, mark: moved | changed}}
	} else {
		f.lines = nil
	}
	f.seen, f.told = f.seen.blur(), f.told.blur()
}

// blur takes their places from all rows, but for those that the session itself
// changed or removed.
func (rs runs) blur() runs {
	out := make(runs, 0, len(rs))
	for _, r := range rs {
		if r.mark&edited == 0 {
			r.to, r.mark = 0, unknown
		}
		out = out.add(r)
	}
	if len(out) > maxFileRuns/4 {
		out = runs{{first: 1, last: out[len(out)-1].last, mark: unknown}}
	}
	return out
}
