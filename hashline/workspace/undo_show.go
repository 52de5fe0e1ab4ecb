package workspace

import (
	"context"
	"errors"
	"strings"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// Shown is an edit of the history with what is known of its files.
type Shown struct {
	// Record has no files that the policy denies; Denied counts those.
	commit.Record
	Denied int
	// Changes goes with Record.Files. Its Diff is that of the edit.
	Changes []FileChange
	// Unknown lists the files one of whose versions is not to be had, so that
	// Changes has no texts for them.
	Unknown []Unknown
}

// Unknown is a file of an edit one of whose versions is not to be had.
type Unknown struct {
	Path string
	// Why says which version, and what became of it.
	Why string
}

// Show gives the edit whose ID, or [ShortID], begins with id, which must be that
// of one edit.
func (w *Workspace) Show(ctx context.Context, id string) (*Shown, error) {
	const head = "show rejected"
	found, err := w.find(ctx, id)
	if err != nil {
		return nil, w.refuse(head, err)
	}
	s := &Shown{}
	if s.Record, s.Denied = w.allowed(found); len(s.Files) == 0 {
		return nil, w.refuse(head, allDenied())
	}
	for _, f := range s.Files {
		c := FileChange{Path: string(f.Path), Added: f.Added, Removed: f.Removed, OldTag: parsedTag(f.OldTag, f.Old), NewTag: parsedTag(f.NewTag, f.New), removed: f.New == nil}
		var why, whyNew string
		c.before, why = w.version(f, f.Old)
		if c.after, whyNew = w.version(f, f.New); whyNew != "" {
			why = "the version after the edit is not known any more: " + whyNew
		} else if why != "" {
			why = "the version before the edit is not known any more: " + why
		}
		if why != "" {
			s.Unknown = append(s.Unknown, Unknown{c.Path, why})
			c.before, c.after = nil, nil
		}
		s.Changes = append(s.Changes, c)
	}
	return s, nil
}

func allDenied() error {
	return &hashline.Diagnostic{Code: hashline.Denied, Msg: "the edit is of files that the policy of this workspace denies", Hint: "do without it"}
}

// find gives the edit whose ID, or [ShortID], begins with id.
func (w *core) find(ctx context.Context, id string) (r commit.Record, err error) {
	if w.store == nil {
		return r, w.noStore
	}
	id = strings.ToLower(id)
	var found []commit.Record
	_, err = w.store.Records(w.root, func(r commit.Record) bool {
		// The part that history does not list counts only where all of it is given.
		full := strings.Contains(id, "-") && strings.HasPrefix(r.ID, id)
		if id != "" && (full || strings.HasPrefix(ShortID(r), id)) {
			found = append(found, r)
		}
		return len(found) < 2 && ctx.Err() == nil
	})
	if err == nil {
		err = ended(ctx)
	}
	switch {
	case err != nil:
		return r, err
	case len(found) == 0:
		return r, fault(hashline.NoHistory, "", "the history of this root has no edit "+cut(id, 80), "hashline history lists them")
	case len(found) > 1:
		return r, badArgument("more than one edit has an ID that begins with %s", cut(id, 80))
	}
	return found[0], nil
}

// Before gives the bytes of a file before the edit with an ID, as [Workspace.Show]
// takes it. The slice is the caller's.
func (w *Workspace) Before(ctx context.Context, id, path string) ([]byte, error) {
	const head = "show rejected"
	clean, err := w.clean(path)
	if err == nil && w.hidden(clean) {
		err = w.refusedPath(clean, clean)
	}
	if err != nil {
		return nil, w.refuse(head, err)
	}
	r, err := w.find(ctx, id)
	if err != nil {
		return nil, w.refuse(head, err)
	}
	for _, f := range r.Files {
		if string(f.Path) != clean && string(f.Real) != clean {
			continue
		}
		if w.hidden(string(f.Real)) {
			return nil, w.refuse(head, w.refusedPath(clean, string(f.Real)))
		}
		data, why := w.bytesOf(f, f.Old)
		switch {
		case why != "":
			err = fault(hashline.NoHistory, clean, "the version before the edit is not known any more: "+why, "")
		case f.Old == nil:
			err = fault(hashline.NoHistory, clean, "there was no such file before the edit", "")
		default:
			return data, nil
		}
		return nil, w.refuse(head, err)
	}
	return nil, w.refuse(head, fault(hashline.NoHistory, clean, "the edit is not one of this file", "hashline show "+ShortID(r)+" tells its files"))
}

// parsedTag gives the tag of a version; nil says that there was no file.
func parsedTag(tag string, d *history.Digest) *hashline.Tag {
	if d == nil {
		return nil
	}
	t, _ := hashline.ParseTag(tag)
	return &t
}

// version gives the text of a version, or why it is not to be had.
func (w *core) version(f history.File, d *history.Digest) (text []byte, why string) {
	data, why := w.bytesOf(f, d)
	if d == nil || why != "" {
		return nil, why
	}
	text, _ = w.tagOf(string(f.Path), data)
	return text, ""
}

// fromDelta makes the version that an edit left from the one that it found.
func (w *core) fromDelta(f history.File) (data []byte, ok bool) {
	if f.Delta == nil || f.New == nil {
		return nil, false
	}
	var old []byte
	if f.Old != nil {
		var err error
		if old, err = w.store.Image(*f.Old); err != nil {
			return nil, false
		}
	}
	data, ok = f.Delta.Apply(old)
	return data, ok && history.Sum(data) == *f.New
}

// bytesOf gives a version: from the history, or from the disk where the file is
// still that; or it says why there is none.
func (w *core) bytesOf(f history.File, d *history.Digest) (data []byte, why string) {
	if d == nil {
		return nil, ""
	}
	data, err := w.store.Image(*d)
	if err == nil {
		return data, ""
	}
	old := d == f.Old
	if data, ok := w.fromDelta(f); ok && !old {
		return data, ""
	}
	pl, rerr := w.resolve(string(f.Real))
	switch {
	case rerr == nil && pl.exists && pl.real == string(f.Real):
		data, rerr = w.read(pl)
		if rerr == nil && history.Sum(data) == *d {
			return data, ""
		}
		why = "the file was changed since, and the history has only what edits replaced"
	case rerr == nil && pl.exists, errors.Is(rerr, hashline.OutsideRoot), errors.Is(rerr, hashline.LinkLoop):
		why = "its path leads elsewhere now"
	case errors.Is(rerr, hashline.Denied):
		why = "the file may not be read"
	default:
		why = "the file is gone, and the history has only what edits replaced"
	}
	switch {
	case errors.Is(err, history.ErrCorrupt):
		why = "it is damaged in the history"
	case !errors.Is(err, history.ErrMissing):
		why = "the history cannot be read: " + reason(err)
	case old && f.NoImage != "":
		why = "it was not kept: " + f.NoImage
	case old:
		why = "it is no longer in the history, which is bounded in size and age"
	}
	return nil, why
}
