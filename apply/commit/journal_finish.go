package commit

import (
	"fmt"
	"os"
	"slices"

	"github.com/hashline-go/hashline/apply/commit/beneath"
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
	loose = !t.removeEmpty() || loose
	warnings = append(warnings, t.syncFolders()...)
	var made []history.Name
	for _, d := range t.order {
		if d.made {
			made = append(made, history.Name(d.path))
		}
	}
	return append(warnings, t.chronicle.finish(made, loose)...)
}

// removeEmpty removes the folders that are to go, where they are empty. It
// reports whether another try would be in vain.
func (t *transaction) removeEmpty() bool {
	all := true
	for _, dir := range slices.Backward(t.chronicle.journal.Empty) {
		all = t.removeFolder(string(dir)) && all
	}
	return all
}

func (t *transaction) removeFolder(dir string) bool {
	d := t.folders[dir]
	if d == nil || d.parent == nil || !d.there() {
		return true
	}
	err := removeFolder(d.parent.root, d.name)
	if err == nil {
		d.changed = false
		d.parent.changed = true
	}
	return err == nil || inUse(err) && !d.onlyTemps()
}

// onlyTemps reports whether nothing but temporary files is in the folder: those
// of commits whose processes were killed.
func (d *folder) onlyTemps() bool {
	h, err := d.root.OpenFile(".", os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return false
	}
	defer h.Close()
	names, err := h.Readdirnames(20)
	return err == nil && !slices.ContainsFunc(names, func(name string) bool { return !isTemp(name) })
}

// markStaged notes that every new version is whole, and the digests that are
// only known now. Those must be on the disk before the target can be new.
func (t *transaction) markStaged() error {
	mark, later := "", false
	r := &t.chronicle.journal.Record
	for i, f := range t.files {
		if f.Base != nil {
			d := f.newSum
			r.Files[i].New, r.Files[i].NewTag = &d, f.NewTag
			mark, later = mark+fmt.Sprintf(markNew, i, d), true
		}
	}
	return t.mark(mark+markStaged, t.sync && (later || len(t.files) > 1))
}

// mark notes in the journal how far the commit came.
func (t *transaction) mark(mark string, sync bool) error {
	if err := t.chronicle.slot.mark(mark, sync); err != nil {
		return stateFault("cannot write the journal", err)
	}
	return nil
}
