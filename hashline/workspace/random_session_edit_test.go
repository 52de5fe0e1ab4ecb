package workspace_test

import (
	"slices"

	"github.com/hashline-go/hashline/hashline"
)

// edit makes the agent want something of lines that it saw.
func (l *life) edit() {
	var sections []section
	for _, f := range l.pick() {
		if len(f.views) == 0 && f.there && l.r.IntN(4) > 0 {
			l.readFile(f)
		}
		if s, ok := l.want(f); ok {
			sections = append(sections, s)
		}
	}
	if len(sections) == 0 {
		return
	}
	if l.try(sections) == landedEdit && l.r.IntN(3) == 0 {
		l.second(sections)
	}
}

// second sends another edit under the tags of the one before, as an agent does
// that sends two in one batch.
func (l *life) second(first []section) {
	var sections []section
	for _, was := range first {
		if l.t.Failed() {
			return
		}
		if s, ok := l.want(was.f); ok {
			s.doc.Tag = was.doc.Tag
			sections = append(sections, s)
		}
	}
	if len(sections) > 0 {
		l.met["second edit of a batch"]++
		l.try(sections)
	}
}

// try sends a document and sees it through a refusal.
func (l *life) try(sections []section) outcome {
	doc := document(sections)
	got := l.call("edit", map[string]any{"input": doc})
	l.docs = append(l.docs, doc)
	for _, f := range l.files {
		f.spelt = nil
	}
	out := l.judge(sections, doc, got)
	if out != refusedEdit || l.t.Failed() {
		return out
	}
	for range l.r.IntN(3) {
		if !l.stray(sections) {
			return out
		}
	}
	l.retry(sections, doc, got)
	return out
}

// pick gives one file, or several.
func (l *life) pick() []*mfile {
	if l.r.IntN(5) > 0 {
		return []*mfile{l.file()}
	}
	files := slices.Clone(l.files)
	l.r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	return files[:2+l.r.IntN(2)]
}

func document(sections []section) string {
	doc := hashline.Document{}
	for _, s := range sections {
		doc.Sections = append(doc.Sections, s.doc)
	}
	return doc.String()
}

// want makes up a section for a file: under a tag, with numbers for lines of a
// view.
func (l *life) want(f *mfile) (section, bool) {
	s := section{f: f, doc: hashline.Section{Path: l.nameOf(f), Tag: l.someTag(f)}}
	if !f.there {
		s.doc.Path = f.name
	}
	for range 1 + l.r.IntN(3)*l.r.IntN(2) {
		op, meant, ok := l.wantOp(f)
		if ok && !clashes(s.doc.Ops, op) {
			s.doc.Ops, s.meant, s.last = append(s.doc.Ops, op), append(s.meant, meant), append(s.last, f.lastAs(op))
		}
	}
	return s, len(s.doc.Ops) > 0
}

// someTag is the tag of the last answer mostly, else an old one or none that was
// shown.
func (l *life) someTag(f *mfile) hashline.Tag {
	text := f.tag
	switch k := l.r.IntN(20); {
	case k < 3 && len(f.views) > 0:
		text = f.views[l.r.IntN(len(f.views))].tag
	case k == 3 || text == "":
		return hashline.Tag(l.r.IntN(1 << 16))
	case k == 4 && f.there:
		text = l.tagOf(f) // as if another agent had told it
	}
	tag, err := hashline.ParseTag(text)
	if err != nil {
		l.errorf("tag %q: %v", text, err)
	}
	return tag
}

