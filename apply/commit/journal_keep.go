package commit

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// keeping says how the history keeps the old bytes of files of which size, in
// bytes. Tests have smaller ones.
type keeping struct {
	// copyTo is the size of the largest file whose old bytes are copied.
	copyTo int
	// keepFrom is the size from which on the history keeps the file that is
	// replaced, where it can, in place of a compressed copy. Compressing 1 MiB
	// and writing it takes about 1.5 ms, as long as all else that is done to the
	// bytes; below it the room that a copy saves is worth more.
	keepFrom int
}

const maxCopied = history.MaxImage

var usualKeeping = keeping{copyTo: maxCopied, keepFrom: 1 << 20}

// saveOld puts the old bytes of a file into the history: as a copy or, where
// that would be too much, without copying, by sharing the file's blocks or by
// keeping the inode that is replaced, if a lease says that nobody can write to it.
// Where none works the record says so.
//
// A file that is kept goes there when the commit is done: until then it stands
// under the name of its temporary file, where a recovery finds it.
func (t *transaction) saveOld(f *file, entry *history.File, w *work) (history.Digest, error) {
	c := t.chronicle
	size := f.oldVersion().size
	if size > c.copyTo && !f.inPlace {
		if c.whole += int64(size); c.whole > c.history.Room() {
			entry.NoImage = c.noRoom()
			return f.oldDigest(), nil
		}
	}
	if size >= min(c.keepFrom, c.copyTo) && !f.inPlace && c.movable(f) {
		// A file that nobody has open for writing, and nobody can open, since it
		// gets a name in our folder alone, stays what it is. One that somebody
		// has open is refused when all files are compared, unless he has closed
		// it by then.
		busy := t.lease(f) != nil
		f.keep = f.leased && !busy || busy && size > c.copyTo
	}
	switch {
	case f.keep:
		w.Kept, f.old = true, f.oldDigest()
		return f.old, nil
	case size <= c.copyTo && (f.Base == nil || !f.inPlace):
		return c.putOld(f)
	case f.inPlace:
		return history.Digest{}, &hashline.Diagnostic{Code: hashline.TooLarge, Path: f.Path,
			Msg:  "the file is too large to be written in place: its old bytes could not be kept meanwhile",
			Hint: "edit a copy, or make it a file that can be replaced"}
	}
	f.old = f.oldDigest()
	if err := c.history.Keep(f.old, f.clone); err != nil {
		entry.NoImage = tooLargeToCopy(err)
		return f.old, nil
	}
	c.grown(size)
	return f.old, nil
}

// noRoom says that old versions would be taken away as soon as they are kept, and
// all others with them.
func (c *chronicle) noRoom() string {
	return fmt.Sprintf("its old version, or all of this edit together, is more than the history may hold (%.4g MiB)", float64(c.history.Room())/(1<<20))
}

func tooLargeToCopy(err error) string {
	return "the file is larger than 64 MiB, and its old version could not be kept without copying it (" + reason(err) + ")"
}

func (c *chronicle) grown(size int) {
	c.files++
	c.bytes += int64(size)
}

// movable reports whether the target can be expected to move into the history:
// it stays whole when it is replaced, has no other names, by which it could be
// changed later, and is on the same file system.
func (c *chronicle) movable(f *file) bool {
	if f.folder.plain || f.target == nil {
		return false
	}
	info, err := c.root.Stat(".")
	if err != nil {
		return false
	}
	here, links, ok := identify(f.folder.root, f.name, f.before)
	there, _, ok2 := identify(c.root, ".", info)
	return ok && ok2 && links == 1 && here.device == there.device
}

// keepReplaced moves the replaced file, which stands under f.temp, into the
// history.
func (c *chronicle) keepReplaced(f *file) error {
	err := c.adopt(f, f.temp, f.old)
	if err == nil {
		f.keep = false
		c.grown(f.oldVersion().size)
	}
	return err
}

// adopt moves a file out of f's folder into the history.
func (p *past) adopt(f *file, name string, d history.Digest) error {
	return p.history.Adopt(d, func(folder *os.Root, as string) error {
		return moveAcross(f.folder.root, name, folder, as)
	})
}

// preserve stores the old bytes of a file that was to be kept and cannot be, for
// it will not stay whole, or will not move. Where there will be no old version the
// record says so. An error is for who can still refuse the commit.
func (c *chronicle) preserve(f *file, why error) error {
	f.keep = false
	if f.oldVersion().size <= c.copyTo {
		_, err := c.putOld(f)
		if err != nil {
			c.noImage(f, diagnostics(err)[0].Msg)
		}
		return err
	}
	if c.history.Keep(f.old, f.clone) != nil {
		c.noImage(f, tooLargeToCopy(why))
		return nil
	}
	c.grown(f.oldVersion().size)
	return nil
}

// noImage notes why the history has no old version of a file.
func (c *chronicle) noImage(f *file, why string) {
	for i, w := range c.journal.Work {
		if w.Stage == f.stageName {
			c.journal.Record.Files[i].NoImage = why
		}
	}
}

// putOld stores a compressed copy of the old bytes.
func (c *chronicle) putOld(f *file) (history.Digest, error) {
	if f.Base == nil {
		return c.put(f, f.Old)
	}
	d := f.oldDigest()
	err := c.history.PutFrom(d, f.Base.Size, io.NewSectionReader(f.target, 0, math.MaxInt64), c.sync)
	if errors.Is(err, history.ErrCorrupt) {
		return d, changed(f.Path, "its bytes changed")
	}
	return d, c.stored(f, f.Base.Size, err)
}

// clone shares the target's blocks with a new file in the history.
func (f *file) clone(folder *os.Root, name string) error {
	if f.target == nil {
		return errors.ErrUnsupported
	}
	return cloneAs(folder, name, f.target)
}
