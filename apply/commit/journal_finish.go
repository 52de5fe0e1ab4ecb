package commit

import (
	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// finish ends a commit all of whose files are new: nothing of this can make it
// fail any more.
func (t *transaction) finish() hashline.Diagnostics {
	warnings := t.retireAll()
	loose := len(t.discard()) > 0
	for _, d := range warnings {
		loose = loose || d.Code == hashline.IO
	}
	t.removeEmpty()
	warnings = append(warnings, t.syncFolders()...)
	var made []history.Name
	for _, d := range t.order {
		if d.made {
			made = append(made, history.Name(d.path))
		}
	}
	return append(warnings, t.chronicle.finish(made, loose)...)
}

// removeEmpty removes the folders that are to go, where they are empty.
func (t *transaction) removeEmpty() {
	list := t.chronicle.journal.Empty
	for i := len(list) - 1; i >= 0; i-- {
		t.removeFolder(string(list[i]))
	}
}

func (t *transaction) removeFolder(dir string) {
	d := t.folders[dir]
	if d == nil || d.parent == nil || !d.there() {
		return
	}
	if removeFolder(d.parent.root, d.name) == nil {
		d.changed = false
		d.parent.changed = true
	}
}
