// Package grammar reads the text of a document into a [hashline.Document]
// (spec 5).
//
// A total lexer names what stands on each line, five productions say in which
// order it may stand, and only when they do not match an explaining pass looks
// at the offending lines and says what is wrong and what to write instead.
package grammar

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/hashline-go/hashline/hashline"
)

// The limits on one document (spec 12). What exceeds one is refused with
// [hashline.TooLarge].
const (
	// MaxBytes is the size of a document in bytes.
	MaxBytes = 16 << 20
	// MaxSections is the number of headers in a document.
	MaxSections = 1000
	// MaxOps is the number of operations in all sections of a document.
	MaxOps = 100_000
	// MaxFaults is the number of faults that are reported for a document.
	MaxFaults = 10
)

// Parse reads a whole document. The rows and paths of the result share the
// memory of text. It may be called from several goroutines at once.
//
// The error is nil or [hashline.Diagnostics], in document order: all faults of
// the document, at most [MaxFaults], each with the code, the place, what is
// wrong and the form to write instead. The document is never nil: beside an
// error it holds the sections whose header could be read, with those of their
// operations that are complete; a section may then have none.
func Parse(text string) (*hashline.Document, error) {
	if len(text) > MaxBytes {
		return &hashline.Document{}, hashline.Diagnostics{tooManyBytes()}
	}
	w := unwrap(text)
	inner := text[:w.end]
	s := &scanner{text: inner, at: w.at, num: w.num}
	tree, bad := parse(s)
	if bad == nil && w.fault == nil {
		doc := &hashline.Document{}
		collect(doc, tree, nil)
		return doc, nil
	}
	r := newRecovery(inner, w)
	return r.doc, r.run(tree, bad, s.over).Err()
}

// ParsePrefix reads as much of a document as is complete, for a document that is
// still on its way: everything up to the first fault or the end of the text, and
// the rest is dropped. Wrappers may still be open, the last section may have no
// operation yet, and an operation whose body is cut off keeps the rows so far,
// the last one perhaps in part. The rows share the memory of text.
//
// Reading on never takes anything back but the last operation: all others that a
// prefix gives are the first ones of the whole.
//
// complete tells that the whole text is a document that [Parse] accepts.
func ParsePrefix(text string) (doc *hashline.Document, complete bool) {
	doc = &hashline.Document{}
	all := len(text) <= MaxBytes
	if !all {
		text = text[:MaxBytes]
	}
	w := unwrap(text)
	tree, bad := parse(&scanner{text: text[:w.end], at: w.at, num: w.num})
	collect(doc, tree, bad)
	return doc, all && bad == nil && w.fault == nil
}

// complete reports whether the operation was read to its end. A CUT was unless
// the grammar stopped in its line.
func (o *op) complete(bad *stop) bool {
	return o.Body != nil || o.Cut != nil && (bad == nil || bad.Pos.Line > o.Pos.Line)
}

// collect adds the sections of a tree to a document, with the operations that
// are complete.
func collect(doc *hashline.Document, tree *document, bad *stop) {
	for _, s := range tree.Sections {
		doc.Sections = append(doc.Sections, hashline.Section{
			Path: s.Header.path, Tag: s.Header.tag, Pos: position(s.Pos), Ops: operations(s.Ops, bad),
		})
	}
}

func operations(list []*op, bad *stop) []hashline.Op {
	ops := make([]hashline.Op, 0, len(list))
	for _, o := range list {
		if !o.complete(bad) {
			break
		}
		ops = append(ops, o.operation())
	}
	return ops
}

func (o *op) operation() hashline.Op {
	out := hashline.Op{Body: o.Body, Pos: position(o.Pos)}
	switch {
	case o.Cut != nil:
		out.Kind, out.Span = hashline.Delete, o.Cut.lines()
	case o.Place.Span != nil:
		out.Kind, out.Span = hashline.Replace, o.Place.Span.lines()
	case o.Place.Before > 0:
		out.Kind, out.Span = hashline.InsertBefore, hashline.Span{First: int(o.Place.Before), Last: int(o.Place.Before)}
	case o.Place.After > 0:
		out.Kind, out.Span = hashline.InsertAfter, hashline.Span{First: int(o.Place.After), Last: int(o.Place.After)}
	default:
		out.Kind = hashline.Append
	}
	return out
}

func (s *span) lines() hashline.Span {
	return hashline.Span{First: int(s.First), Last: int(max(s.First, s.Last))}
}

func position(p lexer.Position) hashline.Position {
	return hashline.Position{Offset: p.Offset, Line: p.Line, Column: p.Column}
}
