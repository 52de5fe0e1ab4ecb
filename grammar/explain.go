package grammar

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/hashline-go/hashline/hashline"
)

// explain makes the fault of the place at which the grammar stopped, and moves
// on to where it can go on.
func (r *recovery) explain(tree *document, bad *stop) {
	l := line{off: len(r.text), num: bad.Pos.Line, next: len(r.text)}
	if off := bad.Pos.Offset - (bad.Pos.Column - 1); off < len(r.text) {
		l = lineAt(r.text, off, bad.Pos.Line)
	}
	r.at = l
	end := bad.Type == lexer.EOF || bad.Type == tokHeader
	if end && l.off == len(r.text) && r.wrap.fault != nil && r.wrap.fault.Code == hashline.Truncated {
		return // what is missing was cut off
	}
	waiting := pending(tree, bad)
	if waiting != nil {
		r.above = above{put: true, end: waiting.Pos.Line}
	}
	where := noBody
	if waiting != nil || r.above.put && r.above.end+1 == l.num {
		if where = firstRow; r.above.rows {
			where = laterRow
		}
	}
	looks := lookAt(l, where, r.inside)
	switch {
	case waiting != nil && (end || looks == lookOp || looks == lookHeader || looks == lookDressed || looks == lookRemove || looks == lookMove):
		r.missingBody(waiting)
	case end && !r.inside:
		r.add(hashline.EmptyDocument, hashline.Position{Line: 1, Column: 1}, "the document is empty",
			"begin with the header of the file's view, [path#TAG], and write PUT and CUT operations under it")
	case end:
		s := r.doc.Sections[r.cur]
		r.add(hashline.EmptySection, s.Pos, "the section of "+excerpt(s.Path)+" has no operation",
			"write PUT or CUT operations under the header, or leave the header out")
	case !r.inside && (looks == lookOp || looks == lookPlus):
		r.outside(l, looks)
	default:
		r.explainLine(l, looks, where)
	}
}

// outside explains an operation or a row without a header and goes on with it
// as if it had one.
func (r *recovery) outside(l line, looks look) {
	what, hint := "an operation", "write the header of the file's view, [path#TAG], above it"
	if looks == lookPlus {
		what = "a body row"
		hint = withoutPlus(l.text, hint+" and the PUT that the row belongs to")
		r.meansPlus(l, l.pos(l.start()))
		r.skipRows(l)
	}
	r.inside = true
	r.add(hashline.OutsideSection, l.pos(l.start()), what+" stands before any section: "+quote(l.text), hint)
}

// missingBody explains a PUT under which no row stands.
func (r *recovery) missingBody(o *op) {
	put := strings.TrimSuffix(o.operation().String(), ":")
	hint := "write the new rows under " + put + ":, each with + before it; + alone is a blank row"
	if o.Place.Span != nil {
		hint += "; to delete lines write CUT " + o.Place.Span.lines().String()
	}
	r.add(hashline.MissingBody, position(o.Pos), put+": has no body", hint)
}

// explainLine explains a line that has a fault of its own.
func (r *recovery) explainLine(l line, looks look, where spot) {
	r.at = l.following()
	pos := l.pos(l.start())
	row := r.rowToo(l, where)
	switch looks {
	case lookHeader, lookOther:
		if hint := escapedHint(l.text); hint != "" {
			r.escaped(l, looks, hint)
			return
		}
		if d := oddFault(l); d != nil {
			r.odd(l, d)
			return
		}
		switch {
		case looks == lookHeader:
			r.badHeader(l, where)
		case where != noBody:
			r.badRows(l, looks, where)
		default:
			r.unknownRun(l)
		}
		return
	case lookOp:
		r.badOp(l)
		return
	case lookPlus:
		r.strayRows(l)
		return
	case lookMinus, lookView, lookIndented:
		r.badRows(l, looks, where)
		return
	case lookDressed:
		r.dressed(l, row)
		return
	case lookRemove:
		r.add(hashline.RemoveFile, pos, "REM, to remove a file, is not supported",
			"remove the file with another tool; CUT 1.=N deletes its lines 1 to N"+row)
	case lookMove:
		r.add(hashline.MoveFile, pos, "MV, to move a file, is not supported",
			"move the file with another tool, then edit it under its new name: [new/path#TAG]"+row)
	case lookForeign:
		r.foreign(l, row)
		return
	case lookFence:
		if r.fenced = !r.fenced; !r.fenced {
			break // the other end of one that was reported
		}
		r.unknown(l, "a fence inside the document: "+quote(l.text),
			"a fence may only stand around the whole document; leave it out, or write +"+excerpt(trim(l.text))+" if it is a row")
	case lookElision:
		r.unknown(l, "an elision mark is no part of a document: "+quote(l.text),
			"write every row in full, or leave out the lines that do not change; +"+excerpt(trim(l.text))+" is a row with this text")
	case lookGlued:
		t := l.text[l.start():]
		r.unknown(l, "no blank after the keyword: "+quote(l.text), "write "+strings.ToUpper(t[:3])+" "+excerpt(t[3:])+row)
	case lookCommand:
		r.unknown(l, "there is no such operation: "+quote(l.text), "write "+forms+row)
	}
	r.skipRows(r.at)
	r.above.end = r.at.num - 1 // where a body is interrupted it goes on
}

// dressed explains an operation that something stands around.
func (r *recovery) dressed(l line, row string) {
	form, put, _ := dressedOp(l.text[l.start():])
	hint := "write " + form + " alone on its line" + row
	if !r.inside {
		hint = "write " + form + " alone on its line, under the header [path#TAG], or leave the line out if it is no operation"
	} else if row != "" && l.text[0] == '-' {
		hint += ", or leave it out if it is the - row of a diff"
	}
	r.unknown(l, "something stands around the operation "+form+": "+quote(l.text), hint)
	r.skipRows(r.at)
	r.above = above{put: put || r.at.num > l.num+1, rows: r.at.num > l.num+1, end: r.at.num - 1}
}

// odd explains a line that is wrong only in characters that look like others.
func (r *recovery) odd(l line, d *hashline.Diagnostic) {
	pos := l.pos(d.Pos.Column)
	if d.Code == hashline.BadHeader {
		t, _, _ := plain(l.text[l.start():])
		h, _ := readHeader(trim(t))
		r.means(h.path, h.tag.String(), pos)
		r.unread()
		r.name(h.path, pos)
	}
	r.add(d.Code, pos, d.Msg, d.Hint)
	above := above{put: d.Code == hashline.MissingPlus, rows: d.Code == hashline.MissingPlus}
	if d.Code == hashline.UnknownLine {
		above.put = strings.HasPrefix(d.Hint, "write PUT")
	}
	if n := r.skipRows(r.at); n > 0 {
		above.put, above.rows = true, true
	}
	above.end = r.at.num - 1
	r.above = above
}
