package workspace

import (
	"context"
	"strings"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// History gives the newest edits of the root, or of one file where path is not
// "", newest first, at most limit of them. skipped counts entries of the history
// that are damaged. It is for people, not for agents.
func (w *Workspace) History(_ context.Context, path string, limit int) (edits []commit.Record, skipped int, err error) {
	if w.store == nil {
		return nil, 0, w.refuse("history rejected", w.noStore)
	}
	var pl place
	if path != "" {
		if pl, err = w.resolve(path); err != nil {
			return nil, 0, w.refuse("history rejected", err)
		}
	}
	if limit < 1 {
		return nil, 0, w.refuse("history rejected", badArgument("the limit is %d: it is at least 1", limit))
	}
	skipped, err = w.store.Records(w.root, func(r commit.Record) bool {
		if pl.path == "" || touches(r, pl) {
			edits = append(edits, r)
		}
		return len(edits) < limit
	})
	if err != nil {
		return nil, 0, w.refuse("history rejected", err)
	}
	return edits, skipped, nil
}

// Record is an edit in the history.
type Record = commit.Record

// ShortID gives the part of an edit's ID that [Workspace.Show] needs.
func ShortID(r Record) string { return r.ID[strings.LastIndexByte(r.ID, '-')+1:] }

// Shown is an edit of the history with what is known of its files.
type Shown struct {
	commit.Record
	// Changes goes with Record.Files. Its Diff is that of the edit.
	Changes []FileChange
	// Unknown lists the paths of files one of whose versions is no longer
	// there, so that Changes has no texts for them.
	Unknown []string
}

// Show gives the edit whose ID, or [ShortID], begins with id, which must be that
// of one edit.
func (w *Workspace) Show(_ context.Context, id string) (*Shown, error) {
	const head = "show rejected"
	if w.store == nil {
		return nil, w.refuse(head, w.noStore)
	}
	id = strings.ToLower(id)
	var found []commit.Record
	_, err := w.store.Records(w.root, func(r commit.Record) bool {
		if id != "" && (strings.HasPrefix(r.ID, id) || strings.HasPrefix(ShortID(r), id)) {
			found = append(found, r)
		}
		return len(found) < 2
	})
	switch {
	case err != nil:
		return nil, w.refuse(head, err)
	case len(found) == 0:
		return nil, w.refuse(head, fault(hashline.NoHistory, "", "the history of this root has no edit "+cut(id, 80), "hashline history lists them"))
	case len(found) > 1:
		return nil, w.refuse(head, badArgument("more than one edit has an ID that begins with %s", cut(id, 80)))
	}
	s := &Shown{Record: found[0]}
	for _, f := range s.Files {
		c := FileChange{Path: string(f.Path), Added: f.Added, Removed: f.Removed, OldTag: parsedTag(f.OldTag, f.Old), NewTag: parsedTag(f.NewTag, f.New), removed: f.New == nil}
		var okOld, okNew bool
		c.before, okOld = w.version(f, f.Old)
		c.after, okNew = w.version(f, f.New)
		if !okOld || !okNew {
			s.Unknown = append(s.Unknown, c.Path)
			c.before, c.after = nil, nil
		}
		s.Changes = append(s.Changes, c)
	}
	return s, nil
}

// parsedTag gives the tag of a version; nil says that there was no file.
func parsedTag(tag string, d *history.Digest) *hashline.Tag {
	if d == nil {
		return nil
	}
	t, _ := hashline.ParseTag(tag)
	return &t
}

// version gives the text of a version: from the history, or from the disk where
// the file is still that.
func (w *core) version(f history.File, d *history.Digest) (text []byte, ok bool) {
	if d == nil {
		return nil, true
	}
	data, err := w.store.Image(*d)
	if err != nil {
		pl, rerr := w.resolve(string(f.Real))
		if rerr != nil || !pl.exists {
			return nil, false
		}
		if data, err = w.read(pl); err != nil || history.Sum(data) != *d {
			return nil, false
		}
	}
	text, _ = w.tagOf(string(f.Path), data)
	return text, true
}

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
func (w *Workspace) Stats(context.Context) (Stats, error) {
	var s Stats
	if w.store == nil {
		return s, w.refuse("stats rejected", w.noStore)
	}
	var err error
	if s.Counts, err = w.store.Counts(); err == nil {
		s.Images, s.Bytes, err = w.store.Usage()
	}
	if err != nil {
		return s, w.refuse("stats rejected", err)
	}
	return s, nil
}
