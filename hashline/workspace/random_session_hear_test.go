package workspace_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

func itoa(n int) string { return strconv.Itoa(n) }

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

var (
	viewHeader = regexp.MustCompile(`^\[(.+)#([0-9A-F]{4})\](?: unchanged; .*)?$`)
	viewRow    = regexp.MustCompile(`^(\d+)(?::| \| | - )(.*)$`)
	stretch    = regexp.MustCompile(`^(?:(\S+): )?\[old line (\d+) is now (\d+)(?:, and so on to (?:old line (\d+)|(the end)))?\]$`)
	voidLine   = regexp.MustCompile(`^(?:(\S+): )?\[the numbers? of old lines? ([\d, -]+) (?:is|are) void(, but where a line below has them)?; read_file shows where (?:it is|they are) now\]$`)
	voidFrom   = regexp.MustCompile(`^(?:(\S+): )?\[old line (\d+) and all after it are void; read_file shows them again\]$`)
)

// hear takes in the rows of an answer, as the agent sees them: as text. counts
// is false for previews of the session's own edits, which renumbering does not
// count from. It gives the views by the name of their file.
func (l *life) hear(content string, counts bool) map[*mfile]mview {
	body, _, _ := strings.Cut(content, "\n\nCorrected document:\n")
	heard := map[*mfile]mview{}
	var f *mfile
	var tag string
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if m := viewHeader.FindStringSubmatch(line); m != nil {
			f, tag = l.paths[m[1]], m[2]
			if f == nil {
				l.errorf("a header names %q", m[1])
				continue
			}
			if live := l.tagOf(f); live != tag {
				l.errorf("the header of %s has the tag %s, the file %s", m[1], tag, live)
			}
			f.head(tag)
			heard[f] = mview{tag, map[int]mline{}}
			continue
		}
		if line == "" {
			f = nil
		}
		m := viewRow.FindStringSubmatch(line)
		if m == nil || f == nil {
			continue
		}
		n := atoi(m[1])
		if n < 1 || n > len(f.live()) || f.live()[n-1].text != m[2] {
			l.errorf("%s: row %q is not what stands there", f.name, line)
			continue
		}
		f.show(tag, n, counts)
		heard[f].rows[n] = f.live()[n-1]
	}
	for f, v := range heard {
		if len(v.rows) > 0 {
			f.views = append(f.views, v)
		}
	}
	return heard
}

// head notes that a header was shown.
func (f *mfile) head(tag string) {
	if old, ok := f.tags[tag]; !ok || !f.same(old) {
		f.under[tag], f.offers[tag] = map[int]bool{}, map[moffer]bool{}
	}
	f.tags[tag], f.latest, f.tag = f.now(), f.now(), tag
}

// show notes that a row of the live text was shown.
func (f *mfile) show(tag string, n int, counts bool) {
	line := f.live()[n-1]
	if len(f.rows) == 0 {
		f.since = f.now()
	}
	s := mshow{f.now(), n, line}
	f.rows[line.id], f.numbers[n] = s, s
	f.under[tag][n] = true
	if counts {
		f.told[n] = s
		delete(f.follow, n)
	}
}

// A moffer is an operation that a refusal spelt out, by its kind and span, and one
// of the lines for which it needs no other leave.
type moffer struct {
	kind hashline.Kind
	span hashline.Span
	n    int
}

// offer notes that a refusal said how an operation is to be written on the live
// text. Its lines are not shown by that: the operation passes, and no other.
func (l *life) offer(f *mfile, kind hashline.Kind, span hashline.Span, first, last int) {
	if span.First < 1 || span.Last > len(f.live()) {
		return // no document can say that
	}
	tag := l.tagOf(f)
	if _, ok := f.tags[tag]; !ok || !f.same(f.tags[tag]) {
		f.head(tag)
	}
	for n := first; n <= last; n++ {
		f.offers[tag][moffer{kind, span, n}] = true
		f.spelt = append(f.spelt, moffer{kind, span, n})
	}
}

// offered reports whether a refusal spelt out an operation on a line, on the text
// that a tag stands for.
func (f *mfile) offered(tag string, o hashline.Op, n int) bool {
	return f.offers[tag][moffer{o.Kind, o.Span, n}]
}

