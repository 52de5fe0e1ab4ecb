package grammar

import (
	"fmt"

	"github.com/hashline-go/hashline/hashline"
)

// recovery reads a document that has a fault: it explains the line at which the
// grammar stopped, goes on behind it, and so finds all faults and all that can
// be read. The grammar alone decides what is valid, so that the explanations
// cannot disagree with it.
type recovery struct {
	text string // without what is outside its wrappers
	wrap wrapped
	doc  *hashline.Document

	faults hashline.Diagnostics
	at     line // the line to go on with; only its place is used

	// cur is the index of the section that is being read, -1 for none or for
	// one whose header could not be read.
	cur int
	// named are the sections whose headers could not be read but name a file;
	// vague tells that the last of them is being read.
	named []hashline.Section
	vague bool
	// meant are the headers that hints write with their tags.
	meant []hashline.Section
	// inside tells that there is a section at all, also one that could not be
	// read.
	inside        bool
	above         above
	sections, ops int  // what was read, which counts towards the limits
	fenced        bool // a fence was met where none may stand
}

// above says what stands before the line to go on with.
type above struct {
	put  bool // a PUT, whose rows may follow
	rows bool // it has rows already
	end  int  // the number of its last line
}

func newRecovery(text string, w wrapped) *recovery {
	return &recovery{text: text, wrap: w, doc: &hashline.Document{}, cur: -1}
}

// run goes on from what the grammar made of the whole text and gives the faults
// in document order.
func (r *recovery) run(tree *document, bad *stop, over bool) hashline.Diagnostics {
	over = r.take(tree, bad, false, over)
	for bad != nil && r.more() && !over {
		s := &scanner{text: r.text, at: r.at.off, num: r.at.num, single: true, sections: r.sections, ops: r.ops}
		resumed := r.inside && !r.atHeader()
		if resumed {
			s.resume()
		}
		tree, stopped := parse(s)
		over = r.take(tree, stopped, resumed, s.over)
		if stopped == nil {
			r.at = line{off: s.at, num: s.num}
		}
	}
	return r.list()
}

// more moves on to the next line that is not blank.
func (r *recovery) more() bool {
	for r.at.off < len(r.text) {
		l := lineAt(r.text, r.at.off, r.at.num)
		if !l.blank() {
			return true
		}
		r.at = l.following()
	}
	return false
}

// atHeader reports whether a header that can be read comes next.
func (r *recovery) atHeader() bool {
	l := lineAt(r.text, r.at.off, r.at.num)
	_, ok := readHeader(trim(l.text[l.start():]))
	return ok
}

// take keeps what the grammar has read, explains what stopped it, if anything
// did, and tells whether reading ends here.
func (r *recovery) take(tree *document, bad *stop, resumed, over bool) bool {
	r.keep(tree, bad, resumed)
	switch {
	case bad == nil:
		return false
	case over && bad.Type == tokStray: // a scanner's only stray token
		r.tooMany(bad)
		return true
	}
	r.explain(tree, bad)
	if len(r.faults) >= MaxFaults {
		r.toHeader()
	}
	return false
}

// keep adds the sections of a tree, the first to the current one if it is its
// rest.
func (r *recovery) keep(tree *document, bad *stop, resumed bool) {
	for i, s := range tree.Sections {
		ops := operations(s.Ops, bad)
		if i > 0 || !resumed {
			r.sections++
			r.inside = true
			r.above = above{end: s.Pos.Line}
			r.doc.Sections = append(r.doc.Sections, hashline.Section{Path: s.Header.path, Tag: s.Header.tag, Pos: position(s.Pos)})
			r.cur, r.vague = len(r.doc.Sections)-1, false
		}
		if r.cur >= 0 {
			r.doc.Sections[r.cur].Ops = append(r.doc.Sections[r.cur].Ops, ops...)
		}
		if r.vague {
			last := &r.named[len(r.named)-1]
			last.Ops = append(last.Ops, ops...)
		}
		r.ops += len(ops)
		if n := len(ops); n > 0 {
			last := ops[n-1]
			put := last.Kind != hashline.Delete
			r.above = above{put: put, rows: put, end: last.Pos.Line + len(last.Body)}
		}
	}
}

// pending gives the PUT that the tree ends with and that has no body yet.
func pending(tree *document, bad *stop) *op {
	if len(tree.Sections) == 0 {
		return nil
	}
	ops := tree.Sections[len(tree.Sections)-1].Ops
	if len(ops) == 0 {
		return nil
	}
	last := ops[len(ops)-1]
	if last.complete(bad) || last.Pos.Line >= bad.Pos.Line {
		return nil
	}
	return last
}

// toHeader moves on to the next header: the faults that can be reported are
// found, and only sections are still of use.
func (r *recovery) toHeader() {
	for r.at.off < len(r.text) && !r.atHeader() {
		r.at = lineAt(r.text, r.at.off, r.at.num).following()
	}
}

// add keeps a fault.
func (r *recovery) add(code hashline.Code, pos hashline.Position, msg, hint string) {
	if len(r.faults) < MaxFaults {
		r.faults = append(r.faults, &hashline.Diagnostic{Code: code, Pos: pos, Msg: msg, Hint: hint})
	}
}

// list gives the faults, that of a wrapper in its place. The fault of a limit is
// the last and is never left out.
func (r *recovery) list() hashline.Diagnostics {
	f := r.wrap.fault
	switch {
	case f != nil && f.Code == hashline.Truncated:
		if len(r.faults) == MaxFaults {
			r.faults = append(r.faults[:MaxFaults-2], r.faults[MaxFaults-1])
		}
		r.faults = append(hashline.Diagnostics{f}, r.faults...)
	case f != nil && len(r.faults) < MaxFaults:
		r.faults = append(r.faults, f)
	}
	return r.faults
}

// tooMany keeps the fault of the section or operation that is one too many.
func (r *recovery) tooMany(bad *stop) {
	d := &hashline.Diagnostic{Code: hashline.TooLarge, Pos: position(bad.Pos)}
	if r.text[bad.Pos.Offset] == '[' {
		d.Msg = fmt.Sprintf("the document has more than %d sections", MaxSections)
	} else {
		d.Msg = fmt.Sprintf("the document has more than %d operations", MaxOps)
	}
	d.Hint = "send it as several documents"
	r.faults = append(r.faults[:min(len(r.faults), MaxFaults-1)], d)
}

// tooManyBytes does not say how many there are: who reads a document may stop at
// the limit.
func tooManyBytes() *hashline.Diagnostic {
	return &hashline.Diagnostic{
		Code: hashline.TooLarge, Pos: hashline.Position{Line: 1, Column: 1},
		Msg:  fmt.Sprintf("the document has more than %d bytes", MaxBytes),
		Hint: "send it as several documents",
	}
}

// following is the place of the next line.
func (l line) following() line { return line{off: l.next, num: l.num + 1} }
