package workspace

import (
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// Live gives a function that reads the files of one document as they are now,
// for package card. It makes the checks that an edit makes of a file (spec 6,
// steps 2 and 3) and gives their faults; what may not be read is not. That the
// workspace is read-only is no fault. It is for one goroutine.
func (s *Session) Live() func(path string) (snapshot.Snapshot, error) {
	var seen []*target
	together := int64(0)
	return func(path string) (snapshot.Snapshot, error) {
		t := &target{section: &hashline.Section{Path: path}}
		s.look(t)
		if dups := sameFiles(append(seen, t)); len(dups) > 0 {
			return snapshot.Snapshot{}, dups
		}
		seen = append(seen, t)
		if t.err == nil {
			if together += t.place.info.Size(); together > maxTogether && len(seen) > 1 {
				t.err = filesTooLarge(t.place.path)
			}
		}
		if t.err == nil {
			t.file, t.err = s.load(t.place)
		}
		if t.err != nil {
			faults := faultsOf(t.err)
			s.nameClose(faults)
			return snapshot.Snapshot{}, faults
		}
		snap := t.file.snap
		t.file = file{} // the caller keeps the text
		return snap, nil
	}
}
