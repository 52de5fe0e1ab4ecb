package workspace_test

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
)

// rebased checks an edit that was moved to where its lines are and applied.
func (l *life) rebased(sections []section, doc string, got workspace.Response) outcome {
	l.met["rebased"]++
	verdicts := make([]verdict, len(sections))
	moved := slices.Clone(sections)
	for i, s := range sections {
		v := l.verdict(s)
		verdicts[i] = v
		if v.code == "" || v.perhaps {
			continue
		}
		old := s.f.states[s.f.tags[s.doc.Tag.String()]].lines
		ops, ok := canCorrect(s.doc.Ops, bareTexts(old), bareTexts(s.f.live()))
		if !l.cfg.Rebase || !ok || v.code != hashline.StaleTag || v.reason != "stale" {
			l.errorf("rebased by a guess: %+v", v)
			return landedEdit
		}
		moved[i].doc.Ops = ops
		moved[i].doc.Tag, _ = hashline.ParseTag(l.tagOfState(s.f))
		l.sameLines(s, moved[i].doc.Ops)
		unshown := l.neverShown(moved[i])
		if len(unshown.unseen) > 0 && l.cfg.RequireSeen == workspace.Enforce {
			l.errorf("%s: lines %v were never shown, and edited without asking", s.f.name, unshown.unseen)
		}
		l.unseenWarning(s, unshown, got)
	}
	olds := make([]int, len(sections))
	for i, s := range sections {
		olds[i] = s.f.now()
	}
	l.apply(moved, doc, document(moved))
	var changed []*mfile
	for i, s := range sections {
		if s.f.now() != olds[i] {
			changed = append(changed, s.f)
		}
	}
	l.hear(got.Content, false)
	if len(changed) > 0 {
		l.where(got.Content, changed, len(sections) > 1)
	}
	return landedEdit
}

// neverShown gives the lines of the live text that a section touches and that were
// never shown, wherever they stood.
func (l *life) neverShown(s section) (v verdict) {
	for _, o := range s.doc.Ops {
		for _, n := range touched(o, len(s.f.live())) {
			line := s.f.live()[n-1]
			switch _, ever := s.f.rows[line.id]; {
			case ever, s.f.offered(s.doc.Tag.String(), o, n):
			case s.f.likeShown(line):
				v.vague = true
			default:
				v.unseen = append(v.unseen, n)
			}
		}
	}
	slices.Sort(v.unseen)
	v.unseen = slices.Compact(v.unseen)
	return v
}

// tagOfState is the tag of the text that the model holds, whatever is on disk.
func (l *life) tagOfState(f *mfile) string {
	return liveTag(l.scheme, f.bytes())
}

// sameLines requires that operations name, in the live text, the lines that they
// named in an old one, as far as texts can tell.
func (l *life) sameLines(s section, now []hashline.Op) {
	for i, o := range now {
		for k, n := range touched(o, len(s.f.live())) {
			meant := 0
			if k < len(s.meant[i]) {
				meant = s.meant[i][k]
			}
			line := s.f.live()[n-1]
			old := s.f.states[s.f.tags[s.doc.Tag.String()]].lines[s.doc.Ops[i].Span.First-1+k]
			switch {
			case line.id == old.id:
				if meant == line.id {
					l.met["edit landed as meant"]++
				}
			case bare(line.text) == bare(old.text):
				// "the line with its two neighbours stands exactly once in the old
				// and once in the new text": then it is taken for the same.
				l.met["not the same line, but the only one like it"]++
			default:
				l.errorf("%s: line %d %q is not %q", s.f.name, n, line.text, old.text)
			}
		}
	}
}

