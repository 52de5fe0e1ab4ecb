package workspace

import (
	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// notTooMuch refuses to take back edits of files that are too much to be held, before
// any is read: as they are, or as they become. One file is no more than could be
// edited.
func (w *core) notTooMuch(files []*reversal) error {
	if len(files) < 2 {
		return nil
	}
	var digests []history.Digest
	var now []int64
	for _, f := range files {
		if info, err := w.root.Lstat(f.real); err == nil {
			now = append(now, info.Size())
		}
		if f.then != nil {
			digests = append(digests, *f.then)
		}
	}
	then, err := w.store.Lengths(digests)
	if err != nil {
		return err
	}
	if sum(now) > maxTogether || sum(then) > maxTogether {
		return fault(hashline.TooLarge, "", "the files of these edits are larger than 1 GiB together", "give fewer steps, or a path")
	}
	return nil
}

func sum(sizes []int64) (all int64) {
	for _, n := range sizes {
		all += n
	}
	return all
}
