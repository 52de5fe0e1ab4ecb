package hashline

import "strconv"

// Document is a parsed edit: one section a file, in the order written
// (spec 5).
type Document struct {
	Sections []Section
}

// Section holds the operations for one file under the tag its author saw.
type Section struct {
	// Path as written, blanks around it removed; [CleanPath] gives the form
	// that is opened, shown and compared.
	Path string
	Tag  Tag
	Ops  []Op
	// Pos is the place of the header's "[".
	Pos Position
}

// Kind tells the operations apart.
type Kind uint8

// The kinds of operation (spec 5).
const (
	// Replace is PUT N: or PUT N.=M: and puts the body in place of the span.
	Replace Kind = iota + 1
	// Delete is CUT N or CUT N.=M.
	Delete
	// InsertBefore is PUT <N:.
	InsertBefore
	// InsertAfter is PUT >N:.
	InsertAfter
	// Append is PUT >$:, the end of the file.
	Append
)

// String names the kind as the conformance cases do, except that Append has a
// name of its own.
func (k Kind) String() string {
	switch k {
	case Replace:
		return "replace"
	case Delete:
		return "delete"
	case InsertBefore:
		return "insert_before"
	case InsertAfter:
		return "insert_after"
	case Append:
		return "append"
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Op is one operation. All its numbers name lines of the original file.
type Op struct {
	Kind Kind
	// Span is what Replace and Delete act on; InsertBefore and InsertAfter
	// have First == Last == the anchor; Append has the zero Span.
	Span Span
	// Body holds the new rows without "+" and without line ends. It is never
	// empty, except for Delete, where it is nil.
	Body []string
	// Pos is the place of the keyword. Row k of the body (from 0) stands on
	// line Pos.Line+1+k.
	Pos Position
}

// Destructive reports whether the operation replaces or deletes original
// lines.
func (o Op) Destructive() bool { return o.Kind == Replace || o.Kind == Delete }

// RowPos is the place of the text of body row k, counted from 0. Its Offset is
// not known and is 0.
func (o Op) RowPos(k int) Position {
	if !o.Pos.IsValid() {
		return Position{}
	}
	return Position{Line: o.Pos.Line + 1 + k, Column: 2}
}

// String gives the operation's own line in canonical form, without its body:
// "PUT 2.=5:", "PUT <7:", "PUT >$:", "CUT 3".
func (o Op) String() string { return string(o.Append(nil)) }

// Append appends what [Op.String] gives.
func (o Op) Append(b []byte) []byte {
	switch o.Kind {
	case Replace:
		return append(o.Span.append(append(b, "PUT "...)), ':')
	case Delete:
		return o.Span.append(append(b, "CUT "...))
	case InsertBefore:
		return append(strconv.AppendInt(append(b, "PUT <"...), int64(o.Span.First), 10), ':')
	case InsertAfter:
		return append(strconv.AppendInt(append(b, "PUT >"...), int64(o.Span.First), 10), ':')
	case Append:
		return append(b, "PUT >$:"...)
	}
	return append(b, o.Kind.String()...)
}
