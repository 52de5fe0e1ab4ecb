package search

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

const (
	// maxSize bounds a compiled pattern, in instructions: matching takes time
	// in proportion to it.
	maxSize = 10_000
	// maxSteps is how many bytes times instructions are matched between two
	// looks at the clock, some hundredths of a second.
	maxSteps = 4 << 20
)

// A pattern is matched against single lines.
type pattern struct {
	re *regexp.Regexp
	// size is the number of instructions, roughly.
	size int
	// exact is the text that the pattern is, where it is no more than that.
	exact []byte
	// needles: a line that holds none of them cannot match. Empty where nothing
	// is known.
	needles needles
}

func compilePattern(text string, isLiteral, fold bool) (*pattern, error) {
	switch {
	case text == "":
		return nil, &hashline.Diagnostic{
			Code: hashline.BadArgument, Msg: "the pattern is empty",
			Hint: "write what to look for; to list lines, use read_file",
		}
	case len(text) > maxPattern:
		return nil, badPattern(fmt.Sprintf("the pattern is longer than %d bytes", maxPattern), "look for a part of it")
	case strings.Contains(text, "\n"):
		return nil, badPattern("the pattern holds a line break, and lines are matched one at a time", "look for one line of it")
	case !utf8.ValidString(text):
		return nil, badPattern("the pattern is not UTF-8", "")
	}
	expr := text
	if isLiteral {
		expr = regexp.QuoteMeta(text)
	}
	flags := syntax.Perl
	if fold {
		expr = "(?i:" + expr + ")"
		if _, err := syntax.Parse(text, flags); err != nil && !isLiteral {
			return nil, compileFault(err)
		}
	}
	tree, err := syntax.Parse(expr, flags)
	if err != nil {
		return nil, compileFault(err)
	}
	p := &pattern{size: cost(tree)}
	if p.size > maxSize {
		return nil, badPattern("the pattern is too complex", "use smaller counts in {n,m}, or split it")
	}
	if p.re, err = regexp.Compile(expr); err != nil {
		return nil, compileFault(err)
	}
	p.needles = required(tree)
	if p.needles.crossLines() {
		return nil, badPattern(`the pattern needs a line break (\n), and lines are matched one at a time`, "look for one line of it, with context to see those around it")
	}
	if tree.Op == syntax.OpLiteral && tree.Flags&syntax.FoldCase == 0 {
		p.exact = []byte(string(tree.Rune))
	}
	return p, nil
}

func badPattern(msg, hint string) error {
	return &hashline.Diagnostic{Code: hashline.BadPattern, Msg: msg, Hint: hint}
}

func compileFault(err error) error {
	return badPattern(fmt.Sprintf("%.300s", err), `escape special characters with \, or set literal to look for the text as it stands; look-around and backreferences do not exist here`)
}

// cost estimates how many instructions a tree compiles to, before it does.
func cost(re *syntax.Regexp) int {
	n := 1
	for _, sub := range re.Sub {
		n += cost(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		n = len(re.Rune)
	case syntax.OpRepeat:
		n *= max(re.Max, re.Min+1, 1)
	}
	return min(n, 1<<30)
}

// find gives the place of the first match in a line, or ok false. Very long
// lines are matched in a way that stops when stopped says so; the answer then
// means nothing.
func (p *pattern) find(line []byte, stopped func() bool) (start, end int, ok bool) {
	if p.exact != nil {
		at := bytes.Index(line, p.exact)
		return at, at + len(p.exact), at >= 0
	}
	var loc []int
	if len(line)*p.size <= maxSteps {
		loc = p.re.FindIndex(line)
	} else {
		loc = p.re.FindReaderIndex(&lineReader{line: line, every: maxSteps/p.size + 1, stopped: stopped})
	}
	if loc == nil {
		return 0, 0, false
	}
	return loc[0], loc[1], true
}

// A lineReader hands out a line, which ends early when stopped says so.
type lineReader struct {
	line    []byte
	at      int
	every   int
	count   int
	stopped func() bool
}

func (r *lineReader) ReadRune() (rune, int, error) {
	if r.count++; r.count >= r.every {
		r.count = 0
		if r.stopped() {
			return 0, 0, io.EOF
		}
	}
	if r.at == len(r.line) {
		return 0, 0, io.EOF
	}
	c, size := utf8.DecodeRune(r.line[r.at:])
	r.at += size
	return c, size, nil
}
