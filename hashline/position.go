// Package hashline is the vocabulary of the hashline edit format: documents,
// sections, operations, spans, tags, positions, codes and diagnostics, the
// rules that need no file, and canonical printing.
//
// Doc comments cite the contract, testdata/spec.md in this repository, by its
// sections: (spec 5) is section 5.
//
// The package depends on the standard library only. Values are plain data: they may be
// copied, and read from several goroutines at once as long as none writes.
// Text becomes a [Document] in package grammar; a document meets a file in
// package apply; package hashline/workspace joins all of it.
package hashline

import "strconv"

// Position is a place in a document. Offset counts bytes from 0; Line and
// Column count from 1, Column in bytes. The zero Position means "no place".
type Position struct {
	Offset, Line, Column int
}

// IsValid reports whether the position names a place.
func (p Position) IsValid() bool { return p.Line > 0 }

// String gives the position as "line L, column C", the form that refusals
// use (spec 7), or "-" when there is none.
func (p Position) String() string {
	if !p.IsValid() {
		return "-"
	}
	return "line " + strconv.Itoa(p.Line) + ", column " + strconv.Itoa(p.Column)
}

// MaxLine is the largest line number a document can name; a larger one reads
// as this and is out of range in every file (spec 5).
const MaxLine = 999_999_999

// Span is an inclusive run of lines, counted from 1 (spec 5).
type Span struct {
	First, Last int
}

// Len is the number of lines in the span.
func (s Span) Len() int { return s.Last - s.First + 1 }

// Contains reports whether line n lies in the span.
func (s Span) Contains(n int) bool { return s.First <= n && n <= s.Last }

// String gives the canonical form: "3" for one line, "3.=5" for several.
func (s Span) String() string { return string(s.append(nil)) }

func (s Span) append(b []byte) []byte {
	b = strconv.AppendInt(b, int64(s.First), 10)
	if s.First == s.Last {
		return b
	}
	return strconv.AppendInt(append(b, ".="...), int64(s.Last), 10)
}
