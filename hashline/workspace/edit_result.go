package workspace

import (
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// Section tells what became of one section of a document.
type Section struct {
	// Path is relative to the root.
	Path string
	// Changed tells that the file is, or would be, changed; then it has its
	// place in the result's Files.
	Changed bool
}

// editResult lays out what an edit did (spec 7).
func (s *Session) editResult(targets []*target, warnings hashline.Diagnostics) *Result {
	res := &Result{}
	for _, t := range targets {
		res.Warnings = append(res.Warnings, t.edit.Warnings...)
	}
	res.Warnings = append(res.Warnings, warnings...)
	room := s.answerLimit()
	if len(res.Warnings) > 0 {
		room -= room / 4
	}
	share := max(1, room/len(targets)-2)
	texts := make([]string, len(targets))
	for i, t := range targets {
		var rows []hashline.Span
		texts[i], rows = targetText(t, share)
		res.shown = append(res.shown, shown{file{place: t.place, snap: t.after}, rows})
		res.Sections = append(res.Sections, Section{Path: t.place.path, Changed: t.edit.Changed})
		if t.edit.Changed {
			change := t.change()
			t.excerpt(&change)
			res.Files = append(res.Files, change)
		}
	}
	var b strings.Builder
	res.shown = res.shown[:bounded(&b, "", texts, "\n\n", room, "files; read them for their tags")]
	warningLines(&b, res.Warnings, s.answerLimit())
	res.Content = b.String()
	return res
}

// change tells hosts what the edit does to the file.
func (t *target) change() FileChange {
	change := FileChange{
		Path: t.place.path, OldTag: &t.file.snap.Tag, NewTag: &t.after.Tag,
		Added: t.edit.Added, Removed: t.edit.Removed,
	}
	if t.file.large == nil {
		change.before, change.after = t.file.snap.Text.Bytes(), t.edit.Bytes
	}
	return change
}

// changes are the stretches of lines that the operations write.
func (t *target) changes() []Changed {
	return changedByOps(t.section.Ops, t.file.snap.Text.Lines())
}

// targetText is the summary of a section and the view of what it left, with the
// rows that are shown.
func targetText(t *target, share int) (string, []hashline.Span) {
	var b strings.Builder
	bounded(&b, "", strings.Split(t.edit.Summary, "; "), "; ", share/2, "operations")
	b.WriteByte('\n')
	switch {
	case !t.edit.Changed:
		b.WriteString(hashline.Header(t.place.path, t.after.Tag))
	case t.edit.Structural:
		b.WriteString(t.after.Structural().Text)
	default:
		view := t.after.Preview(t.edit.Focus, max(1, share-b.Len()))
		if t.after.Text.Err() != nil {
			// The edit is made; what it left cannot be shown.
			b.WriteString(t.after.Structural().Text)
			break
		}
		b.WriteString(view.Text)
		return b.String(), view.Rows
	}
	return b.String(), nil
}
