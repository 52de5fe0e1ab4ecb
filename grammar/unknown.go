package grammar

import "github.com/hashline-go/hashline/hashline"

// forms lists the operations there are.
const forms = "PUT N.=M: (replace), PUT <N: or PUT >N: (insert before or after line N), PUT >$: (append) with + rows below, or CUT N.=M (delete)"

// unknown keeps the fault of a line that is none of those with a code.
func (r *recovery) unknown(l line, msg, hint string) {
	r.add(hashline.UnknownLine, l.pos(l.start()), msg, hint)
}

// unknownRun explains a run of lines that look like nothing known as one fault.
func (r *recovery) unknownRun(l line) {
	n, last := r.runOf(l, lookOther, noBody)
	msg := "not part of a document: " + quote(l.text)
	if n > 1 {
		msg += " and " + plural(n-1, "line") + " after it"
	}
	hint := "leave it out; "
	if g, ok := guessHeader(trim(last.text)); ok {
		r.means(g.path, g.tag, l.pos(l.start()))
		hint = "leave it out, or " + g.advice() + " if it begins a section; "
	}
	switch {
	case !r.inside:
		hint += "a document begins with a header, [path#TAG]"
		if next := r.peek(); lookAt(next, noBody, false) == lookFence {
			r.fenced = !r.fenced // it encloses the document, the text should not be there
			r.at = next.following()
		}
	case r.above.put:
		hint += "if it is a row of the body above, write + before it, +" + excerpt(l.text) + ", and a lone + where the row is blank; what stands under a header is " + forms
	default:
		hint += "what stands under a header is " + forms
	}
	r.unknown(l, msg, hint)
	r.skipRows(r.at)
}

// foreign explains the first line of another format and passes over the rest.
func (r *recovery) foreign(l line, row string) {
	t := l.text[l.start():]
	name := foreign(t, r.inside)
	hint := "write a header, [path#TAG], and under it " + forms + row
	switch {
	case name == "JSON":
		hint = "send the document itself as plain text with real line breaks, beginning with a header [path#TAG]"
	case trim(t) == beginPatch || trim(t) == endPatch:
		name = "a wrapper that does not stand around the whole document"
		hint = beginPatch + " stands on the first line and " + endPatch + " on the last, or neither is there" + row
	}
	r.unknown(l, "this is "+name+": "+quote(l.text), hint)
	for r.at.off < len(r.text) {
		next := lineAt(r.text, r.at.off, r.at.num)
		if r.atHeader() || r.inside && opWord(next.text, next.start()) != "" {
			return
		}
		r.at = next.following()
	}
}
