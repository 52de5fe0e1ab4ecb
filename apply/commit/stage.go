package commit

import (
	"bytes"
	"context"
)

// prepare opens every target. It stops at the first fault, since the next file
// would often meet the same.
func (t *transaction) prepare(ctx context.Context, changes []Change) error {
	for _, c := range changes {
		if !c.Create && !c.Remove && bytes.Equal(c.Old, c.New) {
			continue
		}
		if err := cancelled(ctx); err != nil {
			return err
		}
		if err := checkPath(c.Path); err != nil {
			return err
		}
		_, name := split(c.Path)
		f := &file{Change: c, name: name, stageName: tempName(), backName: tempName()}
		if !c.Create {
			if err := t.open(f); err != nil {
				return err
			}
		}
		t.files = append(t.files, f)
	}
	return nil
}

// open finds the folder, which is made where it is missing and may be, and,
// unless it is to be created, the target.
func (t *transaction) open(f *file) error {
	dir, _ := split(f.Path)
	d, err := t.folder(f.Path, dir, f.Create)
	if err != nil {
		return err
	}
	if err := d.changeable(f.Path); err != nil {
		return err
	}
	f.folder = d
	if f.Create {
		return nil
	}
	if f.before, err = f.lookup(); err == nil {
		err = f.inspect()
	}
	if err == nil && f.InPlace {
		f.inPlace = t.irreplaceable(f)
	}
	return err
}

// stageAll writes every new version beside its target.
func (t *transaction) stageAll(ctx context.Context) error {
	for _, f := range t.files {
		if err := cancelled(ctx); err != nil {
			return err
		}
		if f.Create {
			if err := t.open(f); err != nil {
				return err
			}
		}
		if f.Remove || f.inPlace {
			continue
		}
		staged, err := f.folder.stage(f.stageName, f.Path, f.New, f.kept, t.sync)
		if err != nil {
			return err
		}
		f.temp, f.wrote = f.stageName, staged
		if f.Create && f.Mode != 0 {
			if err := f.folder.root.Chmod(f.temp, f.Mode&keptBits); err != nil {
				return notKept(f.Path, err)
			}
		}
	}
	return nil
}
