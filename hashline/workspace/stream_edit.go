package workspace

import (
	"io"

	"github.com/hashline-go/hashline/apply/commit"
)

// parts are those of an edit, for a commit.
func (t *target) parts() []commit.Part {
	parts := make([]commit.Part, len(t.edit.Parts))
	for i, p := range t.edit.Parts {
		parts[i] = commit.Part{Data: p.Data, From: p.From, To: p.To}
	}
	return parts
}

// stream describes the commit of an edit of a file that is not held. The new tag
// is known when it is done.
func (t *target) stream() *streamed {
	l := t.file.large
	st := &streamed{parts: t.parts()}
	st.base = &commit.Base{Size: t.file.snap.Text.Size(), Page: l.page, Holds: t.file.snap.Text.Holds, Sum: l.sum}
	t.tagger, st.restFrom = l.scan.TagUpTo(commit.Same(st.parts))
	st.rest = &t.tagger
	st.tagged = func() string {
		t.after.Tag = t.tagger.Tag()
		return t.after.Tag.String()
	}
	return st
}

// streamed is what a pending file has in place of its bytes.
type streamed struct {
	base     *commit.Base
	parts    []commit.Part
	rest     io.Writer
	restFrom int
	tagged   func() string
}

// tagAfter computes the new tag of an edit that is not to be made.
func (t *target) tagAfter() {
	if t.file.large == nil || !t.edit.Changed {
		return
	}
	page := t.file.large.page
	tag, skip := t.file.large.scan.TagUpTo(commit.Same(t.parts()))
	for _, p := range t.edit.Parts {
		if p.Data != nil {
			_, _ = tag.Write(p.Data)
			continue
		}
		// Page by page, since those need not be copied.
		for at, to := max(p.From, skip), 0; at < p.To; at = to {
			to = min((at/page+1)*page, p.To)
			_, _ = tag.Write(t.file.snap.Text.Slice(at, to))
		}
		skip = 0
	}
	t.tagger, t.after.Tag = tag, tag.Tag()
}
