package commit

import (
	"errors"
	"io/fs"

	"github.com/hashline-go/hashline/hashline"
)

// unname takes the target's name away. The file stands under the name of its
// temporary file until the commit is done, as a replaced one does, so that it
// can be given back, with whatever another writer made of it in the last instant.
func (t *transaction) unname(f *file) error {
	if err := renameNew(f.folder.root, f.name, f.stageName); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return changed(f.Path, "the file is gone")
		}
		return fault(f.Path, "cannot take the file away", err)
	}
	f.temp, f.folder.changed = f.stageName, true
	if f.target != nil && t.cameOut(f) {
		f.swapped = true
		return nil
	}
	same := false
	if info, err := f.folder.root.Lstat(f.temp); err == nil && f.target == nil && info.Mode().IsRegular() {
		same, _ = t.holdsAs(f, f.temp, info, f.oldVersion())
	}
	if same {
		return nil
	}
	f.left = t.giveBack(f)
	return changed(f.Path, "the file was replaced")
}

// giveBack gives a removed file its name again.
func (t *transaction) giveBack(f *file) *hashline.Diagnostic {
	if f.temp == "" {
		return stuck(f, fault(f.Path, "it is gone", fs.ErrNotExist))
	}
	f.swapped = false
	t.keepHidden(f)
	err := renameNew(f.folder.root, f.temp, f.name)
	if err == nil {
		f.temp = ""
		return nil
	}
	t.spare(f)
	return stuck(f, fault(f.Path, "cannot give the removed file its name back", err))
}
