package workspace

import (
	"context"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

// HardLinks says what becomes of a file that a rename cannot replace: because
// it has other names, is a mount point, or lies in a folder without write
// permission (spec 6 and 11).
type HardLinks string

const (
	// RefuseHardLinks refuses to edit such a file. It is the default.
	RefuseHardLinks HardLinks = "refuse"
	// ReplaceHardLinks parts the edited name from the others, which keep the
	// old text. The other two kinds are refused.
	ReplaceHardLinks HardLinks = "replace"
	// InPlace overwrites the file, all of its names, with a copy of the old
	// bytes kept meanwhile. A reader may see a part of the new text.
	InPlace HardLinks = "in_place"
)

// pending is one file on its way to the disk.
type pending struct {
	place place
	// create and remove say that there is no file before, or after.
	create, remove bool
	// old and new are the bytes of the file.
	old, new []byte
	// attributes are those of a file to be created, where it is known what they were.
	attributes *commit.Attributes
	change     FileChange
	spans      []Changed
	// streamed takes the place of old and new where the file is too large.
	streamed *streamed
}

// put puts files on disk, all or none, under locks that the caller holds, and
// tells the host about it. Commit knows files by their real paths, the agent by
// those it wrote: warnings and faults name the latter.
func (s *Session) put(ctx context.Context, note commit.Note, files []pending) (hashline.Diagnostics, error) {
	note.Session, note.Owner = s.name, s.owner
	var changes []commit.Change
	for _, f := range files {
		c := commit.Change{
			Path: f.place.real, Old: f.old, New: f.new, Create: f.create, Remove: f.remove, Attributes: f.attributes,
			InPlace: s.hardLinks == InPlace, Shown: f.place.path, Added: f.change.Added, Removed: f.change.Removed,
		}
		if st := f.streamed; st != nil {
			c.Base, c.Parts, c.Rest, c.RestFrom, c.Tagged = st.base, st.parts, st.rest, st.restFrom, st.tagged
		}
		if f.change.OldTag != nil {
			c.OldTag = f.change.OldTag.String()
		}
		if f.change.NewTag != nil {
			c.NewTag = f.change.NewTag.String()
		}
		changes = append(changes, c)
	}
	if len(changes) == 0 {
		return nil, nil
	}
	warnings, err := s.store.CommitNoted(ctx, s.root, note, changes)
	for _, f := range files {
		for _, ds := range [...]hashline.Diagnostics{warnings, ifFaults(err)} {
			for _, d := range ds {
				if d.Path == f.place.real {
					d.Path = f.place.path
				}
			}
		}
	}
	if err == nil && s.onCommit != nil {
		for _, f := range files {
			s.onCommit(Event{Tool: note.Tool, Path: f.place.path, OldTag: f.change.OldTag, NewTag: f.change.NewTag, Spans: f.spans})
		}
	}
	return warnings, err
}

func ifFaults(err error) hashline.Diagnostics {
	if err == nil {
		return nil
	}
	return faultsOf(err)
}

// count notes, for the statistics, that a call which would have changed files
// was refused.
func (s *Session) count(err error) {
	if err != nil && !s.policy.readOnly && s.store != nil {
		for _, d := range faultsOf(err)[:1] {
			code := d.Code
			if code.IsSyntax() {
				code = hashline.Syntax
			}
			s.store.Count("refused_" + string(code))
		}
	}
}
