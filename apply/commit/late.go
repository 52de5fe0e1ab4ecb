package commit

import (
	"os"
	"slices"
)

// keepLate moves a replaced file into the history, where it stays for a day:
// where there are no leases another program may have it open, and what that
// writes goes there (spec 11). It cannot where the two lie on different file
// systems.
func (t *transaction) keepLate(f *file) bool {
	c := t.chronicle
	size := f.before.Size()
	if !c.late(f, f.temp, c.journal.Record.ID, slices.Index(t.files, f)) {
		return false
	}
	c.files++
	c.bytes += size
	return true
}

// late moves what stands under a name in f's folder: file n of a record.
func (p *past) late(f *file, name, id string, n int) bool {
	return p.history.KeepLate(id, n, func(folder *os.Root, as string) error {
		return moveAcross(f.folder.root, name, folder, as)
	}) == nil
}
