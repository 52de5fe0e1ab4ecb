package commit

import (
	"errors"
	"os"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// maxCopied is the size of the largest file whose old bytes are copied; a
// variable, so that tests need no large files.
var maxCopied = history.MaxImage

// saveOld puts the old bytes of a file into the history: as a copy or, where
// that would be too much, without copying, by sharing the file's blocks or by
// keeping the inode that is replaced. Where neither works the record says so.
func (c *chronicle) saveOld(f *file, entry *history.File, w *work) (history.Digest, error) {
	if len(f.Old) <= maxCopied {
		return c.put(f, f.Old)
	}
	d := history.Sum(f.Old)
	if f.inPlace {
		return d, &hashline.Diagnostic{Code: hashline.TooLarge, Path: f.Path,
			Msg:  "the file is too large to be written in place: its old bytes could not be kept meanwhile",
			Hint: "edit a copy, or make it a file that can be replaced"}
	}
	err := c.history.Keep(d, func(folder *os.Root, name string) error {
		if err := f.clone(folder, name); err == nil {
			return nil
		}
		w.Kept = true
		return f.link(folder, name)
	})
	if err != nil {
		w.Kept = false
		entry.NoImage = "the file is larger than 64 MiB, and its old version could not be kept without copying it (" + reason(err) + ")"
		return d, nil
	}
	c.files++
	c.bytes += int64(len(f.Old))
	return d, nil
}

var errOther = errors.New("it is another file by now")

// link gives the target's inode a name in the history, which becomes its only
// one when it is replaced.
func (f *file) link(folder *os.Root, name string) error {
	if err := linkAcross(f.folder.root, f.name, folder, name); err != nil {
		return err
	}
	if info, err := folder.Lstat(name); err != nil || !os.SameFile(info, f.before) {
		return errOther
	}
	return nil
}

// clone shares the target's blocks with a new file in the history.
func (f *file) clone(folder *os.Root, name string) error {
	from, err := f.folder.root.OpenFile(f.name, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return err
	}
	defer from.Close()
	if info, err := from.Stat(); err != nil || !os.SameFile(info, f.before) {
		return errOther
	}
	to, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = cloneFile(to, from)
	if cerr := to.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = folder.Remove(name)
	}
	return err
}