// retry sends one document after a refusal, made from what the refusal says, and
// requires that it lands: "a refusal costs at most one more call".
func (l *life) retry(sections []section, doc string, got workspace.Response) {
	_, text, ok := strings.Cut(got.Content, "\n\nCorrected document:\n")
	switch {
	case ok:
		next := l.sectionsOf(text + "\n")
		for i := range next {
			if next[i].doc.Tag != sections[i].doc.Tag {
				l.sameLines(sections[i], next[i].doc.Ops)
			}
			next[i].meant = sections[i].meant
			l.fewer(&next[i])
		}
		l.send("corrected document", next, document(next))
		return
	case got.Code == hashline.MovedLine && l.r.IntN(6) == 0 && l.only(got, hashline.MovedLine):
		for i := range sections { // whatever stands there is meant now
			sections[i].meant = make([][]int, len(sections[i].meant))
		}
		l.send("insisted and", sections, doc)
		return
	}
	next := slices.Clone(sections)
	if faultsLeftOut.MatchString(got.Content) {
		l.met["given up: not all faults fit"]++
		return
	}
	for i := range next {
		if !l.mend(&next[i], got) {
			l.met["given up"]++
			return
		}
	}
	what := "retry of " + string(got.Code)
	if got.Code == hashline.StaleTag {
		what = "retry of " + got.Faults[0].Reason
	}
	l.send(what, next, document(next))
}

// fewer takes some liberty with a corrected document: one operation less, or other
// bodies.
func (l *life) fewer(s *section) {
	if n := len(s.doc.Ops); n > 1 && l.r.IntN(3) == 0 {
		i := l.r.IntN(n)
		s.doc.Ops = slices.Delete(slices.Clone(s.doc.Ops), i, i+1)
		s.meant = slices.Delete(slices.Clone(s.meant), i, i+1)
		l.met["corrected document with fewer operations"]++
	}
	if l.r.IntN(6) == 0 {
		s.doc.Ops = slices.Clone(s.doc.Ops)
		for i := range s.doc.Ops {
			if s.doc.Ops[i].Kind != hashline.Delete {
				s.doc.Ops[i].Body = l.someLines(2)
			}
		}
	}
}

func (l *life) only(got workspace.Response, code hashline.Code) bool {
	return !slices.ContainsFunc(got.Faults, func(f workspace.Fault) bool { return f.Code != code })
}

func (l *life) send(what string, sections []section, doc string) {
	again := l.call("edit", map[string]any{"input": doc})
	l.docs = append(l.docs, doc)
	if l.judge(sections, doc, again) != refusedEdit {
		l.met[what+" landed"]++
		return
	}
	if !l.t.Failed() {
		l.errorf("a refusal costs more than one call: %s was refused", what)
	}
}

var (
	faultsLeftOut = regexp.MustCompile(`(?m)^… \+\d+ more faults$`)
	linesNow      = regexp.MustCompile(`; its lines now: ([^;]*);`)
	lineNow       = regexp.MustCompile(`^(\d+)(?:\.=(\d+))? → (\d+)(?:\.=(\d+))?$`)
	misnumbered   = regexp.MustCompile(`(\d+)(?:\.=(\d+))? not as last shown under (?:that number|these numbers), even then \((?:that row is|those rows are) (\d+)`)
	movedRow      = regexp.MustCompile(`moved_line: lines? (\d+)(?: to (\d+))? (?:is|are) not [^,;]*, which (?:is|are) lines? (\d+)(?: to (\d+))? now;`)
)

// mend gives a section the numbers that a refusal tells for the lines that were
// meant. It gives up on what is gone, and on what the refusal does not show.
func (l *life) mend(s *section, got workspace.Response) bool {
	f := s.f
	if !f.there || len(f.live()) == 0 {
		return false
	}
	// What the refusal says of this file, in words and as rows.
	var said string
	for line := range strings.Lines(got.Content) {
		if strings.HasPrefix(line, s.doc.Path+": ") {
			said += line
		}
	}
	rows := map[int]int{} // by identity
	if len(f.views) > 0 {
		if v := f.views[len(f.views)-1]; v.tag == l.tagOfState(f) && strings.Contains(got.Content, "\n[") {
			for n, line := range v.rows {
				if n <= len(f.live()) && f.live()[n-1].id == line.id && strings.Contains(got.Content, "\n"+itoa(n)+":"+line.text) {
					rows[line.id] = n
				}
			}
		}
	}
	stale := strings.Contains(said, ": stale_tag: ")
	if said != "" || stale {
		s.was = s.doc.Tag
		s.doc.Tag, _ = hashline.ParseTag(l.tagOfState(f))
	}
	var ops []hashline.Op
	var meant [][]int
	var last [][]int
	places := l.places(said, s.doc.Ops)
	for i, o := range s.doc.Ops {
		if said != "" && o.Kind != hashline.Append {
			first, ok := l.mended(s, i, rows, places, said)
			if !ok {
				continue
			}
			o.Span = hashline.Span{First: first, Last: first + o.Span.Len() - 1}
		}
		if o.Span.Last <= len(f.live()) && !clashes(ops, o) {
			ops, meant, last = append(ops, o), append(meant, s.meant[i]), append(last, s.last[i])
		}
	}
	s.doc.Ops, s.meant, s.last = ops, meant, last
	return len(ops) > 0
}

