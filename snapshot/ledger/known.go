package ledger

import (
	"path"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// Covered reports whether a read of rows of the live text would show nothing
// new: each is shown under the live tag or unmoved (spec 9). For no rows, as in
// an empty file, the tag must have been shown.
func (l *Ledger) Covered(p string, live Version, rows []hashline.Span) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = path.Clean(p)
	f := l.known(p, live)
	if f == nil {
		return false
	}
	l.settle(p)
	var shown runs
	if v := f.live(); v != nil {
		shown = v.shown
	} else if f.byTag(live) != nil {
		return false // under this tag another text was shown
	}
	rows = within(rows, live.Lines)
	covered := len(rows) > 0 || f.live() != nil
	for _, s := range rows {
		f.sort(s, shown, func(_ run, st state) { covered = covered && st == goodLine })
	}
	return covered
}

// Knowledge is what the session knows of a file as a whole.
type Knowledge string

// What is known of a file.
const (
	// NeverShown: nothing of it was ever shown.
	NeverShown Knowledge = "never_shown"
	// Current: the live text is the last that was shown or that the session
	// itself made.
	Current Knowledge = "current"
	// Outdated: it was changed since by others.
	Outdated Knowledge = "outdated"
)

// Knows tells whether the live text of a file is the one that the agent last
// saw, in part or as a whole, for require_read and changed_since_read (spec 9).
func (l *Ledger) Knows(p string, live Version) Knowledge {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = path.Clean(p)
	f := l.known(p, live)
	if f == nil || len(f.versions) == 0 {
		return NeverShown
	}
	l.settle(p)
	if f.versions[len(f.versions)-1].Same(live) {
		return Current
	}
	return Outdated
}

// Text gives the text that was last shown under a tag, nil where it is not held
// or never was shown.
func (l *Ledger) Text(p string, tag hashline.Tag) *snapshot.Text {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.files[path.Clean(p)]
	if f == nil {
		return nil
	}
	v := f.byTag(Version{Tag: tag})
	if v == nil {
		return nil
	}
	return l.shelf.text(v.id())
}
