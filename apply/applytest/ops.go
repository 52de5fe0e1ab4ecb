package applytest

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

var opLine = regexp.MustCompile(`(?i)^[ \t]*(PUT|CUT)[ \t]*([<>]?)[ \t]*([0-9]+|\$)[ \t]*(?:(?:\.=|\.\.|-)[ \t]*([0-9]+))?[ \t]*:?[ \t]*\r?$`)

// Ops reads the operations of a document of one section. It is no parser: it
// knows well-formed lines only, passes over all others, and is there so that
// tests of what is done with operations can write them readably.
func Ops(doc string) []hashline.Op {
	var ops []hashline.Op
	for i, line := range strings.Split(doc, "\n") {
		if row, ok := strings.CutPrefix(line, "+"); ok && len(ops) > 0 {
			o := &ops[len(ops)-1]
			o.Body = append(o.Body, strings.TrimSuffix(row, "\r"))
			continue
		}
		m := opLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		o := hashline.Op{Pos: hashline.Position{Line: i + 1, Column: 1}}
		o.Span.First = lineNumber(m[3])
		o.Span.Last = o.Span.First
		if m[4] != "" {
			o.Span.Last = lineNumber(m[4])
		}
		switch {
		case strings.EqualFold(m[1], "CUT"):
			o.Kind = hashline.Delete
		case m[2] == "<":
			o.Kind = hashline.InsertBefore
		case m[3] == "$":
			o.Kind, o.Span = hashline.Append, hashline.Span{}
		case m[2] == ">":
			o.Kind = hashline.InsertAfter
		default:
			o.Kind = hashline.Replace
		}
		ops = append(ops, o)
	}
	return ops
}

func lineNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n > hashline.MaxLine {
		return hashline.MaxLine
	}
	return n
}
