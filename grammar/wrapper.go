package grammar

import (
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// wrapped is what is left of a text when its wrappers are taken off (spec 5).
type wrapped struct {
	at, num int // where the document begins: an offset, and the number of that line
	end     int // the offset of its end
	// fault is that of a wrapper: one that does not close, or text after the
	// last; nil in most texts.
	fault *hashline.Diagnostic
}

// wrapper is a line that opens a wrapper. A patch marker has no mark.
type wrapper struct {
	line
	mark  byte // the character of a fence
	count int  // how often it stands there
}

const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
)

// unwrap finds the document in a text. It knows one fence and one pair of patch
// lines, in either order. Where all wrappers close at the end of the text, it
// looks at their lines alone.
func unwrap(text string) wrapped {
	w := wrapped{num: 1, end: len(text)}
	var open []wrapper
	for at, num := 0, 1; at < len(text); {
		l := lineAt(text, at, num)
		if at, num = l.next, num+1; l.blank() {
			continue
		}
		o, ok := opener(l)
		if !ok || len(open) > 0 && (o.mark == 0) == (open[len(open)-1].mark == 0) || len(open) == 2 {
			break
		}
		open = append(open, o)
		w.at, w.num = at, num
	}
	if len(open) == 0 || w.closeAtEnd(text, open) {
		return w
	}
	w.closeInside(text, open)
	return w
}

// closeAtEnd takes the closing lines off the end, the outermost wrapper's first.
func (w *wrapped) closeAtEnd(text string, open []wrapper) bool {
	end := w.end
	for _, o := range open {
		last := strings.TrimRight(text[w.at:end], " \t\r\n")
		from := w.at + strings.LastIndexByte(last, '\n') + 1
		if !o.closes(lineAt(text[:end], from, 0)) {
			return false
		}
		end = from
	}
	w.end = end
	return true
}

// closeInside looks for the closing lines from the top and keeps the fault.
func (w *wrapped) closeInside(text string, open []wrapper) {
	inner := len(open) - 1
	for at, num := w.at, w.num; at < len(text); {
		l := lineAt(text, at, num)
		at, num = l.next, num+1
		switch {
		case inner >= 0 && open[inner].closes(l):
			if inner == len(open)-1 {
				w.end = l.off
			}
			inner--
		case inner < len(open)-1 && !l.blank():
			w.fault = afterWrapper(l)
			return
		}
	}
	w.fault = notClosed(open[inner])
	if inner == len(open)-1 {
		// The outer wrapper may close all the same; that line is no fault.
		_ = w.closeAtEnd(text, open[:inner])
	}
}

func opener(l line) (wrapper, bool) {
	s := trim(l.content())
	if s == beginPatch {
		return wrapper{line: l}, true
	}
	mark, count := fence(s)
	return wrapper{l, mark, count}, count > 0
}

func (w wrapper) closes(l line) bool {
	s := trim(l.text)
	if w.mark == 0 {
		return s == endPatch
	}
	mark, count := fence(s)
	return mark == w.mark && count >= w.count && count == len(s)
}

// fence gives the mark that opens or closes a fence and its length, else 0.
func fence(s string) (mark byte, count int) {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return 0, 0
	}
	for count < len(s) && s[count] == s[0] {
		count++
	}
	if count < 3 {
		return 0, 0
	}
	return s[0], count
}

func notClosed(w wrapper) *hashline.Diagnostic {
	d := &hashline.Diagnostic{Code: hashline.Truncated, Pos: w.pos(w.start())}
	name, closing := beginPatch, endPatch
	if w.mark != 0 {
		name = strings.Repeat(string(w.mark), min(w.count, 10))
		closing = name
	}
	d.Msg = "the wrapper " + name + " is not closed: the document was cut off on its way"
	d.Hint = "send the whole document again, with " + closing + " on its last line, or without a wrapper"
	return d
}

func afterWrapper(l line) *hashline.Diagnostic {
	return &hashline.Diagnostic{
		Code: hashline.UnknownLine, Pos: l.pos(skip(l.text, 0)),
		Msg:  "text after the line that closes the wrapper: " + quote(l.text),
		Hint: "a wrapper stands around the whole document; write all sections inside it and nothing after it",
	}
}
