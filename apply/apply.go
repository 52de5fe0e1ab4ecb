package apply

import (
	"bytes"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// structuralSpan is how many original lines one span has at least to make an
// edit structural (spec 4).
const structuralSpan = 40

// Edit is what operations make of a text.
type Edit struct {
	// Bytes is the whole new text, byte-order mark included. Where Changed is
	// false it is the original's own memory, else memory of its own; in both
	// cases it must not be written to while the Edit or the Text is in use. It is
	// nil where the original is not in memory.
	Bytes []byte
	// Parts are what Bytes are made of, where Changed is true.
	Parts []snapshot.Part
	// Changed reports whether the new text differs from the original.
	Changed bool
	// Summary is one line that sums up the operations in document order
	// (spec 7), without a line end. It grows with the number of operations.
	Summary string
	// Focus holds the focus rows (spec 4) as lines of the new text: ascending,
	// neither overlapping nor adjacent.
	Focus []hashline.Span
	// Structural reports whether one PUT or CUT spans 40 or more original
	// lines (spec 4).
	Structural bool
	// Added and Removed count the lines that the operations wrote and took
	// away, those of operations that change nothing left out. Both are 0 where
	// Changed is false.
	Added, Removed int
	// Warnings are doubts about the rows (spec 7), in document order, at most
	// [MaxFaults]: [hashline.Echo], [hashline.LooksLikeOp],
	// [hashline.Placeholder] and [hashline.NumberedRow]. Their Path is empty.
	Warnings hashline.Diagnostics
}

// Apply makes the new text. Where [Check] finds faults it returns them as a
// [hashline.Diagnostics] error and no Edit. t and ops are not changed; ops must
// not change while Apply runs. Of a text that is not in memory ask for its Err
// before you believe either.
func Apply(t *snapshot.Text, ops []hashline.Op) (*Edit, error) {
	l := &layout{t: t, ops: ops}
	if faults := l.check(); len(faults) > 0 {
		return nil, faults
	}
	l.locate()
	e := &Edit{
		Summary: l.summary(), Focus: l.focus.within(l.newLines()),
		Structural: l.structural, Warnings: l.warnings(),
	}
	if t.InMemory() {
		e.Bytes = t.Bytes()
	}
	first, changes := l.firstChange()
	if !changes {
		return e, nil
	}
	// The text in front of the first change is the same, so that the
	// comparison nearly always ends within the first changed row.
	parts := l.splice()
	if t.InMemory() {
		out := join(t, parts)
		changes = !bytes.Equal(out[first:], t.Bytes()[first:])
		if changes {
			e.Bytes = out
		}
	} else {
		changes = differ(t, parts)
	}
	if changes {
		e.Parts, e.Changed, e.Added, e.Removed = parts, true, l.added, l.removed
	}
	return e, nil
}
