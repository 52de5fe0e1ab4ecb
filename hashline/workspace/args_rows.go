package workspace

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// role is what an argument says of the rows that are asked for.
type role int

const (
	firstRow role = 1 + iota
	lastRow
	countRows
	tailRows
	spanRows
)

// rowRoles are the bare names by which other tools ask for rows.
var rowRoles = sync.OnceValue(func() map[string]role {
	return byBareName(map[role]string{
		firstRow:  "start startline startrow from fromline line linestart first firstline begin beginline startlinenumber startlineoneindexed",
		lastRow:   "end endline endrow to toline lineend last lastline until endlinenumber endlineoneindexedinclusive",
		countRows: "count lines numlines nlines maxlines linecount head headlines rows",
		tailRows:  "tail taillines",
		spanRows:  "range linerange lineranges viewrange",
	})
})

// rowsAsked is what a call asks for in arguments that there are not.
type rowsAsked struct {
	names  []string
	known  []string // offset and limit, where they are given
	role   map[role]int
	ranges string
}

// askedRows reads the unknown arguments of a call of read_file that ask for rows, and
// offset and limit with them; ok is false where they cannot all be meant.
func (s spelling) askedRows(unknown []string, all map[string]json.RawMessage) (r rowsAsked, ok bool) {
	if s.tool.Name != "read_file" {
		return r, false
	}
	given := func(name string) bool { raw, ok := all[name]; return ok && string(raw) != "null" }
	known := map[string]role{"offset": firstRow, "limit": countRows, "ranges": spanRows}
	bad := false
	r.role = map[role]int{}
	for _, name := range unknown {
		what := rowRoles()[bareName(name)]
		if what == 0 {
			if m, ok := s.meant(name); ok {
				what = known[m.Name]
			}
		}
		if what == 0 {
			continue
		}
		if r.names = append(r.names, name); bad {
			continue
		}
		n, whole := wholeOf(all[name])
		if what == spanRows || !whole {
			bad = r.ranges != ""
			if !bad {
				r.ranges, ok = rangesOf(all[name])
				bad = !ok
			}
			continue
		}
		_, bad = r.role[what]
		r.role[what] = n
	}
	if len(r.names) == 0 || bad || given("ranges") {
		return r, false
	}
	for _, name := range [...]string{"offset", "limit"} {
		what := known[name]
		if !given(name) {
			continue
		}
		n, whole := wholeOf(all[name])
		if _, twice := r.role[what]; twice || !whole || r.ranges != "" {
			return r, false
		}
		r.role[what] = n
		r.known = append(r.known, name)
	}
	_, tail := r.role[tailRows]
	return r, r.ranges == "" || len(r.role) == 0 && !tail
}

// fault says how to ask for the rows, in one call; clear tells that all arguments can
// be meant together. It is nil where the arguments are better spoken of one by one.
func (r rowsAsked) fault(t Tool, clear bool) *hashline.Diagnostic {
	form, what := "", ""
	if clear {
		form, what = r.form()
	}
	if form == "" && len(r.names) < 2 {
		return nil
	}
	d := badArgument("there is no argument %s", cut(strings.Join(r.names, ", and none "), 200))
	if d.Hint = form; form == "" {
		d.Hint = `say once which rows are meant: "ranges": "10-20" for the rows 10 to 20, or "offset": 10, "limit": 11`
	}
	if what == "" {
		return d
	}
	if what == "ranges" && len(r.known) > 0 {
		form += " in the place of " + strings.Join(r.known, " and ")
	}
	for _, p := range t.Params {
		if p.Name == what {
			d.Hint = "write " + form + "; " + what + ": " + p.Doc
			if len(r.names) == 1 && len(r.role) < 2 {
				d.Hint = "the argument is called " + what + ", write " + form + ": " + p.Doc
			}
		}
	}
	return d
}

// form is the right arguments, and the name of the first of them.
func (r rowsAsked) form() (form, what string) {
	if r.ranges != "" {
		if first, ok := strings.CutSuffix(r.ranges, "-"); ok {
			return `"offset": ` + first, "offset"
		}
		return fmt.Sprintf(`"ranges": %q`, r.ranges), "ranges"
	}
	first, hasFirst := r.role[firstRow]
	last, hasLast := r.role[lastRow]
	count, hasCount := r.role[countRows]
	if _, tail := r.role[tailRows]; tail {
		return `rows are counted from the first: read with "limit": 1, which says how many rows there are, and then with "offset"`, ""
	}
	if hasFirst && first < 1 || hasCount && count < 1 {
		return "", ""
	}
	if hasLast && last == -1 {
		hasLast, hasFirst = false, true // the end, as other tools have it
		first = max(first, 1)
	}
	switch {
	case hasLast:
		if first = max(first, 1); hasCount {
			last = min(last, first+count-1)
		}
		if last < first {
			return "", ""
		}
		return fmt.Sprintf(`"ranges": "%d-%d"`, first, last), "ranges"
	case hasFirst && hasCount:
		return fmt.Sprintf(`"offset": %d, "limit": %d`, first, count), "offset"
	case hasFirst:
		return fmt.Sprintf(`"offset": %d`, first), "offset"
	}
	return fmt.Sprintf(`"limit": %d`, count), "limit"
}

// wholeOf reads a whole number of a size that rows have, or a text that is one.
func wholeOf(raw json.RawMessage) (int, bool) {
	n, ok := whole(strings.Trim(string(raw), `" `))
	return n, ok && -hashline.MaxLine <= n && n <= hashline.MaxLine
}

// pairLike finds two numbers, the first and the last row, the last perhaps -1 or
// missing for the end.
var pairLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[\s*"?(\d{1,9})"?\s*,\s*"?(-1|\d{1,9})"?\s*\]$|^"\[?\s*(\d{1,9})\s*[-:–]\s*(-1|\d{0,9})\s*\]?"$`)
})

// rangesOf gives what a value says of rows in the form of ranges, with nothing behind
// the "-" where it goes on to the end.
func rangesOf(raw json.RawMessage) (string, bool) {
	if m := pairLike().FindSubmatch(raw); m != nil {
		first, last := string(m[1])+string(m[3]), string(m[2])+string(m[4])
		if last == "-1" {
			last = ""
		}
		return first + "-" + last, true
	}
	var text string
	if json.Unmarshal(raw, &text) != nil || len(text) > 200 {
		return "", false
	}
	_, err := snapshot.ParseRanges(text)
	return text, err == nil
}
