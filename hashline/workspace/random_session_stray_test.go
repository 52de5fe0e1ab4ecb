package workspace_test

import (
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
)

// stray sends, after a refusal, an operation of another origin that by chance
// touches lines which the refusal named without showing them. It reports whether
// that was refused, so that a retry can still follow.
func (l *life) stray(sections []section) bool {
	f := sections[l.r.IntN(len(sections))].f
	if !f.there || len(f.spelt) == 0 {
		return true
	}
	tag := l.tagOf(f)
	op, hidden := l.strayOp(f), false
	for range 20 {
		for n := op.Span.First; n <= op.Span.Last && n <= len(f.live()); n++ {
			k := f.knows(n, tag)
			hidden = hidden || !f.offered(tag, op, n) && (k == wrong || k == unseen && l.cfg.RequireSeen == workspace.Enforce)
		}
		if hidden {
			break
		}
		op = l.strayOp(f)
	}
	if !hidden || op.Span.Last > len(f.live()) || f.tag != tag {
		return true
	}
	l.met["strays on lines that a refusal named"]++
	s := section{f: f, doc: hashline.Section{Path: f.name, Ops: []hashline.Op{op}}, meant: [][]int{make([]int, op.Span.Len())}}
	s.doc.Tag, _ = hashline.ParseTag(tag)
	doc := document([]section{s})
	return l.judge([]section{s}, doc, l.call("edit", map[string]any{"input": doc})) == refusedEdit && !l.t.Failed()
}

func (l *life) strayOp(f *mfile) hashline.Op {
	o := f.spelt[l.r.IntN(len(f.spelt))]
	op := hashline.Op{Kind: o.kind, Span: hashline.Span{First: o.n, Last: o.n}, Body: l.someLines(2)}
	switch l.r.IntN(3) {
	case 0:
		op.Kind = hashline.Kind(1 + l.r.IntN(4))
	case 1:
		op.Span = o.span
		if op.Span.First++; op.Span.First > op.Span.Last {
			op.Span.First, op.Span.Last = max(1, o.n-2), o.n
		}
	}
	if op.Kind == hashline.Delete {
		op.Body = nil
	}
	if !op.Destructive() {
		op.Span.First = op.Span.Last
	}
	return op
}
