package commit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

const historyFolder = "history"

// Note says about a commit what only its caller knows, for the history.
type Note struct {
	// Tool and Session say how and by whom. Optional.
	Tool, Session string
	// Owner is the identity of the session. Optional.
	Owner string
	// Undoes lists the records that the commit takes back, newest first.
	// Optional.
	Undoes []string
	// Empty lists folders, parents first, that are to go with the removed files
	// in them where nothing else is there. Optional.
	Empty []string
	// Made tells of folders what they are to be like where the commit makes them.
	// Optional.
	Made []history.Folder
}

// chronicle is the part of a commit that happens in the state folder.
type chronicle struct {
	*past
	store    *Store
	journals *os.Root
	slot     *slot
	journal  journal
	sync     bool
	keeping
	files int
	bytes int64
	// full says that the disk was too full for the commit to begin.
	full bool
	// whole is how many bytes of files it has that are not copied.
	whole int64
}

// begin stores the old bytes and writes the journal. From here on a kill leaves
// nothing that the next start does not find.
func (t *transaction) begin(ctx context.Context, s *Store, note Note) error {
	c := &chronicle{store: s, sync: t.sync, keeping: s.keeping}
	t.chronicle = c
	if err := s.openFor(ctx, c); err != nil {
		return err
	}
	if err := t.describe(note); err != nil {
		return err
	}
	t.past, t.id = c.past, c.journal.Record.ID
	data, err := c.journal.encode()
	if err == nil {
		c.slot, err = claim(c.journals, c.journal.Record.Root.Key())
	}
	if err == nil {
		err = c.slot.write(data, t.sync)
	}
	if err != nil {
		c.full = diskFull(err)
		return stateFault("cannot write the journal in the state folder "+s.dir, err)
	}
	return nil
}

// openFor opens the folders that a commit needs in the state folder.
func (s *Store) openFor(ctx context.Context, c *chronicle) error {
	state, err := s.open()
	if err != nil {
		return err
	}
	defer state.Close()
	folder, err := s.folderIn(state, historyFolder)
	if err == nil {
		c.past, err = s.pastIn(ctx, s.wait(), folder)
	}
	if err == nil {
		c.journals, err = s.folderIn(state, journalFolder)
	}
	return err
}

// describe fills in the journal.
func (t *transaction) describe(note Note) error {
	id, err := rootID(t.root)
	if err != nil {
		return fault("", "cannot look at the root", err)
	}
	now := time.Now()
	r := &t.chronicle.journal.Record
	*r = history.Record{ID: history.NewID(now), Time: now.UTC(), Root: id,
		Session: note.Session, Owner: note.Owner, Tool: note.Tool, Undoes: note.Undoes}
	for _, f := range t.files {
		entry, w, err := t.save(f)
		if err != nil {
			return err
		}
		r.Files = append(r.Files, entry)
		t.chronicle.journal.Work = append(t.chronicle.journal.Work, w)
	}
	missing := map[string]bool{}
	for _, f := range t.files {
		if f.Create {
			r.Folders = append(r.Folders, t.missing(path.Dir(f.Path), missing)...)
		}
	}
	for _, dir := range note.Empty {
		t.chronicle.journal.Empty = append(t.chronicle.journal.Empty, history.Name(dir))
		r.Emptied = append(r.Emptied, t.described(dir))
	}
	return nil
}

// missing lists the folders that are not there, parents first.
func (t *transaction) missing(dir string, seen map[string]bool) []history.Name {
	if dir == "." || seen[dir] {
		return nil
	}
	if _, err := t.root.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	seen[dir] = true
	return append(t.missing(path.Dir(dir), seen), history.Name(dir))
}

// finish records the commit, which is done, and gives the slot back.
func (c *chronicle) finish(folders []history.Name, loose bool) (warnings hashline.Diagnostics) {
	r := c.journal.Record
	r.Folders = folders
	if c.bytes > c.history.Room() && c.stays() > c.history.Room() {
		for i := range r.Files {
			if r.Files[i].Old != nil && r.Files[i].NoImage == "" {
				r.Files[i].NoImage = c.noRoom()
			}
		}
	}
	if err := c.append(r); err != nil {
		warnings = append(warnings, noUndo(string(r.Files[0].Real), "its record could not be written: "+reason(err)))
	}
	if r.Tool != "" {
		_, _ = c.history.Count(r.Tool)
	}
	for _, f := range r.Files {
		if f.NoImage != "" {
			warnings = append(warnings, noUndo(string(f.Real), f.NoImage))
		}
	}
	if loose || c.drop() != nil {
		_ = c.slot.mark(markDone, false)
	}
	return warnings
}

// stays gives the bytes that the old versions take.
func (c *chronicle) stays() (all int64) {
	for _, f := range c.journal.Record.Files {
		if f.Old != nil {
			size, _ := c.history.Size(*f.Old)
			all += size
		}
	}
	return all
}

func noUndo(p, why string) *hashline.Diagnostic {
	return &hashline.Diagnostic{Code: hashline.NoUndo, Path: p, Msg: "this change cannot be undone: " + why}
}

// drop ends the journal. One by which recovery would change files must not come
// to life again after a power failure, when the files may be others. Where that
// fails the caller marks how the commit ended.
func (c *chronicle) drop() error {
	first := c.journal.Work[0]
	return c.slot.empty(c.sync && (len(c.journal.Work) > 1 || first.InPlace))
}

// abandon ends the journal of a commit that failed. Where temporary files are
// left the next start removes them. Where bytes are torn it puts them back.
func (c *chronicle) abandon(loose, torn bool) {
	switch {
	case c.slot == nil:
	case torn:
		_ = c.slot.mark(markBack, false)
	case loose || c.drop() != nil:
		_ = c.slot.mark(markFailed, false)
	}
}

// close closes all and reports whether it is time to tidy the history up.
func (c *chronicle) close() (due bool) {
	if c.past != nil && c.files > 0 {
		due, _ = c.history.Grown(c.files, c.bytes)
	}
	if c.slot != nil {
		c.slot.close()
	}
	if c.journals != nil {
		c.journals.Close()
	}
	if c.past != nil {
		c.past.close()
	}
	return due
}
