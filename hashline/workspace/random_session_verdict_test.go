package workspace_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

func parse(t testing.TB, doc string) *hashline.Document {
	t.Helper()
	d, err := grammar.Parse(doc)
	require.NoError(t, err, doc)
	return d
}

// touched gives the lines that an operation touches in a text of so many lines:
// "all lines of its span, or the line of its anchor; >$ none" (spec 9).
func touched(o hashline.Op, lines int) []int {
	var out []int
	if o.Kind == hashline.Append {
		return nil
	}
	for n := o.Span.First; n <= o.Span.Last && n <= lines; n++ {
		out = append(out, n)
	}
	return out
}

// what a section must be answered with.
type verdict struct {
	code   hashline.Code // "" where it is fit
	reason ledger.Reason
	// perhaps: it may also be fit, since texts alone do not tell.
	perhaps bool
	moved   []int // the lines for which it must be refused
	unseen  []int
	vague   bool
}

// verdict judges a section the naive way.
func (l *life) verdict(s section) verdict {
	f, tag := s.f, s.doc.Tag.String()
	if !f.there {
		return verdict{code: hashline.NotFound}
	}
	if reason := f.reason(tag, l.tagOfState(f)); reason != "" || tag != l.tagOfState(f) {
		return verdict{code: hashline.StaleTag, reason: reason}
	}
	n := len(f.live())
	for _, o := range s.doc.Ops {
		empty := n == 0 && o.Kind == hashline.InsertBefore && o.Span.First == 1
		if o.Kind != hashline.Append && o.Span.Last > n && !empty {
			return verdict{code: hashline.OutOfRange}
		}
	}
	var v verdict
	for _, o := range s.doc.Ops {
		for _, n := range touched(o, n) {
			if f.offered(tag, o, n) {
				continue
			}
			switch f.knows(n, tag) {
			case wrong:
				v.moved = append(v.moved, n)
			case unseen:
				v.unseen = append(v.unseen, n)
			case unclear:
				v.vague = true
			}
		}
	}
	slices.Sort(v.unseen)
	v.unseen = slices.Compact(v.unseen)
	switch enforced := l.cfg.RequireSeen == workspace.Enforce; {
	case len(v.moved) > 0:
		v.code = hashline.MovedLine
	case len(v.unseen) > 0 && enforced:
		v.code, v.perhaps = hashline.MovedLine, false
	case v.vague:
		v.code, v.perhaps = hashline.MovedLine, true
	}
	return v
}

type outcome int

const (
	landedEdit outcome = iota
	refusedEdit
	appliedEdit
)

// judge holds an answer to a document against the model, and brings the model up
// to date.
func (l *life) judge(sections []section, doc string, got workspace.Response) outcome {
	verdicts := make([]verdict, len(sections))
	fit, mayFit := true, true
	for i, s := range sections {
		verdicts[i] = l.verdict(s)
		fit = fit && verdicts[i].code == ""
		mayFit = mayFit && (verdicts[i].code == "" || verdicts[i].perhaps)
	}
	may, must := l.applied(doc)
	switch {
	case strings.HasPrefix(got.Content, "already applied: "):
		l.met["already applied"]++
		if !may || fit {
			l.errorf("it is not applied (%v) or fit (%v)", may, fit)
		}
		l.hear(got.Content, true)
		return appliedEdit
	case must && !mayFit:
		l.errorf("it is applied already")
		return refusedEdit
	case got.OK && slices.ContainsFunc(got.Warnings, func(w workspace.Fault) bool { return w.Code == hashline.Rebased }):
		return l.rebased(sections, doc, got)
	case got.OK && !mayFit:
		l.errorf("the edit landed, want %+v", verdicts)
		return landedEdit
	case got.OK:
		l.land(sections, verdicts, doc, got)
		return landedEdit
	case fit:
		l.errorf("refused, want it to land")
		return refusedEdit
	}
	l.refusedRightly(sections, verdicts, doc, got)
	return refusedEdit
}

