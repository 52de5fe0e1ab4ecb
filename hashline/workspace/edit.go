package workspace

import (
	"context"
	"errors"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

const editRejected = "edit rejected, nothing was written"

// Edit applies a document: every operation in every file it names, or none
// (spec 6, 7, 11). Locks keep other processes of ours from the files meanwhile.
func (s *Session) Edit(ctx context.Context, document string) (*Result, error) {
	res, err := s.edit(ctx, document, true)
	s.count(err)
	return res, err
}

// Check does all that [Session.Edit] does but writes nothing. The result
// tells what the edit would change.
func (s *Session) Check(ctx context.Context, document string) (*Result, error) {
	return s.edit(ctx, document, false)
}

func (s *Session) edit(ctx context.Context, document string, write bool) (*Result, error) {
	if s.policy.readOnly {
		return nil, s.refuse(editRejected, readOnly())
	}
	doc, err := grammar.Parse(document)
	if err != nil {
		return nil, s.refuseSyntax(document, doc, err)
	}
	if dups := hashline.DuplicatePaths(doc); len(dups) > 0 {
		return nil, s.refuseTwice(doc, dups)
	}
	targets := make([]*target, len(doc.Sections))
	for i := range doc.Sections {
		targets[i] = &target{section: &doc.Sections[i]}
		s.look(targets[i])
	}
	if dups := sameFiles(targets); len(dups) > 0 {
		return nil, s.refuseTwice(doc, dups)
	}
	defer closeAll(targets)
	held := &commit.Held{}
	if write {
		if held, err = s.lockTargets(ctx, targets); err != nil {
			if dups, ok := errors.AsType[hashline.Diagnostics](err); ok && dups[0].Code == hashline.DuplicatePath {
				return nil, s.refuseTwice(doc, dups)
			}
			return nil, s.refuse(editRejected, err)
		}
		defer held.Release()
	}
	docs := []*hashline.Document{doc}
	if !s.validateAll(targets) {
		if res := s.already(doc, targets); res != nil {
			return res, nil
		}
		corrected := s.correct(doc, targets)
		if !s.mayRebase(corrected, targets) || !s.rebaseTo(corrected, targets) {
			// Nobody needs to wait while the refusal is written.
			held.Release()
			return nil, s.refuseEdit(targets, corrected)
		}
		docs = append(docs, corrected)
	}
	if err := ended(ctx); err != nil {
		return nil, s.refuse(editRejected, err)
	}
	if !write {
		for _, t := range targets {
			t.tagAfter()
		}
		res := s.editResult(targets, nil)
		for _, t := range targets {
			if err := t.file.failed(); err != nil {
				return nil, s.refuse(editRejected, err)
			}
		}
		return res, nil
	}
	warnings, err := s.commit(ctx, targets)
	if err != nil {
		return nil, s.refuseCommit(targets, err)
	}
	res := s.editResult(targets, warnings)
	s.learnEdit(docs, targets, res.shown)
	var changed []renumbered
	for _, t := range targets {
		if t.edit.Changed {
			changed = append(changed, renumbered{t.place, t.rebased != nil || movesLines(t.changes())})
		}
	}
	res.Content = s.renumber(res.Content, changed, len(targets) > 1)
	return res, nil
}

// ended tells whether the caller gave up, or its time ran out.
func ended(ctx context.Context) error {
	switch err := ctx.Err(); {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return &hashline.Diagnostic{Code: hashline.Timeout, Msg: "the time for the call ran out", Hint: "send it again with more time"}
	}
	return &hashline.Diagnostic{Code: hashline.Cancelled, Msg: "the caller cancelled the call", Hint: "send it again if it is still wanted"}
}

// commit puts all changed files on disk.
func (s *Session) commit(ctx context.Context, targets []*target) (hashline.Diagnostics, error) {
	var files []pending
	for _, t := range targets {
		if t.edit.Changed {
			p := pending{place: t.place, change: t.change(), spans: t.changes()}
			if t.file.large != nil {
				p.streamed = t.stream()
			} else {
				p.old, p.new = t.file.snap.Text.Raw(), t.after.Text.Raw()
			}
			files = append(files, p)
		}
	}
	return s.put(ctx, commit.Note{Tool: "edit"}, files)
}
