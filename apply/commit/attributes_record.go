package commit

import (
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// Attributes is what a file has beside its name and bytes, as the history keeps
// it.
type Attributes = history.Attributes

// record gives the attributes as the history keeps them, or says why it does not.
func (a *attributes) record() (*Attributes, string) {
	r := &Attributes{Mode: a.mode, UID: a.uid, GID: a.gid, Flags: a.flags}
	size := 0
	for _, name := range slices.Sorted(maps.Keys(a.extra)) {
		size += len(name) + len(a.extra[name])
		r.Extra = append(r.Extra, history.Extra{Name: history.Name(name), Value: []byte(a.extra[name])})
	}
	if size > history.MaxExtra {
		return nil, "its extended attributes are longer than 64 KiB"
	}
	return r, ""
}

// recorded gives back what record gave.
func recorded(r Attributes) *attributes {
	a := &attributes{mode: r.Mode & keptBits, uid: r.UID, gid: r.GID, flags: r.Flags, extra: map[string]string{}}
	for _, x := range r.Extra {
		if rule := ruleOf(string(x.Name)); rule != system {
			a.extra[string(x.Name)] = string(x.Value)
		}
	}
	return a
}

// perm is the mode to make a folder with: one that is to have attributes is
// closed to others until it has them.
func (a *attributes) perm() fs.FileMode {
	if a == nil {
		return 0o777
	}
	return 0o700
}

// furnish gives a folder that was just made its attributes.
func (d *folder) furnish(p string, like *attributes) error {
	if like == nil {
		return nil
	}
	h, err := d.handle()
	var info fs.FileInfo
	if err == nil {
		info, err = h.Stat()
	}
	if err == nil {
		err = like.give(h, info)
	}
	if err != nil {
		return notKept(p, err)
	}
	return nil
}

// described gives a folder with its attributes: where they cannot be read, with
// those of one that is closed to others.
func (t *transaction) described(dir string) history.Folder {
	f := history.Folder{Path: history.Name(dir), Attributes: Attributes{Mode: 0o700, UID: os.Geteuid(), GID: os.Getegid()}}
	d, err := t.folder(dir, dir, false)
	if err != nil {
		return f
	}
	h, err := d.handle()
	if err != nil {
		return f
	}
	info, err := h.Stat()
	if err != nil {
		return f
	}
	if a, err := readAttributes(h, info); err == nil {
		if r, why := a.record(); why == "" {
			f.Attributes = *r
		}
	}
	return f
}

// like remembers what folders are to be like.
func (t *transaction) like(folders []history.Folder) {
	t.made = map[string]*attributes{}
	for _, f := range folders {
		t.made[string(f.Path)] = recorded(f.Attributes)
	}
}