// refusedRightly holds each section's faults against its verdict and takes in
// what the refusal shows.
func (l *life) refusedRightly(sections []section, verdicts []verdict, doc string, got workspace.Response) {
	for i, s := range sections {
		var faults []workspace.Fault
		for _, f := range got.Faults {
			if f.Path == s.doc.Path {
				faults = append(faults, f)
			}
		}
		v := verdicts[i]
		switch {
		case len(faults) == 0 && v.code != "" && !v.perhaps:
			l.errorf("%s: no fault, want %+v", s.doc.Path, v)
		case len(faults) == 0:
		case v.code == "":
			l.errorf("%s: %+v, want none", s.doc.Path, faults[0])
		case faults[0].Code != v.code:
			l.errorf("%s: %+v, want %+v", s.doc.Path, faults[0], v)
		case v.code == hashline.StaleTag && faults[0].Reason != string(v.reason):
			l.errorf("%s: reason %q, want %q", s.doc.Path, faults[0].Reason, v.reason)
		default:
			l.met["refused: "+strings.TrimSuffix(fmt.Sprintf("%s %s", faults[0].Code, faults[0].Reason), " ")]++
		}
		if len(faults) > 0 && faults[0].Code == hashline.StaleTag {
			places := l.places(faults[0].Message+";", s.doc.Ops)
			l.placed(s, places)
			for i, first := range places {
				if strings.Contains(got.Content, faults[0].Message) {
					o := s.doc.Ops[i]
					now := hashline.Span{First: first, Last: first + o.Span.Len() - 1}
					l.offer(s.f, o.Kind, now, now.First, now.Last)
				}
			}
		}
		if len(faults) > 0 && strings.Contains(got.Content, faults[0].Message) {
			for _, m := range misnumbered.FindAllStringSubmatch(faults[0].Message, -1) {
				by := atoi(m[3]) - atoi(m[1])
				for _, o := range s.doc.Ops {
					if o.Kind != hashline.Append && itoa(o.Span.First) == m[1] && (m[2] == "" && o.Span.Len() == 1 || itoa(o.Span.Last) == m[2]) {
						l.met["misnumbered rows that are told"]++
						l.offer(s.f, o.Kind, hashline.Span{First: o.Span.First + by, Last: o.Span.Last + by}, o.Span.First+by, o.Span.Last+by)
					}
				}
			}
		}
		if len(faults) > 0 && faults[0].Code == hashline.MovedLine {
			for _, o := range s.doc.Ops {
				if o.Kind != hashline.Append {
					l.offer(s.f, o.Kind, o.Span, o.Span.First, o.Span.Last)
				}
			}
			for _, f := range faults {
				m := movedRow.FindStringSubmatch("moved_line: " + f.Message + ";")
				if m == nil || !strings.Contains(got.Content, f.Message) {
					continue
				}
				from, by := hashline.Span{First: atoi(m[1]), Last: atoi(m[1])}, atoi(m[3])-atoi(m[1])
				if m[2] != "" {
					from.Last = atoi(m[2])
				}
				for _, o := range s.doc.Ops {
					if o.Kind != hashline.Append {
						l.offer(s.f, o.Kind, hashline.Span{First: o.Span.First + by, Last: o.Span.Last + by},
							max(from.First, o.Span.First)+by, min(from.Last, o.Span.Last)+by)
					}
				}
			}
		}
	}
	l.hear(got.Content, true)
	_, text, corrected := strings.Cut(got.Content, "\n\nCorrected document:\n")
	must, may := l.correctable(sections, verdicts)
	switch {
	case corrected && !may:
		l.errorf("a corrected document that is a guess")
	case !corrected && must != nil && len(document(must))-1 <= l.limit(true)/2:
		// Where the way that lines took says another thing than their texts do.
		l.met[notCorrected]++
	}
	if corrected {
		l.met["corrected document"]++
		for i, s := range l.sectionsOf(text + "\n") {
			fit := !slices.ContainsFunc(got.Faults, func(f workspace.Fault) bool { return f.Path == sections[i].doc.Path })
			if fit {
				continue // its numbers are the agent's own
			}
			for _, o := range s.doc.Ops {
				if o.Kind != hashline.Append {
					l.offer(s.f, o.Kind, o.Span, o.Span.First, o.Span.Last)
				}
			}
		}
	}
}

// placed checks what a refusal says of where the lines of a stale document are
// now.
func (l *life) placed(s section, places map[int]int) {
	state := s.f.tags[s.doc.Tag.String()]
	old := s.f.states[state].lines
	for i, first := range places {
		for k, n := range touched(s.doc.Ops[i], len(old)) {
			line := old[n-1]
			at := s.f.at(line.id)
			if at == 0 && first+k <= len(s.f.live()) && bare(s.f.live()[first+k-1].text) == bare(line.text) {
				continue // the session rewrote it, and wrote an equal one
			}
			if at != first+k && !s.f.ambiguous(mshow{state, n, line}) {
				l.errorf("%s: line %d of the old text is %d now, not %d", s.f.name, n, at, first+k)
			}
			l.met["lines of stale documents found"]++
		}
	}
}

