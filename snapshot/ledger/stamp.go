package ledger

import (
	"path"
	"time"
)

// Stamp is what the system says of a file without opening it. CtimeNs is the
// time of the last change of the file's data or attributes, which programs
// cannot set; 0 where the system has none, and then no stamp is trusted. Times
// are in nanoseconds since 1970.
type Stamp struct {
	MtimeNs int64  `json:"mtime"`
	CtimeNs int64  `json:"ctime"`
	Size    int64  `json:"size"`
	Inode   uint64 `json:"inode"`
	Dev     uint64 `json:"dev"`
}

// racy is how old a file's times must be when it is read for its stamp to be
// trusted. Some file systems keep times to 2 seconds: a change just after the
// read could then leave the stamp as it is.
const racy = 3 * time.Second

type stamped struct {
	Stamp
	// read is when the bytes began to be read, zero where there is no stamp.
	read time.Time
	id   ident
}

// Stamped tells that the file's bytes were read and are this version, and that
// the file had this stamp both before and after. read is the time just before
// the reading. Nothing is noted of a file that was never shown.
func (l *Ledger) Stamped(p string, live Version, s Stamp, read time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = path.Clean(p)
	if f := l.known(p, live); f != nil {
		f.stamp = stamped{s, read, live.id()}
		l.settle(p)
	}
}

// Unchanged reports whether a stamp shows by itself that the file is still the
// version that was last seen live, and gives that, with its text where it is
// held. It does not where the file had been changed so shortly before it was
// read that another change could have left the same stamp: then the bytes
// decide.
func (l *Ledger) Unchanged(p string, s Stamp) (live Version, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.files[path.Clean(p)]
	if f == nil || f.removed || f.stamp.read.IsZero() || f.stamp.Stamp != s || f.stamp.id != f.head.id() || s.CtimeNs == 0 {
		return Version{}, false
	}
	if latest := time.Unix(0, max(s.MtimeNs, s.CtimeNs)); f.stamp.read.Sub(latest) < racy {
		return Version{}, false
	}
	live = f.head
	live.Text = l.shelf.text(live.id())
	return live, true
}
