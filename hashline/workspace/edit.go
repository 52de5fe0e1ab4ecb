package workspace

import (
	"context"
	"errors"
	"strings"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

const editRejected = "edit rejected, nothing was written"

// Edit applies a document: every operation in every file it names, or none
// (spec 6, 7, 11). Locks keep other processes of ours from the files meanwhile.
func (w *Workspace) Edit(ctx context.Context, document string) (*Result, error) {
	return w.edit(ctx, document, true)
}

// Check does all that [Workspace.Edit] does but writes nothing. The result
// tells what the edit would change.
func (w *Workspace) Check(ctx context.Context, document string) (*Result, error) {
	return w.edit(ctx, document, false)
}

// target is one section of a document on its way to the disk.
type target struct {
	section *hashline.Section
	place   place
	file    file
	// err is the fault of step 3, which stops all later steps.
	err    error
	faults hashline.Diagnostics
	// shown tells whether the refusal carries a live snapshot of the file.
	shown bool
	edit  *apply.Edit
	// after is the text that the edit leaves.
	after snapshot.Snapshot
}

func (w *Workspace) edit(ctx context.Context, document string, write bool) (*Result, error) {
	doc, err := grammar.Parse(document)
	if err != nil {
		return nil, w.refuseSyntax(doc, err)
	}
	if dups := hashline.DuplicatePaths(doc); len(dups) > 0 {
		return nil, w.refuse(editRejected, dups)
	}
	targets := make([]*target, len(doc.Sections))
	for i := range doc.Sections {
		t := &target{section: &doc.Sections[i]}
		t.place, t.err = w.resolve(t.section.Path)
		targets[i] = t
	}
	if dups := sameFiles(targets); len(dups) > 0 {
		return nil, w.refuse(editRejected, dups)
	}
	if write {
		held, err := w.lock(ctx, targets)
		if err != nil {
			return nil, w.refuse(editRejected, err)
		}
		defer held.Release()
	}
	faulty := false
	for _, t := range targets {
		w.validate(t)
		faulty = faulty || len(t.faults) > 0
	}
	if faulty {
		return nil, w.refuseEdit(targets)
	}
	if err := ctx.Err(); err != nil {
		return nil, w.refuse(editRejected, cancelled())
	}
	var warnings hashline.Diagnostics
	if write {
		if warnings, err = w.commit(ctx, targets); err != nil {
			return nil, w.refuseCommit(targets, err)
		}
	}
	return w.editResult(targets, warnings), nil
}

func cancelled() error {
	return &hashline.Diagnostic{Code: hashline.Cancelled, Msg: "the caller cancelled the call", Hint: "send it again if it is still wanted"}
}

// sameFiles finds sections that name one file by different paths (spec 6, step
// 2).
func sameFiles(targets []*target) hashline.Diagnostics {
	var found hashline.Diagnostics
	byReal := map[string]*target{}
	byID := map[commit.ID]*target{}
	for _, t := range targets {
		if t.err != nil {
			continue
		}
		first := byReal[t.place.real]
		if id, ok := t.place.info.ID(); ok && first == nil {
			first = byID[id]
			byID[id] = t
		}
		if first != nil {
			found = append(found, hashline.Duplicate(t.place.path, t.section.Pos, first.place.path, first.section.Pos))
			continue
		}
		byReal[t.place.real] = t
	}
	return found
}

func (w *Workspace) lock(ctx context.Context, targets []*target) (*commit.Held, error) {
	var paths []string
	for _, t := range targets {
		if t.err == nil {
			paths = append(paths, t.place.real)
		}
	}
	return w.store.Lock(ctx, w.root, paths)
}

// validate runs steps 3 to 8 of spec 6 over one section and plans its edit.
func (w *Workspace) validate(t *target) {
	path := t.place.path
	fail := func(err error) {
		t.faults = faultsOf(at(path, err))
		if t.shown {
			live := t.file.snap.Tag
			for _, d := range t.faults {
				d.Live = &live
			}
		}
		for _, d := range t.faults {
			if !d.Pos.IsValid() {
				d.Pos = t.section.Pos
			}
		}
	}
	if t.err == nil {
		// What stands at the place may have changed while the lock was waited
		// for.
		t.place, t.err = w.resolve(t.section.Path)
	}
	if t.err == nil && !t.place.exists {
		t.err = w.notFound(path)
	}
	if t.err == nil {
		t.err = writable(t.place)
	}
	if t.err == nil {
		t.file, t.err = w.load(t.place)
	}
	if t.err != nil {
		fail(t.err)
		return
	}
	t.shown = true
	if live := t.file.snap.Tag; t.section.Tag != live {
		fail(&hashline.Diagnostic{
			Code: hashline.StaleTag,
			Msg:  "the tag is " + t.section.Tag.String() + " but the file's is " + live.String() + ": it is not the text that the line numbers were taken from",
			Hint: "check the numbers against the live snapshot and send the document again under " + hashline.Header(path, live),
		})
		return
	}
	edit, err := apply.Apply(t.file.snap.Text, t.section.Ops)
	if err != nil {
		fail(err)
		return
	}
	for _, d := range edit.Warnings {
		d.Path = path
	}
	if len(edit.Bytes) > maxFile {
		fail(fault(hashline.TooLarge, path, "the file would be larger than 1 GiB", "write less"))
		return
	}
	t.edit, t.shown, t.after = edit, false, t.file.snap
	if edit.Changed {
		t.after = snapshot.Take(path, w.scheme, snapshot.New(edit.Bytes))
	}
}

// commit puts all changed files on disk.
func (w *Workspace) commit(ctx context.Context, targets []*target) (hashline.Diagnostics, error) {
	var changes []commit.Change
	for _, t := range targets {
		if t.edit.Changed {
			changes = append(changes, commit.Change{
				Path: t.place.real, Old: t.file.snap.Text.Bytes(), New: t.edit.Bytes,
			})
		}
	}
	if len(changes) == 0 {
		return nil, nil
	}
	warnings, err := w.store.Commit(ctx, w.root, changes)
	// Commit knows files by their real paths, the agent by those it wrote.
	for _, t := range targets {
		for _, ds := range [...]hashline.Diagnostics{warnings, ifFaults(err)} {
			for _, d := range ds {
				if d.Path == t.place.real {
					d.Path = t.place.path
				}
			}
		}
	}
	return warnings, err
}

func ifFaults(err error) hashline.Diagnostics {
	if err == nil {
		return nil
	}
	return faultsOf(err)
}

// anchors are the rows that a live snapshot shows for a section: both ends of
// each span and the line of each insert (spec 4).
func anchors(ops []hashline.Op) []int {
	var rows []int
	for _, o := range ops {
		switch {
		case o.Destructive():
			rows = append(rows, o.Span.First, o.Span.Last)
		case o.Kind != hashline.Append:
			rows = append(rows, o.Span.First)
		}
	}
	return rows
}

func liveView(snap snapshot.Snapshot, ops []hashline.Op) func(int) snapshot.View {
	return func(budget int) snapshot.View { return snap.Live(anchors(ops), budget) }
}

// refuseSyntax refuses a document that does not parse, with snapshots of the
// sections that could be read (spec 7).
func (w *Workspace) refuseSyntax(doc *hashline.Document, err error) error {
	r := &refusal{head: editRejected, faults: faultsOf(err)}
	seen := map[string]bool{}
	for i := range doc.Sections {
		s := &doc.Sections[i]
		pl, err := w.resolve(s.Path)
		if err != nil || seen[pl.real] {
			continue
		}
		seen[pl.real] = true
		if f, err := w.load(pl); err == nil {
			r.views = append(r.views, liveView(f.snap, s.Ops))
		}
	}
	return r.render(w.limit)
}

// refuseEdit refuses a document whose sections do not fit their files.
func (w *Workspace) refuseEdit(targets []*target) error {
	r := &refusal{head: editRejected}
	for _, t := range targets {
		r.faults = append(r.faults, t.faults...)
		if len(t.faults) == 0 {
			r.valid = append(r.valid, t.place.path)
		}
		if t.shown {
			r.views = append(r.views, liveView(t.file.snap, t.section.Ops))
		}
	}
	return r.render(w.limit)
}

// refuseCommit refuses a document that could not be put on disk. Files that
// another writer changed meanwhile are shown as they are now.
func (w *Workspace) refuseCommit(targets []*target, err error) error {
	r := &refusal{head: editRejected, faults: faultsOf(err)}
	var torn *commit.Torn
	if errors.As(err, &torn) {
		r.head = "edit failed in the middle, and not all could be put back"
	}
	for _, d := range r.faults {
		if d.Code != hashline.ChangedDuringEdit {
			continue
		}
		for _, t := range targets {
			if t.place.path != d.Path {
				continue
			}
			if f, err := w.load(t.place); err == nil {
				live := f.snap.Tag
				d.Live = &live
				r.views = append(r.views, liveView(f.snap, t.section.Ops))
			}
		}
	}
	return r.render(w.limit)
}

// editResult lays out what an edit did (spec 7).
func (w *Workspace) editResult(targets []*target, warnings hashline.Diagnostics) *Result {
	res := &Result{}
	for _, t := range targets {
		res.Warnings = append(res.Warnings, t.edit.Warnings...)
	}
	res.Warnings = append(res.Warnings, warnings...)
	room := w.limit
	if len(res.Warnings) > 0 {
		room -= room / 4
	}
	share := max(1, room/len(targets)-2)
	texts := make([]string, len(targets))
	for i, t := range targets {
		texts[i] = w.targetText(t, share)
		if t.edit.Changed {
			res.Files = append(res.Files, FileChange{
				Path: t.place.path, OldTag: &t.file.snap.Tag, NewTag: &t.after.Tag,
				Added: t.edit.Added, Removed: t.edit.Removed,
				before: t.file.snap.Text.Bytes(), after: t.edit.Bytes,
			})
		}
	}
	var b strings.Builder
	bounded(&b, "", texts, "\n\n", room, "files; read them for their tags")
	warningLines(&b, res.Warnings, w.limit)
	res.Content = b.String()
	return res
}

// targetText is the summary of a section and the view of what it left.
func (w *Workspace) targetText(t *target, share int) string {
	var b strings.Builder
	bounded(&b, "", strings.Split(t.edit.Summary, "; "), "; ", share/2, "operations")
	b.WriteByte('\n')
	switch {
	case !t.edit.Changed:
		b.WriteString(hashline.Header(t.place.path, t.after.Tag))
	case t.edit.Structural:
		b.WriteString(t.after.Structural().Text)
	default:
		b.WriteString(t.after.Preview(t.edit.Focus, max(1, share-b.Len())).Text)
	}
	return b.String()
}
