package fuzz

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

var (
	naiveBlank  = regexp.MustCompile(`^[ \t\r]*$`)
	naiveHeader = regexp.MustCompile(`(?s)^[ \t\x{FEFF}]*\[(.*)#[ \t]*([0-9A-Fa-f]{4})[ \t]*\][ \t]*$`)
	naiveOp     = regexp.MustCompile(`^[ \t\x{FEFF}]*(?:` +
		`((?i:put))[ \t]*<[ \t]*([0-9]+)[ \t]*:` +
		`|((?i:put))[ \t]*>[ \t]*([0-9]+)[ \t]*:` +
		`|((?i:put))[ \t]*>[ \t]*\$[ \t]*:` +
		`|((?i:put))[ \t]+([0-9]+)[ \t]*(?:(?:\.=|\.\.|-)[ \t]*([0-9]+)[ \t]*)?:` +
		`|((?i:cut))[ \t]+([0-9]+)[ \t]*(?:(?:\.=|\.\.|-)[ \t]*([0-9]+))?` +
		`)[ \t]*$`)
	naiveFence = regexp.MustCompile("^[ \t]*(`{3,}|~{3,})(.*)$")
	naivePatch = regexp.MustCompile(`^[ \t]*\*\*\* (Begin|End) Patch[ \t]*$`)
)

// naiveParse reads the valid language line by line. It shares no code with the
// grammar, and takes no care of speed.
func naiveParse(text string) ([]hashlinetest.VectorSection, bool) {
	lines := strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	lines, ok := naiveUnwrap(lines)
	if !ok {
		return nil, false
	}
	var all []hashlinetest.VectorSection
	for i := 0; i < len(lines); i++ {
		s := lines[i]
		if naiveBlank.MatchString(s) {
			continue
		}
		if m := naiveHeader.FindStringSubmatch(s); m != nil {
			path := strings.Trim(m[1], " \t")
			if path == "" || len(all) > 0 && len(all[len(all)-1].Ops) == 0 {
				return nil, false
			}
			all = append(all, hashlinetest.VectorSection{Path: path, Tag: strings.ToUpper(m[2])})
			continue
		}
		m := naiveOp.FindStringSubmatch(s)
		if m == nil || len(all) == 0 {
			return nil, false
		}
		o, put := hashlinetest.VectorOp{}, true
		first := 0
		switch {
		case m[1] != "":
			o.Op, first = "insert_before", naiveNumber(m[2])
			o.Line = &first
		case m[3] != "":
			o.Op, first = "insert_after", naiveNumber(m[4])
			o.Line = &first
		case m[5] != "":
			o.Op, first = "insert_after", 1
		case m[6] != "":
			o.Op, first = "replace", naiveNumber(m[7])
		default:
			o.Op, put, first = "delete", false, naiveNumber(m[10])
		}
		last := first
		if m[8]+m[11] != "" {
			last = naiveNumber(m[8] + m[11])
		}
		if first == 0 || last < first {
			return nil, false
		}
		if o.Op == "replace" || o.Op == "delete" {
			o.Start, o.End = first, last
		}
		for put && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+") {
			i++
			o.Body = append(o.Body, lines[i][1:])
		}
		if put && len(o.Body) == 0 {
			return nil, false
		}
		all[len(all)-1].Ops = append(all[len(all)-1].Ops, o)
	}
	return all, len(all) > 0 && len(all[len(all)-1].Ops) > 0
}

// naiveUnwrap takes off at most one fence and one pair of patch lines.
func naiveUnwrap(lines []string) ([]string, bool) {
	fenced, patched := false, false
	for {
		for len(lines) > 0 && naiveBlank.MatchString(lines[0]) {
			lines = lines[1:]
		}
		for len(lines) > 0 && naiveBlank.MatchString(lines[len(lines)-1]) {
			lines = lines[:len(lines)-1]
		}
		if len(lines) == 0 {
			return lines, true
		}
		first, last := lines[0], lines[len(lines)-1]
		if m := naiveFence.FindStringSubmatch(first); m != nil && !fenced {
			fenced = true
			n := naiveFence.FindStringSubmatch(last)
			if len(lines) < 2 || n == nil || !strings.HasPrefix(n[1], m[1]) || strings.Trim(n[2], " \t") != "" {
				return nil, false
			}
		} else if m := naivePatch.FindStringSubmatch(first); m != nil && m[1] == "Begin" && !patched {
			patched = true
			n := naivePatch.FindStringSubmatch(last)
			if len(lines) < 2 || n == nil || n[1] != "End" {
				return nil, false
			}
		} else {
			return lines, true
		}
		lines = lines[1 : len(lines)-1]
	}
}

func naiveNumber(digits string) int {
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > 9 {
		return 999_999_999
	}
	n := 0
	if digits != "" {
		fmt.Sscan(digits, &n)
	}
	return n
}
