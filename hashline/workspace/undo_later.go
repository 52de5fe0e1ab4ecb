package workspace

import (
	"fmt"

	"github.com/hashline-go/hashline/apply/commit"
)

// nameLater names, for the files that are no longer what the edits left, the edit
// of ours that made them so, where it is one. It reads the history once for all,
// down to the newest edit that was to be taken back.
func (w *core) nameLater(files []*reversal, newest commit.Record) {
	changed := map[string]*reversal{}
	for _, f := range files {
		if f.conflict != nil {
			changed[f.real] = f
		}
	}
	if len(changed) == 0 {
		return
	}
	steps := 0 // from the newest edit of all to the one that was to be taken back
	later := map[string]string{}
	_, _ = w.store.Records(w.root, func(r commit.Record) bool {
		if r.Of == "" {
			steps++
		}
		if r.ID == newest.ID {
			return false
		}
		for _, g := range r.Files {
			real := string(g.Real)
			if f := changed[real]; f != nil && later[real] == "" && equal(g.New, f.found) {
				later[real] = ShortID(r)
			}
		}
		return true
	})
	for real, id := range later {
		f := changed[real]
		f.conflict.Msg = "the file is no longer what the edit left: the edit " + id + " changed it since"
		f.conflict.Hint = fmt.Sprintf("take that back first, with undo of %s", f.path)
		if steps > 1 {
			f.conflict.Hint += fmt.Sprintf(", or all since with steps %d and no path", steps)
		}
	}
}