// places reads "its lines now", by operation.
func (l *life) places(said string, ops []hashline.Op) map[int]int {
	out := map[int]int{}
	m := linesNow.FindStringSubmatch(said)
	if m == nil {
		return out
	}
	parts := strings.Split(m[1], ", ")
	for i, o := range ops {
		if o.Kind == hashline.Append {
			continue
		}
		if len(parts) == 0 {
			break
		}
		if p := lineNow.FindStringSubmatch(parts[0]); p != nil && atoi(p[1]) == o.Span.First {
			out[i] = atoi(p[3])
		}
		parts = parts[1:]
	}
	return out
}

// mended gives the first line of an operation as the refusal tells it.
func (l *life) mended(s *section, i int, rows, places map[int]int, said string) (int, bool) {
	o := s.doc.Ops[i]
	first := 0
	for k, id := range s.meant[i] {
		if id == 0 {
			return 0, false
		}
		n := rows[id]
		if n == 0 && places[i] > 0 && l.hadNumber(s, o.Span.First+k, id) {
			n = places[i] + k
		}
		if n == 0 && s.last[i][k] == id {
			n = namedRow(said, o.Span.First+k)
		}
		if n == 0 && l.inHand(s.f, id) > 0 {
			n = l.inHand(s.f, id)
		}
		switch {
		case n == 0 || n > len(s.f.live()):
			return 0, false // the agent would have to read it
		case k == 0:
			first = n
		case n != first+k:
			return 0, false
		}
		if s.f.at(id) == 0 {
			return 0, false // the session rewrote it
		}
		if s.f.live()[n-1].id != id && !(rows[id] == 0 && l.vague(s, o.Span.First+k)) {
			l.errorf("%s: the refusal says that %q is line %d", s.f.name, "row "+itoa(o.Span.First+k), n)
			return 0, false
		}
	}
	return first, true
}

// hadNumber reports whether a line had a number in the text of the tag that the
// document was first sent under: the refusal tells where the lines of that text
// are.
func (l *life) hadNumber(s *section, n, id int) bool {
	old := s.f.states[s.f.tags[s.was.String()]].lines
	return n <= len(old) && old[n-1].id == id
}

// vague reports whether a refusal may take another line for one of the text that
// the document was first sent under, since they are equal.
func (l *life) vague(s *section, n int) bool {
	state := s.f.tags[s.was.String()]
	old := s.f.states[state].lines
	return n > len(old) || s.f.ambiguous(mshow{state, n, old[n-1]})
}

// inHand gives the number of a line that is surely good under the live tag.
func (l *life) inHand(f *mfile, id int) int {
	if n := f.at(id); n > 0 && f.knows(n, l.tagOfState(f)) == known {
		return n
	}
	return 0
}

// namedRow gives where a refusal says that the row is which was n.
func namedRow(said string, n int) int {
	for _, m := range movedRow.FindAllStringSubmatch(said, -1) {
		first, last := atoi(m[1]), atoi(m[1])
		if m[2] != "" {
			last = atoi(m[2])
		}
		if first <= n && n <= last {
			return atoi(m[3]) + n - first
		}
	}
	return 0
}
