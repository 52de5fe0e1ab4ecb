package commit

import (
	"cmp"
	"sync"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// save puts the old bytes of a file into the history and describes its change.
func (t *transaction) save(f *file) (history.File, work, error) {
	c := t.chronicle
	entry := history.File{Path: history.Name(f.Shown), Real: history.Name(f.Path),
		OldTag: f.OldTag, NewTag: f.NewTag, Added: f.Added, Removed: f.Removed}
	if f.Shown == "" {
		entry.Path = entry.Real
	}
	if !f.Remove && f.Base == nil {
		entry.Delta = history.DeltaOf(f.Old, f.New)
	}
	w := work{Stage: f.stageName, Back: f.backName, InPlace: f.inPlace}
	var newErr error
	digest := func() {
		var d history.Digest
		if d, newErr = c.digestNew(f); newErr == nil {
			entry.New = &d
		}
	}
	wait := func() {}
	switch {
	case f.Remove:
	case f.Base != nil:
		w.Later = true
	case f.inPlace || f.Create || len(f.New) < large:
		digest()
	default:
		// The old bytes are stored meanwhile. A sum alone cannot fail.
		var wg sync.WaitGroup
		wg.Go(func() {
			d := history.Sum(f.New)
			entry.New = &d
		})
		wait = wg.Wait
	}
	var err error
	if !f.Create && newErr == nil {
		entry.Mode, w.Time = f.before.Mode()&keptBits, f.before.ModTime().UnixNano()
		if f.Remove {
			entry.Kept, entry.NoKept = f.kept.record()
		}
		var d history.Digest
		d, err = t.saveOld(f, &entry, &w)
		entry.Old = &d
	}
	wait()
	return entry, w, cmp.Or(newErr, err)
}

// digestNew gives the digest of the new bytes. Those that are written in place
// are stored too: half written, only they and the old ones tell what is ours.
func (c *chronicle) digestNew(f *file) (history.Digest, error) {
	if !f.inPlace {
		return history.Sum(f.New), nil
	}
	return c.put(f, f.New)
}

// large is the size from which on a file is worth a second thread.
const large = 256 << 10

func (c *chronicle) put(f *file, data []byte) (history.Digest, error) {
	d, err := c.history.Put(data, c.sync)
	return d, c.stored(f, len(data), err)
}

// stored counts what was stored, or says why it was not.
func (c *chronicle) stored(f *file, size int, err error) error {
	if err != nil {
		if c.slot == nil { // it is just beginning
			c.full = diskFull(err)
		}
		why := stateFault("cannot store the file's bytes in the history, in the state folder", err)
		why.Path = f.Path
		return why
	}
	c.grown(size)
	return nil
}
