package commit

import (
	"os"
	"strings"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// Abilities tells what the file system of a folder and the system can do, which
// decides how much of what other programs write meanwhile is noticed (spec 11).
type Abilities struct {
	// Exchange: two files can exchange their names, so that a replaced file is
	// looked at before it goes.
	Exchange bool
	// Lease: the kernel tells who else has a file open for writing.
	Lease bool
	// FolderSync: a folder can be synced.
	FolderSync bool
}

// Probe tries what can be done in the root itself, with two temporary files that
// it takes away again. Errors are a *hashline.Diagnostic: no file can be made
// there (denied, read_only, io).
func Probe(root *os.Root) (Abilities, error) {
	var can Abilities
	d := &folder{path: ".", root: root}
	defer func() {
		if d.self != nil {
			d.self.Close()
		}
	}()
	a, b := tempName(), tempName()
	for _, name := range []string{a, b} {
		if _, err := d.stage(name, name, writes([]byte("probe\n")), nil, false); err != nil {
			return can, err
		}
		defer root.Remove(name)
	}
	if h, err := d.handle(); err == nil {
		can.Exchange = exchangeNames(h, a, b) == nil
	}
	if f, err := root.Open(a); err == nil {
		can.Lease, _ = takeLease(f)
		f.Close()
	}
	can.FolderSync = d.sync() == nil
	return can, nil
}

// Journals counts the journals of a root's commits that were interrupted and
// wait for a recovery, and those of all roots that a recovery put aside. Errors
// are a *hashline.Diagnostic: denied or io.
func (s *Store) Journals(root *os.Root) (waiting, aside int, err error) {
	dir, err := s.existing(journalFolder)
	if err != nil || dir == nil {
		return 0, 0, err
	}
	defer dir.Close()
	id, err := rootID(root)
	if err != nil {
		return 0, 0, fault("", "cannot look at the root", err)
	}
	if waiting, err = waitingSlots(dir, id); err != nil {
		return 0, 0, stateFault("cannot look at the journals in the state folder "+s.dir, err)
	}
	names, err := slotNames(dir, "")
	if err != nil {
		return 0, 0, stateFault("cannot look at the journals in the state folder "+s.dir, err)
	}
	for _, name := range names {
		if strings.HasPrefix(name, asidePrefix) {
			aside++
		}
	}
	return waiting, aside, nil
}

// waitingSlots counts the slots of a root that are not empty and nobody's.
func waitingSlots(dir *os.Root, id history.Root) (int, error) {
	names, err := slotNames(dir, id.Key())
	if err != nil {
		return 0, err
	}
	n := 0
	for _, name := range names {
		slot, err := openSlot(dir, name, 0)
		if err != nil || slot == nil {
			continue
		}
		if info, err := slot.file.Stat(); err == nil && info.Size() > 0 {
			n++
		}
		slot.close()
	}
	return n, nil
}
