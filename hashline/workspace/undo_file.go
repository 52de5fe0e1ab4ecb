package workspace

import (
	"bytes"
	"errors"
	"slices"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// reversal is what becomes of one file when edits are taken back.
type reversal struct {
	path, real string
	// now is what the file must be, then what it becomes; nil is for no file.
	now, then *history.Digest
	// removed is what the record tells of a file that its edit removed.
	removed history.File
	noImage string
	// conflict refuses a file that is no longer what it must be, but found; nil
	// is for no file.
	conflict *hashline.Diagnostic
	found    *history.Digest
}

// reverse puts the files of some edits, newest first, back to back: each edit
// must have found what the one before it left.
func reverse(records []commit.Record) ([]*reversal, error) {
	var files []*reversal
	byReal := map[string]*reversal{}
	var faults hashline.Diagnostics
	for _, r := range records {
		for _, f := range r.Files {
			real := string(f.Real)
			have := byReal[real]
			if have == nil {
				have = &reversal{path: string(f.Path), real: real, now: f.New}
				byReal[real] = have
				files = append(files, have)
			} else if !equal(have.then, f.New) {
				faults = append(faults, fault(hashline.UndoConflict, string(f.Path),
					"between these edits another writer changed the file", "give fewer steps, or the path, to take back all edits of that file one after the other"))
				continue
			}
			have.then, have.removed, have.noImage = f.Old, f, f.NoImage
		}
	}
	slices.SortStableFunc(files, func(a, b *reversal) int { return bytes.Compare([]byte(a.path), []byte(b.path)) })
	return files, faults.Err()
}

func equal(a, b *history.Digest) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// comeBack checks that a file still is what the edits left, and gets what it
// was before them. It gives nil where that is the same. alone: the edits changed no
// other file.
func (w *core) comeBack(f *reversal, alone bool) (*pending, error) {
	if w.hidden(f.path) || w.hidden(f.real) {
		return nil, w.cannotComeBack(f, alone)
	}
	pl, err := w.resolve(f.real)
	if there, err := w.resolve(f.path); err != nil || there.real != f.real {
		// The link that it was edited through leads elsewhere now.
		f.path = f.real
	}
	if err == nil && pl.real != f.real {
		return nil, fault(hashline.UndoConflict, f.path, "the path leads elsewhere than when the file was edited", "")
	}
	if err == nil {
		err = w.writable(pl)
	}
	if err != nil {
		return nil, at(f.path, err)
	}
	pl.path = f.path
	p := &pending{place: pl, create: !pl.exists, remove: f.then == nil}
	if pl.exists {
		if p.old, err = w.read(pl); err != nil {
			return nil, err
		}
	}
	if err := w.isStill(f, p); err != nil {
		return nil, err
	}
	if equal(f.now, f.then) {
		return nil, nil
	}
	if f.then == nil {
		p.change = w.fileChange(p)
		return p, nil
	}
	if p.new, err = w.store.Image(*f.then); err != nil {
		return nil, noImage(f, err)
	}
	if p.create {
		if p.attributes, err = attributesOf(f); err != nil {
			return nil, err
		}
	}
	p.change = w.fileChange(p)
	p.spans = changedLines(p.change.before, p.change.after)
	return p, nil
}

// cannotComeBack refuses a file that nobody is told of.
func (w *core) cannotComeBack(f *reversal, alone bool) error {
	d := &hashline.Diagnostic{Code: hashline.Denied, Msg: "the edit also changed a file ", Hint: "change the other files with edit"}
	if alone {
		d.Msg, d.Hint = "the edit changed a file ", "no tool may change it"
	}
	only := w.policy.only
	if !only.beyond(f.path) && !only.beyond(f.real) {
		d.Msg += "that the policy of this workspace denies"
		return d
	}
	d.Code, d.Msg = hashline.OutsideRoot, d.Msg+"outside of the folders that the client has opened"
	switch {
	case only.Reason != "" && alone:
		d.Hint = only.Reason
	case only.Reason != "":
		d.Hint += "; " + only.Reason
	}
	return d
}

// attributesOf gives those that a removed file had.
func attributesOf(f *reversal) (*commit.Attributes, error) {
	switch {
	case f.removed.NoKept != "":
		return nil, &hashline.Diagnostic{Code: hashline.Attributes, Path: f.path,
			Msg:  "the file cannot be made again with the attributes that it had, which the history does not have: " + f.removed.NoKept,
			Hint: "write the file anew"}
	case f.removed.Kept == nil:
		return nil, &hashline.Diagnostic{Code: hashline.Attributes, Path: f.path,
			Msg: "the history does not tell which attributes the file had", Hint: "write the file anew"}
	}
	return f.removed.Kept, nil
}

// isStill refuses a file that is not what the edits left. Whether it was an edit of
// ours that changed it is for nameLater to say.
func (w *core) isStill(f *reversal, p *pending) error {
	var why string
	switch {
	case f.now == nil && !p.create:
		why = "there is a file again where the edit left none"
	case f.now != nil && p.create:
		why = "the file that the edit left is gone"
	case f.now != nil && history.Sum(p.old) != *f.now:
		why = "the file is no longer what the edit left: somebody changed it since"
	default:
		return nil
	}
	d := fault(hashline.UndoConflict, f.path, why, "read the file and change it with edit, or restore it from version control")
	f.conflict = d
	if !p.create {
		found := history.Sum(p.old)
		f.found = &found
	}
	if text, err := snapshot.Decode(p.old); err == nil && !p.create {
		live := snapshot.Take(f.path, w.scheme, text).Tag
		d.Live = &live
	}
	return d
}

func noImage(f *reversal, err error) error {
	switch {
	case f.noImage != "":
		return fault(hashline.NoHistory, f.path, "the version before the edit was not kept: "+f.noImage, "")
	case errors.Is(err, history.ErrMissing):
		return fault(hashline.NoHistory, f.path, "the version before the edit is no longer in the history, which is bounded in size and age", "")
	case errors.Is(err, history.ErrCorrupt):
		return fault(hashline.NoHistory, f.path, "the version before the edit is damaged in the history", "")
	}
	return fault(hashline.IO, f.path, "the history cannot be read: "+reason(err), "")
}

// fileChange describes the change for hosts.
func (w *core) fileChange(p *pending) FileChange {
	c := FileChange{Path: p.place.path, removed: p.remove}
	if !p.create {
		c.before, c.OldTag = w.tagOf(p.place.path, p.old)
	}
	if !p.remove {
		c.after, c.NewTag = w.tagOf(p.place.path, p.new)
	}
	for _, s := range changedLines(c.before, c.after) {
		c.Added, c.Removed = s.New.Len(), s.Old.Len()
	}
	return c
}

// tagOf gives the text and the tag of a file's bytes; where they are no text,
// the bytes and no tag.
func (w *core) tagOf(path string, data []byte) ([]byte, *hashline.Tag) {
	text, err := snapshot.Decode(data)
	if err != nil {
		return data, nil
	}
	tag := snapshot.Take(path, w.scheme, text).Tag
	return text.Bytes(), &tag
}
