// Package commit puts bytes on disk: all files of a document or none (spec 11).
//
// A [Store] is the state folder. Its kernel locks keep the writers of this
// software, goroutines and processes alike, from losing one another's work;
// [Store.Commit] replaces and creates files so that a reader sees the old file
// or the new one; [Inspect] tells what stands in the way of a replacement.
//
// Before anything else a commit stores the bytes that it replaces in the history
// and writes a journal, by which [Store.Recover], at the next start, brings it to
// its end or takes it back when its process was killed. In the state folder no
// folder is synced: the file systems at hand make the name of a new file last
// with its first sync. Those that it lies in are, when it is made.
//
// What is not promised: on Windows streams and the security
// descriptor are those of a new file, on macOS the access control list.
package commit

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/hashline-go/hashline/hashline"
)

// Change is what one file was and is to become. The slices stay the caller's
// and must not change before the commit returns.
type Change struct {
	// Path names the file relative to the root: cleaned, "/" between names, no
	// symbolic link in it. Required.
	Path string
	// Old is every byte the file holds now; nil for Create.
	Old []byte
	// New is every byte it is to hold.
	New []byte
	// Base and Parts take the place of Old and New where the file is too large to
	// be held: what it was, and what it is made of. Optional; only for a file that
	// there is and stays. The new bytes are then made in one pass over the old ones,
	// which compares them on the way.
	Base  *Base
	Parts []Part
	// Rest, where it is not nil, is given the new bytes from the offset RestFrom on
	// while they are made of Parts. Tagged is then asked for the new tag. Optional.
	Rest     io.Writer
	RestFrom int
	Tagged   func() string
	// Create says that there is no such file yet. Missing folders are made.
	Create bool
	// Remove says that the file is to go. New is not used.
	Remove bool
	// Attributes are those of a file to be created; nil leaves them to the system.
	Attributes *Attributes
	// InPlace allows to overwrite the file where it cannot be replaced: it has
	// other names, it is a mount point, or its folder cannot be written to.
	InPlace bool

	// What only the history wants to know: the path as the edit named it, ""
	// for Path; the tags; and how many lines were added and removed. Optional.
	Shown          string
	OldTag, NewTag string
	Added, Removed int
}

// Commit makes all changes, or none (spec 11). The caller holds the locks of
// the paths, see [Store.Lock]. A change whose New equals its Old is passed over:
// that file is neither written nor looked at.
//
// Every new version is first written, and synced, beside its target; then every
// target is compared with Old; then each exchanges its name with its target,
// which is compared again before it goes. Mode, setuid, setgid and sticky bits,
// owner, group, extended attributes and access lists are kept. A new file never
// replaces one that appeared meanwhile. A failure on the way puts back what was
// written already, and the error says so; where that fails as well, the error
// is a [*Torn]. In every other case an error means that each file is as it was.
//
// Where the disk that the history lies on is full, as much of it goes as the commit
// needs there, oldest first.
//
// Cancelling ctx counts until the first rename; from there on the commit runs
// to its end. Warnings say what went wrong when the change was made: a folder
// could not be synced ([hashline.Sync]), or a replaced version stays, since it
// could not be removed (io) or was written to (changed_during_edit).
//
// Errors are [hashline.Diagnostics]: changed_during_edit (the target is no
// longer Old), exists, attributes, denied (the folder's permissions), read_only
// (the file system, or a sealed file), mount_point, not_found, bad_path,
// busy_file (another process has the file open for writing),
// locked (another process has had the history to itself for [Store.Wait]),
// cancelled, timeout (ctx had a deadline), and io for everything else, a full
// disk and an exceeded quota among it.
func (s *Store) Commit(ctx context.Context, root *os.Root, changes []Change) (hashline.Diagnostics, error) {
	return s.CommitNoted(ctx, root, Note{}, changes)
}

// CommitNoted is Commit with what is to stand in the history about it.
func (s *Store) CommitNoted(ctx context.Context, root *os.Root, note Note, changes []Change) (hashline.Diagnostics, error) {
	warnings, full, err := s.commitOnce(ctx, root, note, changes)
	if full > 0 && s.makeRoom(full) {
		warnings, _, err = s.commitOnce(ctx, root, note, changes)
	}
	return warnings, err
}

// commitOnce is CommitNoted with the history as it is. Where it could not begin,
// because the disk was full on which that lies, full says how many bytes it needs
// there. One that has begun is not made again: those who hash streamed bytes have
// had them.
func (s *Store) commitOnce(ctx context.Context, root *os.Root, note Note, changes []Change) (warnings hashline.Diagnostics, full int64, err error) {
	t := newTransaction(root, !s.NoSync, s.step)
	t.noLease = s.noLease
	t.like(note.Made)
	warnings, err = t.run(ctx, s, note, changes)
	t.close()
	c := t.chronicle
	if c == nil {
		return warnings, 0, err
	}
	if c.full {
		full = t.stateNeed()
	}
	if c.close() {
		s.tidy()
	}
	return warnings, full, err
}

func (t *transaction) run(ctx context.Context, s *Store, note Note, changes []Change) (hashline.Diagnostics, error) {
	err := t.prepare(ctx, changes)
	if err == nil && len(t.files) == 0 {
		return nil, nil
	}
	if err == nil {
		err = t.begin(ctx, s, note)
	}
	if err == nil {
		err = t.stageAll(ctx)
	}
	if err == nil {
		err = t.markStaged()
	}
	if err == nil {
		err = t.verify()
	}
	if err == nil {
		err = cancelled(ctx)
	}
	if err == nil {
		err = t.publish()
	}
	if err == nil {
		err = t.settle()
	}
	if err != nil {
		return nil, t.fail(err)
	}
	// Where this fails recovery goes by what it finds.
	_ = t.mark(markPublished, false)
	return t.finish(), nil
}

// verify compares every target, so that a document that cannot be committed is
// refused with all its faults before anything is changed.
func (t *transaction) verify() error {
	t.step("")
	var faults hashline.Diagnostics
	for _, f := range t.files {
		if err := t.compare(f); err != nil {
			faults = append(faults, diagnostics(err)...)
		}
	}
	return faults.Err()
}

// publish gives the new versions their names.
func (t *transaction) publish() error {
	for _, f := range t.givingOrder() {
		t.step(f.Path)
		err := t.recheck(f)
		if err != nil {
			return err
		}
		if err := t.give(f); err != nil {
			return err
		}
		f.written, f.folder.changed = true, true
	}
	return nil
}

// give makes the target new.
func (t *transaction) give(f *file) error {
	switch {
	case f.Create:
		return f.publishNew()
	case f.Remove:
		return t.unname(f)
	case f.inPlace:
		return t.overwrite(f)
	}
	return t.replace(f)
}

// publishNew gives a new file its name, which must be free.
func (f *file) publishNew() error {
	err := renameNew(f.folder.root, f.temp, f.name)
	switch {
	case err == nil:
		f.temp = ""
		return nil
	case errors.Is(err, fs.ErrExist):
		return f.exists()
	case errors.Is(err, fs.ErrNotExist):
		return changed(f.Path, "the new version was removed before it had its name,")
	}
	return fault(f.Path, "cannot rename the new version into place", err)
}

func cancelled(ctx context.Context) error {
	switch err := ctx.Err(); {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return &hashline.Diagnostic{Code: hashline.Timeout, Msg: "the time for the call was up before anything was written"}
	}
	return &hashline.Diagnostic{Code: hashline.Cancelled, Msg: "cancelled before anything was written"}
}