// wantOp takes a row of a view, mostly of a late one, and the number that it had
// there, has now, or might have.
func (l *life) wantOp(f *mfile) (op hashline.Op, meant []int, ok bool) {
	body := l.someLines(3)
	if l.r.IntN(12) == 0 {
		return hashline.Op{Kind: hashline.Append, Body: body}, nil, true
	}
	if len(f.views) == 0 {
		n := 1 + l.r.IntN(10)
		return hashline.Op{Kind: hashline.Replace, Span: hashline.Span{First: n, Last: n}, Body: body}, []int{0}, true
	}
	back := 0
	for back < len(f.views)-1 && l.r.IntN(2) == 0 {
		back++
	}
	v := f.views[len(f.views)-1-back]
	numbers := make([]int, 0, len(v.rows))
	for n := range v.rows {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	was := numbers[l.r.IntN(len(numbers))]
	n := was
	for range 3 { // one that there is
		if n > len(f.live()) {
			was = numbers[l.r.IntN(len(numbers))]
			n = was
		}
	}
	switch k := l.r.IntN(20); {
	case k < 4 && f.follow[was] > 0 && f.told[was].id == v.rows[was].id:
		n = f.follow[was] // by the renumbering
	case k < 8 && f.at(v.rows[was].id) > 0:
		n = f.at(v.rows[was].id) // counted right
	case k < 10:
		n = max(1, was+l.r.IntN(7)-3) // counted wrong
	}
	op = hashline.Op{Kind: hashline.Kind(1 + l.r.IntN(4)), Span: hashline.Span{First: n, Last: n}, Body: body}
	if op.Destructive() {
		op.Span.Last = n + [...]int{0, 0, 0, 0, 1, 2, 4, 8, 14, 45}[l.r.IntN(10)]
		if op.Span.Len() > 40 {
			op.Span.Last = max(n, min(op.Span.Last, len(f.live()))) // to the end
		}
		for op.Span.Len() > 1 && was+op.Span.Len()-1 > numbers[len(numbers)-1] && l.r.IntN(20) > 0 {
			op.Span.Last--
		}
	}
	if op.Kind == hashline.Delete {
		op.Body = nil
	}
	for i := range op.Span.Len() {
		meant = append(meant, v.rows[was+i].id)
	}
	return op, meant, true
}

// lastAs gives what each number of an operation was last shown for.
func (f *mfile) lastAs(op hashline.Op) (ids []int) {
	for i := range op.Span.Len() {
		ids = append(ids, f.numbers[op.Span.First+i].id)
	}
	return ids
}

// clashes reports whether an operation and others name a line twice.
func clashes(ops []hashline.Op, op hashline.Op) bool {
	for _, o := range ops {
		if o.Kind == hashline.Append || op.Kind == hashline.Append {
			continue
		}
		if o.Span.First <= op.Span.Last && op.Span.First <= o.Span.Last {
			return true
		}
	}
	return false
}

// mdone is a document that the session applied.
type mdone struct {
	doc    string
	files  []*mfile
	base   []int   // the state of each file before it
	states [][]int // those that the session made of it since, by whatever way
	sure   [][]int // those without a doubt
	undone bool    // something was taken back since
}

// apply makes a document's operations in the model and notes what became of it.
func (l *life) apply(sections []section, docs ...string) {
	var made mcommit
	done := mdone{}
	for _, s := range sections {
		f := s.f
		old := f.now()
		got, _, _ := l.disk(f)
		now := l.applyOps(f.live(), s.doc.Ops)
		if slices.Equal(texts(now), got) && slices.Equal(got, texts(f.live())) && l.untouched(f) {
			f.latest = f.now() // no change, and nothing was moved
		} else {
			f.become(now, true)
			l.landed(f)
			f.latest = f.now()
			made = append(made, mchange{f, f.states[old].lines, now, true, true})
			l.chainFrom(f, old)
		}
		done.files, done.base = append(done.files, f), append(done.base, old)
		done.states, done.sure = append(done.states, []int{f.now()}), append(done.sure, []int{f.now()})
	}
	if len(made) > 0 {
		l.commits = append(l.commits, made)
	}
	for _, doc := range docs {
		done.doc = doc
		l.done = append(slices.DeleteFunc(l.done, func(d mdone) bool { return d.doc == doc }), done)
	}
}

// untouched reports whether a file still has the bytes that the model says.
func (l *life) untouched(f *mfile) bool {
	_, ended, there := l.disk(f)
	return there && ended == f.states[f.now()].ended
}

// chainFrom notes that the session made the live text from an earlier state.
func (l *life) chainFrom(f *mfile, old int) {
	for i := range l.done {
		for k, g := range l.done[i].files {
			states, sure := l.done[i].states[k], l.done[i].sure[k]
			if g == f && sameState(f, sure[len(sure)-1], old) {
				l.done[i].sure[k] = append(sure, f.now())
			}
			if g == f && slices.ContainsFunc(states, func(s int) bool { return sameState(f, s, old) }) {
				l.done[i].states[k] = append(states, f.now())
			}
		}
	}
}

func (l *life) chain(f *mfile) { l.chainFrom(f, f.now()-1) }

func sameState(f *mfile, a, b int) bool {
	return len(f.states[a].lines) == len(f.states[b].lines) && f.states[a].stripped() == f.states[b].stripped()
}

// applied reports whether a document counts as applied (spec 9), and whether
// that is beyond doubt.
func (l *life) applied(doc string) (may, must bool) {
	for _, d := range l.done {
		if d.doc != doc {
			continue
		}
		may, must = true, !d.undone
		for k, f := range d.files {
			if !f.there || f.same(d.base[k]) || !slices.ContainsFunc(d.states[k], f.same) {
				return false, false
			}
			must = must && slices.ContainsFunc(d.sure[k], f.same)
		}
		return may, must
	}
	return false, false
}

// again sends a document that was sent before.
func (l *life) again() {
	if len(l.docs) == 0 {
		return
	}
	doc := l.docs[len(l.docs)-1-min(l.r.IntN(4), len(l.docs)-1)]
	sections := l.sectionsOf(doc)
	got := l.call("edit", map[string]any{"input": doc})
	l.judge(sections, doc, got)
}

// sectionsOf reads a document that was written with [document]. What it was
// meant for is not known any more.
func (l *life) sectionsOf(doc string) []section {
	var out []section
	for _, s := range parse(l.t, doc).Sections {
		sec := section{f: l.paths[s.Path], doc: s}
		for _, o := range s.Ops {
			sec.meant = append(sec.meant, make([]int, max(0, o.Span.Len())))
		}
		out = append(out, sec)
	}
	return out
}
