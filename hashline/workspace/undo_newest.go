package workspace

import (
	"context"
	"strings"
	"time"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// takes reports whether an undo without a path takes a record back: the session's
// own edits, or, of a session without an identity, those of anyone.
func (s *Session) takes(r commit.Record) bool {
	return !byPathAlone(r) && (s.owner == "" || r.Owner == s.owner)
}

// byPathAlone reports a record that is taken back where its file is asked for by
// name: of what an interrupted edit left, or of what setup did.
func byPathAlone(r commit.Record) bool { return r.Of != "" || r.Tool == commit.SetupTool }

// newest gives the newest records that an undo takes back: of one file, by whomever,
// where a place is given.
func (s *Session) newest(ctx context.Context, pl place, steps int) ([]commit.Record, error) {
	var records []commit.Record
	var led history.Name
	var others *commit.Record
	_, err := s.store.Records(s.root, func(r commit.Record) bool {
		switch real := realOf(r, pl); {
		case pl.path == "" && s.takes(r), pl.path != "" && real == history.Name(pl.real):
			records = append(records, r)
		case pl.path != "" && led == "":
			led = real
		case pl.path == "" && others == nil && !byPathAlone(r):
			if r, _ = s.allowed(r); len(r.Files) > 0 {
				others = &r
			}
		}
		return len(records) < steps && ctx.Err() == nil
	})
	if err == nil {
		err = ended(ctx)
	}
	switch {
	case err != nil:
		return nil, err
	case len(records) == steps:
		return records, nil
	case len(records) > 0:
		d := fault(hashline.NoHistory, pl.path, "the history has fewer edits than are to be undone", "")
		d.Msg = "there are not that many edits to undo: the history has " + countOf(len(records), "edit")
		d.Hint = "give fewer steps"
		if pl.path == "" && s.owner != "" {
			d.Msg += " of this session"
		}
		return nil, d
	case led != "" && !s.hidden(string(led)):
		d := fault(hashline.UndoConflict, pl.path, "the path leads elsewhere than when the file was edited: then it was "+string(led), "")
		d.Hint = "undo with path " + string(led) + " takes that edit back"
		return nil, d
	case others != nil:
		return nil, s.noneOfOurs(*others)
	}
	d := fault(hashline.NoHistory, pl.path, "there is no edit to undo in the root "+s.dir, "only edits that were made through these tools in this very root can be undone")
	if pl.path != "" {
		d.Msg = "there is no edit of this file to undo in the root " + s.dir
	}
	if p := s.pathOfHeader(pl.path); p != "" && !pl.exists {
		d.Hint = withoutTag(p)
	}
	return nil, d
}

// noneOfOurs refuses to take back what others did, and tells what that was.
func (s *Session) noneOfOurs(r commit.Record) error {
	var files []string
	for _, f := range r.Files[:min(len(r.Files), maxNamesShown)] {
		files = append(files, cut(string(f.Path), 200))
	}
	what := strings.Join(files, ", ")
	if more := len(r.Files) - len(files); more > 0 {
		what += " and " + countOf(more, "other file")
	}
	whose := s.whose(r)
	if whose == "" {
		whose = " without a session"
	}
	return &hashline.Diagnostic{Code: hashline.NoHistory,
		Msg: "this session has made no edit that can be undone; the newest edit was made " + ago(time.Since(r.Time)) + whose +
			", and changed " + what,
		Hint: "undo with a path takes back the newest edit of that file, whoever made it; ask the user before you take back what others did"}
}

// whose says of which session a record is, beginning with a blank, where that is not
// this one and is known.
func (s *Session) whose(r commit.Record) string {
	name := cut(r.Session, 80)
	switch {
	case r.Tool == commit.SetupTool:
		return " by hashline setup"
	case s.owner != "" && r.Owner == s.owner, s.owner == "" && r.Owner == "" && r.Session == s.name:
		return ""
	case r.Session == s.name && r.Owner == "" && name != "":
		return " in a session of the same name, " + name
	case r.Session == s.name && name != "":
		return " in another session of the same name, " + name
	case name != "" && s.owner == "" && s.name == "":
		return " in the session " + name
	case name != "":
		return " in another session, " + name
	case r.Owner != "":
		return " in another session"
	}
	return ""
}

// realOf gives the file of a record that a place is or, where it is none, the one
// that its path led to; "" where there is neither.
func realOf(r commit.Record, pl place) (real history.Name) {
	for _, f := range r.Files {
		switch {
		case string(f.Real) == pl.real:
			return f.Real
		case string(f.Path) == pl.path:
			real = f.Real
		}
	}
	return real
}
