package commit

import (
	"time"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// notes are the records of the files that a commit left as they were found.
type notes struct {
	*past
	journal *journal
	sync    bool
	// have gives the IDs of those that are written, by the real paths; nil until
	// the history was read for them, which is once for all files.
	have map[history.Name]string
}

func (p *past) notesOn(j *journal, sync bool) *notes {
	return &notes{past: p, journal: j, sync: sync}
}

// left writes a record of file i, which the commit left as it was found; unless
// there is one, or nothing to come back to. It gives its ID, "" for none.
func (n *notes) left(i int, found *history.Digest) (id string, err error) {
	of := n.journal.Record
	f := of.Files[i]
	if f.Old == nil || found != nil && *found == *f.Old || !n.history.Has(*f.Old) {
		return "", nil
	}
	if n.have == nil {
		if n.have, err = n.written(of); err != nil {
			return "", err
		}
	}
	if id = n.have[f.Real]; id != "" {
		return id, nil
	}
	f.New, f.NewTag, f.Added, f.Removed = found, "", 0, 0
	now := time.Now()
	rec := history.Record{ID: history.NewID(now), Time: now.UTC(), Root: of.Root, Session: of.Session, Owner: of.Owner, Tool: RecoveryTool,
		Of: of.ID, Files: []history.File{f}}
	if err := n.history.Append(rec, n.sync); err != nil {
		return "", err
	}
	n.have[f.Real] = rec.ID
	return rec.ID, nil
}

// written reads which records there are.
func (n *notes) written(of history.Record) (map[history.Name]string, error) {
	have := map[history.Name]string{}
	_, err := n.history.Records(of.Root, func(r history.Record) bool {
		if real := r.Files[0].Real; r.Of == of.ID && have[real] == "" {
			have[real] = r.ID
		}
		return r.ID > of.ID
	})
	return have, err
}
