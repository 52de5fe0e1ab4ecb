package search

import (
	"bytes"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// needles are texts one of which every matching line holds. Finding them in a
// whole file is much faster than matching each of its lines.
type needles struct {
	texts []string
	// fold: the texts are in lower case, and ASCII letters of either case will
	// do.
	fold bool
}

// maxNeedles is how many texts are looked for at once, at most.
const maxNeedles = 8

// required finds texts that a match of the tree must hold.
func required(re *syntax.Regexp) needles {
	switch re.Op {
	case syntax.OpLiteral:
		return joined([]*syntax.Regexp{re})
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best needles
		for i := 0; i < len(re.Sub); i++ {
			end := i
			for end < len(re.Sub) && re.Sub[end].Op == syntax.OpLiteral {
				end++
			}
			n := joined(re.Sub[i:end])
			if end == i {
				n = required(re.Sub[i])
			} else {
				i = end - 1
			}
			if n.worth() > best.worth() {
				best = n
			}
		}
		return best
	case syntax.OpAlternate:
		var all needles
		for i, sub := range re.Sub {
			n := required(sub)
			if len(n.texts) == 0 || i > 0 && n.fold != all.fold || len(all.texts)+len(n.texts) > maxNeedles {
				return needles{}
			}
			all.fold = n.fold
			all.texts = append(all.texts, n.texts...)
		}
		return all
	}
	return needles{}
}

// joined makes one needle of literals that follow one another; a pattern without
// regard to case is parsed into a literal for each run of letters or digits.
func joined(literals []*syntax.Regexp) needles {
	var text string
	fold := false
	for _, l := range literals {
		text += string(l.Rune)
		fold = fold || l.Flags&syntax.FoldCase != 0
	}
	switch {
	case text == "":
		return needles{}
	case !fold:
		return needles{texts: []string{text}}
	}
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return needles{}
		}
	}
	return needles{texts: []string{strings.ToLower(text)}, fold: true}
}

// worth prefers long texts, and few of them.
func (n needles) worth() int {
	if len(n.texts) == 0 {
		return 0
	}
	shortest := len(slices.MinFunc(n.texts, func(a, b string) int { return len(a) - len(b) }))
	return shortest*maxNeedles - len(n.texts) + 1
}

// crossLines reports whether no line can hold any of the texts.
func (n needles) crossLines() bool {
	return len(n.texts) > 0 && !slices.ContainsFunc(n.texts, func(t string) bool { return !strings.Contains(t, "\n") })
}

// A finder looks for needles in one text.
type finder struct {
	text []byte
	all  []needle
}

type needle struct {
	text []byte
	// next is where it stands next, -1 for nowhere any more.
	next int
}

// in prepares to look for the needles in text. It reports false where they
// cannot be used. The copy of a text that folding needs goes into scratch.
func (n needles) in(text []byte, scratch *[]byte) (*finder, bool) {
	if len(n.texts) == 0 {
		return nil, false
	}
	if n.fold {
		ascii := lowered(text, scratch)
		// Outside ASCII the Kelvin sign folds to k and the long s to s.
		if !ascii && slices.ContainsFunc(n.texts, func(t string) bool { return strings.ContainsAny(t, "ks") }) {
			return nil, false
		}
		text = *scratch
	}
	f := &finder{text: text, all: make([]needle, len(n.texts))}
	for i, t := range n.texts {
		f.all[i] = needle{text: []byte(t), next: bytes.Index(text, []byte(t))}
	}
	return f, true
}

// from gives the first place at or after at where a needle begins, or -1.
func (f *finder) from(at int) int {
	first := -1
	for i := range f.all {
		n := &f.all[i]
		if n.next >= 0 && n.next < at {
			n.next = bytes.Index(f.text[at:], n.text)
			if n.next >= 0 {
				n.next += at
			}
		}
		if n.next >= 0 && (first < 0 || n.next < first) {
			first = n.next
		}
	}
	return first
}

// lowered copies a text with its ASCII letters in lower case, and reports
// whether all of it is ASCII.
func lowered(text []byte, scratch *[]byte) bool {
	if cap(*scratch) < len(text) {
		*scratch = make([]byte, len(text))
	}
	out := (*scratch)[:len(text)]
	*scratch = out
	var high byte
	for i, c := range text {
		high |= c
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		out[i] = c
	}
	return high < utf8.RuneSelf
}