// where finds each row that the agent saw by the renumbering lines of an answer
// alone (spec 7): "an agent who follows only them finds each row it saw".
func (l *life) where(content string, changed []*mfile, several bool) {
	void := l.void(content, changed, several)
	type move struct{ old, now, last int }
	moves := map[*mfile][]move{}
	allVoid := strings.HasSuffix(content, "\n[all other old line numbers are void; read_file shows them again]")
	for line := range strings.Lines(content) {
		line = strings.TrimSuffix(line, "\n")
		m := stretch.FindStringSubmatch(line)
		if v := voidFrom.FindStringSubmatch(line); v != nil {
			m = []string{v[0], v[1], v[2], "0", "", "the end"} // now nowhere
		}
		if m == nil {
			continue
		}
		f := changed[0]
		if several != (m[1] != "") {
			l.errorf("renumbering of %d files: %q", len(changed), line)
		}
		if several {
			f = l.paths[m[1]]
		}
		s := move{atoi(m[2]), atoi(m[3]), atoi(m[2])}
		switch {
		case m[4] != "":
			s.last = atoi(m[4])
		case m[5] != "":
			s.last = 1 << 30
		}
		moves[f] = append(moves[f], s)
	}
	for _, f := range changed {
		if len(moves[f]) == 0 && !allVoid && !f.movedLast() {
			// Nothing is said of numbers: what was said before still counts.
			l.met["edits that moved no line"]++
			for n := range void[f] {
				delete(f.follow, n)
			}
			continue
		}
		f.follow = map[int]int{}
		for n, was := range f.told {
			at := n
			if void[f][n] || allVoid {
				at = 0
			}
			for _, s := range moves[f] {
				if s.old <= n && n <= s.last {
					if at = n - s.old + s.now; s.now == 0 {
						at = 0
					}
				}
			}
			if at == 0 {
				l.met["rows whose numbers are void"]++
				continue
			}
			f.follow[n] = at
			now := f.at(was.id)
			if now == 0 && f.removedByOthers(was) {
				l.errorf("%s: row %d (%q) was removed by others, and is line %d by the answer", f.name, n, was.text, at)
			}
			if now == 0 || now == at || bare(f.live()[now-1].text) != bare(was.text) && !f.ownSince(was.state) {
				l.met["rows followed"]++
				continue
			}
			if f.ambiguous(was) {
				l.met["rows followed to what may be an equal one"]++
				continue
			}
			l.errorf("%s: row %d (%q) is line %d now, the renumbering says %d", f.name, n, was.text, now, at)
		}
	}
}

// removedByOthers reports whether others removed a row since it was shown, and
// neither is there an equal one nor did they do anything else than remove before the
// session changed the file again: of several of their changes it may see but the sum,
// in which another row can stand in the place of this one.
func (f *mfile) removedByOthers(was mshow) bool {
	has := func(s mstate, id int) bool {
		return slices.ContainsFunc(s.lines, func(x mline) bool { return x.id == id })
	}
	ours := func(s mstate) bool { return s.own || s.undo }
	for i := was.state + 1; i < len(f.states); i++ {
		if has(f.states[i], was.id) {
			continue
		}
		first, last := i, i
		for first > was.state+1 && !ours(f.states[first-1]) {
			first--
		}
		for last+1 < len(f.states) && !ours(f.states[last+1]) {
			last++
		}
		return !ours(f.states[i]) && fewer(f.states[last].lines, f.states[first-1].lines) && !f.twice(was)
	}
	return false
}

// fewer reports that lines are what is left of others.
func fewer(lines, of []mline) bool {
	for _, x := range of {
		if len(lines) > 0 && lines[0] == x {
			lines = lines[1:]
		}
	}
	return len(lines) == 0
}

// void gives the numbers that an answer calls void: the agent drops them. Of
// rows that there still are only others can have made them so, in a text that the
// session does not hold.
func (l *life) void(content string, changed []*mfile, several bool) map[*mfile]map[int]bool {
	out := map[*mfile]map[int]bool{}
	for line := range strings.Lines(content) {
		m := voidLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		f := changed[0]
		if several {
			f = l.paths[m[1]]
		}
		if several != (m[1] != "") || out[f] != nil {
			l.errorf("void numbers of %d files: %q", len(changed), line)
		}
		out[f] = map[int]bool{}
		for _, part := range strings.Split(m[2], ", ") {
			first, last, isSpan := strings.Cut(part, "-")
			if !isSpan {
				last = first
			}
			for n := atoi(first); n <= atoi(last); n++ {
				if was, ok := f.told[n]; ok && f.at(was.id) > 0 && f.ownSince(was.state) && m[3] == "" {
					l.errorf("%s: old line %d is void, but only the session changed the file since", f.name, n)
				}
				out[f][n] = true
			}
		}
	}
	return out
}

// A section is one of a document, with what it is for.
type section struct {
	f   *mfile
	doc hashline.Section
	// meant are the lines that each operation is meant for, by identity; 0 is
	// for those that the agent never saw.
	meant [][]int
	// last are the lines that its numbers were last shown for.
	last [][]int
	// was is the tag before it was mended.
	was hashline.Tag
}