// correctable gives the document that a refusal must carry, where it must, and
// whether it may.
func (l *life) correctable(sections []section, verdicts []verdict) (must []section, may bool) {
	must = slices.Clone(sections)
	sure, stale := true, false
	for i, s := range sections {
		v := verdicts[i]
		if v.code == "" || v.perhaps {
			sure = sure && !v.perhaps
			continue
		}
		if v.code != hashline.StaleTag || v.reason != ledger.Stale {
			return nil, false
		}
		stale = true
		// Of each file a saved session keeps the lines of the last texts alone.
		sure = sure && s.f.held && (!l.resume || len(s.f.tags) <= 2)
		tag := s.doc.Tag.String()
		old := s.f.states[s.f.tags[tag]].lines
		ops, ok := canCorrect(s.doc.Ops, bareTexts(old), bareTexts(s.f.live()))
		if !ok {
			return nil, false
		}
		for _, o := range s.doc.Ops {
			for _, n := range touched(o, len(old)) {
				if s.f.left[tag][n] && !s.f.offered(tag, o, n) {
					return nil, false // "nothing tells which numbering was meant"
				}
			}
		}
		must[i].doc.Ops = ops
		must[i].doc.Tag, _ = hashline.ParseTag(l.tagOfState(s.f))
		for _, o := range s.doc.Ops {
			for _, n := range touched(o, len(old)) {
				sure = sure && (s.f.under[tag][n] || s.f.offered(tag, o, n))
			}
		}
	}
	if !sure || !stale {
		return nil, stale
	}
	return must, stale
}

// land checks an edit that was made: it is what the document says, and hit what
// was meant.
func (l *life) land(sections []section, verdicts []verdict, doc string, got workspace.Response) {
	before := len(l.commits)
	for i, s := range sections {
		l.hits(s, verdicts[i])
		l.unseenWarning(s, verdicts[i], got)
	}
	olds := make([]int, len(sections))
	for i, s := range sections {
		olds[i] = s.f.now()
		// The agent wrote the live tag, so it knows the text.
		if _, ok := s.f.tags[s.doc.Tag.String()]; !ok {
			s.f.head(s.doc.Tag.String())
			l.met["tags that only the agent's own edit proves"]++
		}
	}
	l.apply(sections, doc)
	var changed []*mfile
	for i, s := range sections {
		if s.f.now() != olds[i] {
			changed = append(changed, s.f)
		}
	}
	_ = before
	l.hear(got.Content, false)
	if len(changed) > 0 {
		l.where(got.Content, changed, len(sections) > 1)
	}
}

// hits counts, for the lines that an edit touched, how they came to be the ones
// that the agent meant, or were not.
func (l *life) hits(s section, v verdict) {
	f, tag := s.f, s.doc.Tag.String()
	for i, o := range s.doc.Ops {
		for k, n := range touched(o, len(f.live())) {
			if k >= len(s.meant[i]) || s.meant[i][k] == 0 {
				continue
			}
			line := f.live()[n-1]
			state := f.knows(n, tag)
			switch shown, ok := f.tags[tag]; {
			case line.id == s.meant[i][k]:
				l.met["edit landed as meant"]++
			case ok && f.same(shown) && f.under[tag][n]:
				// "Each touched line must be shown under T": it is, so the agent
				// that took the number from elsewhere cannot be told apart.
				l.met["not meant, but shown under the tag"]++
			case f.offered(tag, o, n):
				// A refusal told where the lines are that the document's numbers
				// stood for under its tag, or that it may be sent again.
				l.met["not meant, but as a refusal spelt it out"]++
			case state == known:
				// "or be unmoved": the number was last shown for this very line.
				l.met["not meant, but unmoved"]++
			case state == unseen:
				// "A line never shown at all is for require_seen to decide."
				l.met["not meant, but never shown"]++
			case state == unclear:
				// "its text is the one last shown": others changed the file, and of
				// equal lines the texts do not tell which is which.
				l.met["not meant, but equal in the texts"]++
			default:
				l.errorf("%s: line %d %q was edited, line %d was meant", f.name, n, line.text, f.at(s.meant[i][k]))
			}
		}
	}
}

// unseenWarning checks that exactly the lines which were never shown are warned
// of.
func (l *life) unseenWarning(s section, v verdict, got workspace.Response) {
	var told string
	for _, w := range got.Warnings {
		if w.Code == hashline.Unseen && w.Path == s.doc.Path {
			told = w.Message
		}
	}
	want := ""
	if len(v.unseen) > 0 && l.cfg.RequireSeen == workspace.Warn {
		first, last := v.unseen[0], v.unseen[0]
		for _, n := range v.unseen[1:] {
			if n == last+1 {
				last = n
			}
		}
		want = fmt.Sprintf("line %d was", first)
		switch more := last != v.unseen[len(v.unseen)-1]; {
		case more && first == last:
			want = fmt.Sprintf("line %d and others were", first)
		case more:
			want = fmt.Sprintf("lines %d to %d and others were", first, last)
		case first != last:
			want = fmt.Sprintf("lines %d to %d were", first, last)
		}
		want += " edited without having been shown in this session"
	}
	if v.vague {
		return
	}
	if told != want {
		l.errorf("%s: the warning is %q, want %q", s.doc.Path, told, want)
	}
	if want != "" {
		l.met["unseen warning as expected"]++
	}
}
