package workspace

import (
	"fmt"

	"github.com/hashline-go/hashline/apply/commit"
)

// nameLater names, for the files that are no longer what the edits left, the edit
// that made them so, where the history has it, and whose it was. It reads the history
// once for all, down to the oldest of the edits that were to be taken back.
func (s *Session) nameLater(files []*reversal, records []commit.Record) {
	changed := map[string]*reversal{}
	for _, f := range files {
		if f.conflict != nil {
			changed[f.real] = f
		}
	}
	if len(changed) == 0 {
		return
	}
	// steps leads from the newest edit of all to the newest that was to be taken back,
	// where an undo without a path takes all of these.
	newest, oldest := records[0], records[len(records)-1]
	steps, all, counting := 0, s.takes(newest), true
	later := map[string]commit.Record{}
	_, _ = s.store.Records(s.root, func(r commit.Record) bool {
		if counting && s.takes(r) {
			steps++
		}
		counting = counting && r.ID != newest.ID
		if r.ID == oldest.ID {
			return false
		}
		for _, g := range r.Files {
			real := string(g.Real)
			if f := changed[real]; f != nil && later[real].ID == "" && equal(g.New, f.found) {
				later[real] = r
				all = all && s.takes(r)
			}
		}
		return true
	})
	for real, r := range later {
		f := changed[real]
		f.conflict.Msg = "the file is no longer what the edit left: the edit " + ShortID(r) + s.whose(r) + " changed it since"
		f.conflict.Hint = fmt.Sprintf("take that back first, with undo of %s", f.path)
		if steps > 1 && all {
			f.conflict.Hint += fmt.Sprintf(", or all since with steps %d and no path", steps)
		}
	}
}
