package workspace

import (
	"fmt"
	"time"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// maxLookBack is how many bytes of the history's records are read to tell who
// changed a file: several thousand edits, in about a tenth of a second. Who it
// was is a courtesy.
const maxLookBack = 4 << 20

// tellStale ends what is said of the sections whose text is no longer what it
// was: by whom the live one was made, where the history knows, and where the lines
// are now (spec 9). It reads the history once for all of them, and is for refusals
// alone, so that nobody waits for it who needs the files.
func (s *Session) tellStale(targets []*target) {
	stale := map[string]*target{}
	for _, t := range targets {
		if t.why == ledger.Stale && len(t.faults) > 0 {
			stale[t.place.real] = t
		}
	}
	by := s.changedBy(stale)
	for real, t := range stale {
		t.faults[0].Msg += by[real] + t.where
	}
}

// changedBy tells when and by whom the live texts of files were made, by their real
// paths, as far as the history knows.
func (s *Session) changedBy(files map[string]*target) map[string]string {
	if s.store == nil || len(files) == 0 {
		return nil
	}
	by := make(map[string]string, len(files))
	// What is said of some is right though the others cannot be read.
	_, _ = s.store.Latest(s.root, maxLookBack, func(r commit.Record) bool {
		for _, f := range r.Files {
			real := string(f.Real)
			t := files[real]
			if _, known := by[real]; known || t == nil {
				continue
			}
			by[real] = "" // another writer may have come after the newest edit
			if f.New != nil && *f.New == t.file.digest() {
				by[real] = s.madeBy(r)
			}
		}
		return len(by) < len(files)
	})
	return by
}

// digest is that of the file's bytes, as the history has it.
func (f *file) digest() history.Digest {
	if f.large != nil {
		return f.large.sum.Digest()
	}
	return history.Sum(f.snap.Text.Raw())
}

func (s *Session) madeBy(r commit.Record) string {
	by := ", made " + ago(time.Since(r.Time)) + " by " + r.Tool
	switch {
	case r.Session == "":
	case r.Session == s.name && r.Owner != s.owner:
		by += s.whose(r)
	default:
		by += " in the session " + cut(r.Session, 80)
	}
	return by
}

// ago says how long something is past.
func ago(d time.Duration) string {
	switch {
	case d < 2*time.Second:
		return "just now"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d seconds ago", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}
