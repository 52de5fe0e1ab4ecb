package commit

import (
	"bytes"
	"context"
	"os"
)

// prepare opens every target. It stops at the first fault, since the next file
// would often meet the same.
func (t *transaction) prepare(ctx context.Context, changes []Change) error {
	for _, c := range changes {
		if !c.Create && !c.Remove && c.Base == nil && bytes.Equal(c.Old, c.New) {
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
	if err == nil && f.InPlace && !f.Remove {
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
		if f.Create && f.Attributes != nil {
			f.kept = recorded(*f.Attributes)
		}
		staged, err := f.folder.stage(f.stageName, f.Path, t.newBytes(f), f.kept, t.sync)
		if err != nil {
			return err
		}
		f.temp, f.wrote = f.stageName, staged
	}
	return nil
}

// newBytes gives what writes the new bytes of a file.
func (t *transaction) newBytes(f *file) func(*os.File) error {
	if f.Base == nil {
		return writes(f.New)
	}
	return func(h *os.File) error {
		same, err := t.stream(h, f)
		if err == nil && !same {
			err = changed(f.Path, "its bytes changed")
		}
		return err
	}
}

// oldBytes gives what writes the old bytes of a file.
func (f *file) oldBytes() func(*os.File) error {
	if f.Base == nil {
		return writes(f.Old)
	}
	return func(h *os.File) error {
		same, err := f.copyOld(h)
		if err == nil && !same {
			err = errChanged
		}
		return err
	}
}

func writes(data []byte) func(*os.File) error {
	return func(h *os.File) error {
		_, err := h.Write(data)
		return err
	}
}
