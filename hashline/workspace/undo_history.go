package workspace

import (
	"context"
	"strings"

	"github.com/hashline-go/hashline/apply/commit"
)

// Log is what [Workspace.History] tells.
type Log struct {
	// Edits are the newest first. Files that the policy denies are not among theirs.
	Edits []Record
	// Skipped counts entries of the history that are damaged, Denied the changes
	// of files that the policy denies.
	Skipped, Denied int
}

// History gives the newest edits of the root, or of one file where path is not
// "", newest first, at most limit of them. It is for people, not for agents.
func (w *Workspace) History(ctx context.Context, path string, limit int) (log Log, err error) {
	const head = "history rejected"
	if w.store == nil {
		return log, w.refuse(head, w.noStore)
	}
	var pl place
	if path != "" {
		if pl, err = w.resolve(path); err != nil {
			return log, w.refuse(head, err)
		}
	}
	if limit < 1 {
		return log, w.refuse(head, badArgument("the limit is %s: it is at least 1", counted(limit)))
	}
	log.Skipped, err = w.store.Records(w.root, func(r commit.Record) bool {
		if pl.path == "" || realOf(r, pl) != "" {
			var denied int
			if r, denied = w.allowed(r); len(r.Files) > 0 {
				log.Edits = append(log.Edits, r)
			}
			log.Denied += denied
		}
		return len(log.Edits) < limit && ctx.Err() == nil
	})
	if err == nil {
		err = ended(ctx)
	}
	if err != nil {
		return Log{}, w.refuse(head, err)
	}
	return log, nil
}

// allowed gives a record without the files that the policy denies, and counts
// those.
func (w *core) allowed(r commit.Record) (_ commit.Record, denied int) {
	all := r.Files
	r.Files = nil
	for _, f := range all {
		if w.hidden(string(f.Path)) || w.hidden(string(f.Real)) {
			denied++
			continue
		}
		r.Files = append(r.Files, f)
	}
	return r, denied
}

// hidden reports whether a path is one that nobody is told of.
func (w *core) hidden(path string) bool { return w.policy.denies(path) || w.inState(path) }

// Record is an edit in the history.
type Record = commit.Record

// ShortID gives the part of an edit's ID that [Workspace.Show] needs.
func ShortID(r Record) string { return r.ID[strings.LastIndexByte(r.ID, '-')+1:] }

// Stats are counts over all workspaces of the state folder.
type Stats struct {
	// Counts holds how many changes each tool made, by its name, and how many
	// calls were refused, by "refused_" and the code.
	Counts map[string]int64
	// Images and Bytes tell how many old versions are kept, and in how much
	// room.
	Images int
	Bytes  int64
}

// Stats gives the counts.
func (w *Workspace) Stats(ctx context.Context) (Stats, error) {
	var s Stats
	if w.store == nil {
		return s, w.refuse("stats rejected", w.noStore)
	}
	err := ended(ctx)
	if err == nil {
		s.Counts, err = w.store.Counts()
	}
	if err == nil {
		s.Images, s.Bytes, err = w.store.Usage()
	}
	if err != nil {
		return s, w.refuse("stats rejected", err)
	}
	return s, nil
}
