package commit

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/apply/commit/history"
)

// sector is the piece that a disk writes as a whole.
const sector = 512

// torn reports whether the target is being overwritten: each piece of it is the
// old version's or the new one's, which no other writer's bytes are.
func (r *recovery) torn(e *end) bool {
	if !e.work.InPlace || e.isOld() || e.isNew() || e.target == nil || !e.target.info.Mode().IsRegular() || e.old == nil || e.new == nil {
		return false
	}
	old, err := r.past.history.Get(*e.old)
	if err != nil {
		return false
	}
	new, err := r.past.history.Get(*e.new)
	if err != nil {
		return false
	}
	longer := int64(max(len(old), len(new)))
	if e.target.info.Size() > longer {
		return false
	}
	h, err := e.folder.root.OpenFile(e.name, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return false
	}
	defer h.Close()
	got, err := io.ReadAll(io.NewSectionReader(h, 0, longer+1))
	return err == nil && patchwork(got, old, new)
}

// patchwork reports whether got is made of sectors of two versions. It may end where
// either ends, or where a write of the longer one did.
func patchwork(got, old, new []byte) bool {
	shorter, longer := min(len(old), len(new)), max(len(old), len(new))
	if len(got) < shorter || len(got) > longer {
		return false
	}
	for at := 0; at < len(got); at += sector {
		end := min(at+sector, len(got))
		// The old version may have been written over the new one, to put it back.
		if !pieceOf(got, old, at, end) && !pieceOf(got, new, at, end) && !seam(got, old, new, at, end) && !seam(got, new, old, at, end) {
			return false
		}
	}
	return true
}

func pieceOf(got, version []byte, at, end int) bool {
	return end <= len(version) && bytes.Equal(got[at:end], version[at:end])
}

// seam reports whether a sector begins with bytes that were written and ends with
// some that were there: where a write was cut off, or where what is written ends.
func seam(got, there, written []byte, at, end int) bool {
	n := 0
	for at+n < min(end, len(written)) && got[at+n] == written[at+n] {
		n++
	}
	for cut := at + n; cut >= at; cut-- {
		if end <= len(there) && bytes.Equal(got[cut:end], there[cut:end]) {
			return true
		}
	}
	return false
}

// mend writes a version over a target that is the other one, or torn.
func (r *recovery) mend(e *end, to history.Digest) error {
	data, err := r.past.history.Get(to)
	if err != nil {
		return lost(e, err)
	}
	h, err := e.folder.root.OpenFile(e.name, os.O_RDWR|beneath.NoWait, 0)
	if err != nil {
		return fault(e.Path, "cannot open the file for writing", err)
	}
	defer h.Close()
	info, err := h.Stat()
	if err != nil || !os.SameFile(info, e.target.info) {
		return changed(e.Path, "the file was replaced")
	}
	if info.Size() != e.target.info.Size() {
		return changed(e.Path, "the file changed")
	}
	// Where somebody else has it open a look must do.
	_, _ = r.patiently(takeWriteLease, h)
	now, err := io.ReadAll(io.NewSectionReader(h, 0, info.Size()))
	if err != nil || history.Sum(now) != e.target.digest {
		return changed(e.Path, "the file changed")
	}
	p := pouring{r.transaction, e.file, h, now, data, modeNow(info.Mode(), e.mode)}
	switch err := p.run(); {
	case errors.Is(err, errNotPoured), errors.Is(err, errMixed):
		return changed(e.Path, "the file changed")
	case err != nil:
		return fault(e.Path, "cannot write the file in place", err)
	}
	return nil
}

// modeNow gives the mode that a file is to have which had mode before: the one it
// has now, but writing to it may have taken setuid and setgid away.
func modeNow(now, before fs.FileMode) fs.FileMode {
	const taken = fs.ModeSetuid | fs.ModeSetgid
	now, before = now&keptBits, before&keptBits
	if now&^taken == before&^taken {
		return before
	}
	return now
}
