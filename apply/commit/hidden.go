package commit

import (
	"errors"
	"io"
	"math"
	"os"

	"github.com/hashline-go/hashline/apply/commit/beneath"
)

// keepHidden puts a copy of another writer's version, which stands under f.temp and
// is about to have the file's name again, into the history for a day. Who reads
// ours in the instant before, and puts what it makes of that in the place of this
// one, does not know that there is something to lose.
//
// It is one more copy of what is in its place: where it cannot be made nothing
// is said.
func (t *transaction) keepHidden(f *file) {
	h, err := f.folder.root.OpenFile(f.temp, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return
	}
	defer h.Close()
	info, err := h.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	if f.before != nil && os.SameFile(info, f.before) && t.intact(f) == nil {
		return // not another writer's
	}
	if t.past == nil {
		return
	}
	t.late(f, info.Size(), func(folder *os.Root, as string) error {
		return copyInto(folder, as, h, info.Size())
	})
}

// copyInto makes a new file of what another holds, by sharing its blocks where
// that goes, and else where it is not too large to be copied.
func copyInto(folder *os.Root, name string, from *os.File, size int64) error {
	err := cloneAs(folder, name, from)
	if err == nil || size > maxCopied {
		return err
	}
	return make600(folder, name, func(to *os.File) error {
		_, err := io.Copy(to, io.NewSectionReader(from, 0, math.MaxInt64))
		return err
	})
}

// make600 makes a file and has fill fill it, or leaves nothing.
func make600(folder *os.Root, name string, fill func(*os.File) error) error {
	to, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(fill(to), to.Close())
	if err != nil {
		_ = folder.Remove(name)
	}
	return err
}
