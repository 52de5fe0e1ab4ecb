package hashline

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Diagnostic is one fault or one warning. The text, JSON and MCP answers are
// all made from it (spec 5, 7, 13). errors.Is matches it by [Code], every
// syntax fault also as [Syntax].
type Diagnostic struct {
	// Code says what kind of fault it is.
	Code Code
	// Path is the cleaned path of the file concerned, "" for syntax faults.
	Path string
	// Pos is the place in the document, invalid where there is none.
	Pos Position
	// Related is the place of the other party, such as the operation that is
	// overlapped; often invalid.
	Related Position
	// Msg says what is wrong, in one line.
	Msg string
	// Hint says what to write or do instead; may be "".
	Hint string
	// Reason explains a code further where the contract names reasons
	// (spec 9, 10); may be "".
	Reason string
	// Live is the tag that the file has now; nil where it is not known.
	Live *Tag
}

// Error gives the line that a refusal shows for the fault (spec 7): "path: code:
// message", or "line L, column C: code: message" for what concerns the document
// alone, such as syntax.
func (d *Diagnostic) Error() string {
	var b strings.Builder
	switch {
	case d.Path != "":
		b.WriteString(oneLine(d.Path))
		b.WriteString(": ")
	case d.Pos.IsValid():
		b.WriteString(d.Pos.String())
		b.WriteString(": ")
	}
	b.WriteString(string(d.Code))
	b.WriteString(": ")
	b.WriteString(d.Msg)
	if d.Hint != "" {
		b.WriteString("; ")
		b.WriteString(d.Hint)
	}
	return b.String()
}

// oneLine gives a path as it is, unless it would look like several lines or hide
// what it is: then in quotes.
func oneLine(path string) string {
	if strings.ContainsFunc(path, unicode.IsControl) || !utf8.ValidString(path) {
		return strconv.Quote(path)
	}
	return path
}

// Is makes errors.Is(err, code) work.
func (d *Diagnostic) Is(target error) bool {
	c, ok := target.(Code)
	return ok && (c == d.Code || c == Syntax && d.Code.IsSyntax())
}

// Diagnostics is a list of faults in document order. As an error it unwraps to
// its members.
type Diagnostics []*Diagnostic

// Error gives the members' lines.
func (ds Diagnostics) Error() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the members to errors.Is and errors.As.
func (ds Diagnostics) Unwrap() []error {
	errs := make([]error, len(ds))
	for i, d := range ds {
		errs[i] = d
	}
	return errs
}

// Err gives the list as an error, nil when it is empty.
func (ds Diagnostics) Err() error {
	if len(ds) == 0 {
		return nil
	}
	return ds
}
