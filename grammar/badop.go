package grammar

import (
	"fmt"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// badOp explains a line that begins with PUT or CUT and is no operation.
func (r *recovery) badOp(l line) {
	i := l.start()
	f := opLine{s: l.text, word: opWord(l.text, i)}
	f.i = skip(f.s, i+len(f.word))
	f.put = f.word == "PUT"
	d := f.fault()
	if d == nil {
		d = f.bad(i, "this is not an operation: "+quote(l.text), "write "+forms)
	}
	if odd := oddFault(l); odd != nil {
		d.Msg, d.Hint = odd.Msg, odd.Hint
	}
	if hint := escapedHint(l.text[i:]); hint != "" {
		d.Hint = hint
	}
	d.Pos = l.pos(d.Pos.Column)
	r.add(d.Code, d.Pos, d.Msg, d.Hint)
	rows := r.skipRows(r.at) > 0
	r.above = above{put: f.put || rows, rows: rows, end: r.at.num - 1}
}

// opLine is an operation's line under examination.
type opLine struct {
	s    string
	i    int    // the index that is read next
	word string // "PUT" or "CUT"
	put  bool
	mark string // "", "<", ">" or ">$"
	// first and last are the lines read so far, 0 for none.
	first, last int
}

// at makes a fault; its column counts from 0.
func (f *opLine) at(code hashline.Code, i int, msg, hint string) *hashline.Diagnostic {
	return &hashline.Diagnostic{Code: code, Pos: hashline.Position{Column: i}, Msg: msg, Hint: hint}
}

func (f *opLine) bad(i int, msg, hint string) *hashline.Diagnostic {
	return f.at(hashline.BadSpan, i, msg, hint)
}

// form gives the operation on lines first to last as it should be written.
func (f *opLine) form(first, last int) string {
	op := hashline.Op{Kind: hashline.Delete, Span: hashline.Span{First: first, Last: max(first, last)}}
	switch {
	case f.mark == "<":
		op.Kind = hashline.InsertBefore
	case f.mark == ">":
		op.Kind = hashline.InsertAfter
	case f.mark == ">$":
		op.Kind = hashline.Append
	case f.put:
		op.Kind = hashline.Replace
	}
	return op.String()
}

// rest is what was not read yet.
func (f *opLine) rest() string { return f.s[f.i:] }

func (f *opLine) skip(n int) { f.i = skip(f.s, f.i+n) }

func (f *opLine) fault() *hashline.Diagnostic {
	rest := f.rest()
	switch {
	case strings.HasPrefix(rest, "<"), strings.HasPrefix(rest, ">"):
		if !f.put {
			return f.bad(f.i, "CUT takes lines, not a place between lines: "+quote(f.s), "write CUT N or CUT N.=M; PUT <N: and PUT >N: insert rows")
		}
		f.mark = rest[:1]
		f.skip(1)
		if f.mark == ">" && strings.HasPrefix(f.rest(), "$") {
			f.mark = ">$"
			f.skip(1)
			return f.tail()
		}
	}
	if d := f.number(&f.first); d != nil {
		return d
	}
	f.skip(0)
	behind := f.i
	d := f.end()
	if d != nil && d.Code != hashline.ZeroLine && d.Code != hashline.ReversedSpan {
		if loose := f.loose(behind); loose != nil {
			return loose
		}
	}
	return d
}

// end reads what follows the first line.
func (f *opLine) end() *hashline.Diagnostic {
	if n := rangeLen(f.rest()); n > 0 {
		at := f.i
		f.skip(n)
		if d := f.number(&f.last); d != nil {
			return d
		}
		if f.mark != "" {
			return f.bad(at, "an insert has one line, not a span: "+quote(f.s), f.insertHint(f.first, f.last))
		}
		if f.last < f.first {
			return f.reversed(at)
		}
		f.skip(0)
	}
	return f.tail()
}

// rangeLen is the length of the sign between two lines at the start of s.
func rangeLen(s string) int {
	switch {
	case strings.HasPrefix(s, ".="), strings.HasPrefix(s, ".."):
		return 2
	case strings.HasPrefix(s, "-"):
		return 1
	}
	return 0
}

func (f *opLine) reversed(at int) *hashline.Diagnostic {
	return f.at(hashline.ReversedSpan, start(f.s, at),
		fmt.Sprintf("the span ends at line %d, before it begins at line %d", f.last, f.first), reversedHint(f.first, f.last))
}

// reversedHint is for a span from line n to line m, which is above it.
func reversedHint(n, m int) string {
	hint := fmt.Sprintf("lines %d to %d are %d.=%d", m, n, m, n)
	if m == 1 {
		hint += fmt.Sprintf("; line %d alone is %d", n, n)
	} else if n+m-1 <= hashline.MaxLine {
		hint += fmt.Sprintf("; %d lines from line %d are %d.=%d", m, n, n, n+m-1)
	}
	return hint
}

// start gives the index at which the number before index i of s begins.
func start(s string, i int) int {
	for i > 0 && isBlank(s[i-1]) {
		i--
	}
	for i > 0 && isDigit(s[i-1]) {
		i--
	}
	return i
}
