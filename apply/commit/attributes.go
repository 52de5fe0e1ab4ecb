package commit

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/hashline-go/hashline/hashline"
)

// attributes is what a replacement keeps of a file beside its name and bytes
// (spec 11).
type attributes struct {
	mode     fs.FileMode
	uid, gid int
	// extra holds the extended attributes, access lists among them, but none
	// that are the system's own.
	extra map[string]string
	// flags are those of the inode, where the file system has such.
	flags uint32
}

// rule says what becomes of an extended attribute in a replacement. The lists of
// names are those of the platform: see ruleOf.
type rule int

const (
	// keep: copied, or the commit is refused.
	keep rule = iota
	// attempt: copied where the system allows it.
	attempt
	// label: given by the system to every new file while a security module is in
	// force, which then decides whether it may be changed: copied, or the commit
	// is refused. Where the system gave none no module is in force, the label
	// means nothing, and only root could set it: copied where that is allowed.
	label
	// system: written by the system itself, for bytes or an inode that the
	// replacement does not have: left to it.
	system
)

// readAttributes reads what is to be kept of an opened file.
func readAttributes(h *os.File, info fs.FileInfo) (*attributes, error) {
	a := attributesOf(info)
	a.flags = readFlags(h, info)
	var err error
	a.extra, err = readExtra(h)
	return a, err
}

// attributesOf gives mode, owner and group.
func attributesOf(info fs.FileInfo) *attributes {
	a := &attributes{mode: info.Mode() & keptBits}
	a.uid, a.gid = owner(info)
	return a
}

// give gives the attributes to a file or folder that we just made, which is still
// as info says: closed to all but its owner. At no time is it more open than the file
// they come from.
func (a *attributes) give(h *os.File, info fs.FileInfo) error {
	have, err := readExtra(h)
	if err != nil {
		return err
	}
	// What the folder hands down goes first: an access list that the chmod below
	// would bring to life is not the target's.
	for name := range have {
		if _, kept := a.extra[name]; kept || ruleOf(name) == label {
			continue
		}
		if err := removeExtra(h, name); err != nil && ruleOf(name) == keep {
			return &keepError{"without " + title(name) + ", which the folder hands down, it", err}
		}
	}
	// The owner comes before all that a change of owner takes away: setuid,
	// setgid and capabilities.
	if uid, gid := owner(info); uid != a.uid || gid != a.gid {
		if err := h.Chown(a.uid, a.gid); err != nil {
			return &keepError{"owner or group", err}
		}
	}
	passed, err := a.giveExtra(h, have)
	if err != nil {
		return err
	}
	if err := h.Chmod(a.mode); err != nil {
		return &keepError{"mode", err}
	}
	return a.check(h, passed, len(have) > 0)
}

// giveExtra sets the extended attributes and tells which were passed over.
func (a *attributes) giveExtra(h *os.File, have map[string]string) (passed map[string]bool, err error) {
	for _, name := range slices.SortedFunc(maps.Keys(a.extra), accessListLast) {
		value := a.extra[name]
		if old, ok := have[name]; ok && old == value {
			continue
		}
		err := writeExtra(h, name, value)
		if err == nil {
			continue
		}
		if r := ruleOf(name); r == keep || r == label && have[name] != "" {
			return nil, &keepError{title(name), err}
		}
		if passed == nil {
			passed = map[string]bool{}
		}
		passed[name] = true
	}
	return passed, nil
}

// check compares what the system made of it: it may drop setgid, for one,
// without a word.
func (a *attributes) check(h *os.File, passed map[string]bool, had bool) error {
	info, err := h.Stat()
	if err != nil {
		return err
	}
	if !a.sameAs(info) {
		return &keepError{"mode, owner or group", errNotKept}
	}
	if len(a.extra) == 0 && !had {
		return nil
	}
	now, err := readExtra(h)
	if err != nil {
		return err
	}
	for name, value := range a.extra {
		if got, ok := now[name]; !passed[name] && (!ok || got != value) && ruleOf(name) != attempt {
			return &keepError{title(name), errNotKept}
		}
	}
	for name := range now {
		if _, ok := a.extra[name]; !ok && ruleOf(name) == keep {
			return &keepError{"without " + title(name) + " it", errNotKept}
		}
	}
	return nil
}

// same reports whether the opened file still has the attributes, as far as they
// are kept.
func (a *attributes) same(h *os.File, info fs.FileInfo) bool {
	if !a.sameAs(info) {
		return false
	}
	now, err := readExtra(h)
	return err == nil && maps.Equal(now, a.extra)
}

// keepError says which attribute could not be kept.
type keepError struct {
	what string
	err  error
}

func (e *keepError) Error() string { return e.what + " cannot be kept: " + reason(e.err) }

func (e *keepError) Unwrap() error { return e.err }

var errNotKept = errors.New("the system did not take them over")

// notKept makes the diagnostic for the file at p, whose attributes could not be
// read or given to its new version.
func notKept(p string, err error) error {
	what, ok := errors.AsType[*keepError](err)
	if !ok {
		what = &keepError{"its attributes", err}
	}
	return &hashline.Diagnostic{Code: hashline.Attributes, Path: p, Msg: what.Error(),
		Hint: "edit the file as its owner, or change its attributes first"}
}

func title(name string) string {
	if name == accessList {
		return "the access control list"
	}
	return "the extended attribute " + name
}

// accessListLast orders by name, but what may take our own rights away comes
// last.
func accessListLast(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == accessList:
		return 1
	case b == accessList || a < b:
		return -1
	}
	return 1
}

func (a *attributes) sameAs(info fs.FileInfo) bool {
	uid, gid := owner(info)
	return info.Mode()&keptBits == a.mode && uid == a.uid && gid == a.gid
}

func sameAttributes(a, b fs.FileInfo) bool { return attributesOf(a).sameAs(b) }
