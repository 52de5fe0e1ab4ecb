package workspace

import (
	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// target is one section of a document on its way to the disk.
type target struct {
	section *hashline.Section
	place   place
	// found tells whether the path could be resolved.
	found bool
	file  file
	// err is the fault of step 3, which stops all later steps.
	err    error
	faults hashline.Diagnostics
	// shown tells whether the refusal carries a live snapshot of the file.
	shown bool
	// also are rows that it shows beside those of the anchors.
	also []int
	// version is what the ledger knows the file by, where there is one.
	version ledger.Version
	// why is the reason of a stale tag; where says where the lines of a text are
	// now that is no longer what it was.
	why   ledger.Reason
	where string
	// rebased is what the section was before it was corrected.
	rebased *hashline.Section
	// offers are the operations that a refusal spells out, named those that it
	// does where its text has room.
	offers []ledger.Offer
	named  []naming
	edit   *apply.Edit
	// after is the text that the edit leaves.
	after snapshot.Snapshot
	// tagger has its tag where that is made with it.
	tagger snapshot.Tagger
}

// sameFiles finds sections that name one file by different paths (spec 6, step
// 2).
func sameFiles(targets []*target) hashline.Diagnostics {
	var found hashline.Diagnostics
	byReal := map[string]*target{}
	byID := map[commit.ID]*target{}
	for _, t := range targets {
		if !t.found || !t.place.exists && t.err != nil {
			continue
		}
		first := byReal[t.place.real]
		if id, ok := t.place.info.ID(); ok && first == nil {
			if first = byID[id]; first == nil {
				byID[id] = t
			}
		}
		if first != nil {
			found = append(found, hashline.Duplicate(t.place.path, t.section.Pos, first.place.path, first.section.Pos))
			continue
		}
		byReal[t.place.real] = t
	}
	return found
}

// look resolves a section's path and tells whether what is there can be edited
// (spec 6, step 3).
func (w *core) look(t *target) {
	t.place, t.err = w.resolve(t.section.Path)
	t.found = t.err == nil
	if t.err == nil && !t.place.exists {
		d := notFound(t.place.path)
		d.Hint = useWrite
		t.err = d
	}
	if t.err == nil {
		t.err = w.writable(t.place)
	}
}

// maxTogether is how many bytes the files of one document may have together:
// all of them are held in memory, old and new.
const maxTogether = MaxFile

// closeAll ends the use of the files' texts.
func closeAll(targets []*target) {
	for _, t := range targets {
		t.file.close()
	}
}

// validateAll runs steps 3 to 8 over all sections and reports whether they all
// pass.
func (s *Session) validateAll(targets []*target) bool {
	ok, together := true, int64(0)
	for _, t := range targets {
		if t.err == nil {
			if together += t.place.info.Size(); together > maxTogether && len(targets) > 1 {
				t.err = filesTooLarge(t.place.path)
			}
		}
		s.validate(t)
		ok = ok && len(t.faults) == 0
	}
	return ok
}

func filesTooLarge(path string) error {
	return fault(hashline.TooLarge, path, "the files of this document are larger than 1 GiB together", "edit them in several documents")
}

// validate runs steps 3 to 8 of spec 6 over one section and plans its edit.
func (s *Session) validate(t *target) {
	path := t.place.path
	fail := func(err error) {
		t.faults = faultsOf(at(path, err))
		if t.shown {
			live := t.file.snap.Tag
			for _, d := range t.faults {
				d.Live = &live
			}
		}
		for _, d := range t.faults {
			if !d.Pos.IsValid() {
				d.Pos = t.section.Pos
			}
		}
	}
	if t.err == nil {
		t.file.close()
		t.file, t.err = s.loadLarge(t.place, true)
	}
	if t.err != nil {
		fail(t.err)
		return
	}
	t.shown = true
	verdict := s.judge(t)
	if err := s.stale(t, verdict); err != nil {
		fail(err)
		return
	}
	edit, err := apply.Apply(t.file.snap.Text, t.section.Ops)
	if err == nil {
		err = s.misnumbered(t, verdict)
	}
	if err != nil {
		fail(err)
		return
	}
	if err := t.file.failed(); err != nil {
		t.shown = false
		fail(err)
		return
	}
	if d := s.unseen(verdict); d != nil {
		edit.Warnings = append(edit.Warnings, d)
	}
	for _, d := range edit.Warnings {
		d.Path = path
	}
	after := t.file.snap.Text
	if edit.Changed && after.InMemory() {
		after = after.With(edit.Bytes)
	} else if edit.Changed {
		after = after.Splice(edit.Parts)
	}
	if after.RawSize() > MaxFile {
		fail(fault(hashline.TooLarge, path, "the file would be larger than 1 GiB", "write less"))
		return
	}
	t.edit, t.shown, t.after = edit, false, t.file.snap
	if edit.Changed && after.InMemory() {
		t.after = snapshot.Take(path, s.scheme, after)
	} else if edit.Changed {
		t.after = snapshot.Snapshot{Path: path, Text: after}
	}
}
