package workspace_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// others change a file in one of many ways.
func (l *life) others() {
	f := l.file()
	if !f.there {
		lines := f.live()
		if l.r.IntN(2) == 0 {
			lines = l.freshAll(l.someLines(40))
		}
		l.outside(f, "made again", lines)
		return
	}
	old := f.live()
	lines := slices.Clone(old)
	n := len(lines)
	at := func() int { return l.r.IntN(n + 1) }
	what := ""
	switch k := l.r.IntN(20); {
	case k < 5 || n == 0:
		what = "insert"
		lines = slices.Insert(lines, at(), l.freshAll(l.someLines(3))...)
	case k < 8:
		what = "delete"
		i := l.r.IntN(n)
		lines = slices.Delete(lines, i, min(n, i+1+l.r.IntN(4)))
	case k < 10:
		what = "change"
		for range l.r.IntN(3) + 1 {
			lines[l.r.IntN(n)].text = l.word()
		}
	case k == 10:
		what = "move"
		i := l.r.IntN(n)
		j := min(n, i+1+l.r.IntN(4))
		block := slices.Clone(lines[i:j])
		lines = slices.Delete(lines, i, j)
		lines = slices.Insert(lines, l.r.IntN(len(lines)+1), block...)
	case k == 11:
		what = "double"
		i := l.r.IntN(n)
		lines = slices.Insert(lines, at(), l.fresh(lines[i].text))
	case k == 12:
		what = "format"
		for i := range lines {
			if l.r.IntN(3) > 0 && lines[i].text != "" {
				lines[i].text = " " + lines[i].text
			}
		}
	case k == 13:
		what = "empty"
		if l.r.IntN(3) == 0 {
			lines = nil
		}
	case k == 14:
		what = "go back"
		lines = f.states[l.r.IntN(len(f.states))].lines
	case k == 15 && l.r.IntN(2) == 0:
		f.there = false
		l.note("others remove " + f.name)
		l.save(f)
		return
	case k == 16:
		l.drift(f)
		return
	case k == 17:
		l.collide(f)
		return
	default:
		l.otherEdit(f)
		return
	}
	l.outside(f, what, lines)
}

// outside puts what others made of a file on disk.
func (l *life) outside(f *mfile, what string, lines []mline) {
	f.become(lines, false)
	if s := &f.states[f.now()]; len(lines) > 0 && lines[len(lines)-1].text != "" && l.r.IntN(8) == 0 {
		s.ended = !s.ended
	}
	l.note(fmt.Sprintf("others %s %s: %q", what, f.name, texts(lines)))
	l.save(f)
}

// drift changes what tags do not see: blanks at line ends, and the line ends.
func (l *life) drift(f *mfile) {
	lines := slices.Clone(f.live())
	for i := range lines {
		if l.r.IntN(4) == 0 {
			lines[i].text = bare(lines[i].text) + [...]string{"", " ", "\t "}[l.r.IntN(3)]
		}
	}
	if n := len(lines); n > 0 && !f.states[f.now()].ended && lines[n-1].text == "" {
		lines[n-1].text = " "
	}
	f.states[f.now()].lines = lines
	f.eol = [...]string{"\n", "\r\n"}[l.r.IntN(2)]
	l.note("drift in " + f.name)
	l.save(f)
}

// collide makes another text with a tag that was shown. With 65,536 tags that
// takes a while, so it is not done often.
func (l *life) collide(f *mfile) {
	if len(f.live()) > 30 || f.tag == "" {
		return
	}
	state, shown := f.tags[f.tag]
	if !shown {
		return
	}
	base := f.states[state].stripped()
	for range 1 << 18 {
		l.words++
		extra := "x" + itoa(l.words)
		text := extra + "\n" + base
		if l.scheme.Tag([]byte(text)).String() == f.tag {
			lines := append([]mline{l.fresh(extra)}, f.states[state].lines...)
			for i := range lines {
				lines[i].text = bare(lines[i].text)
			}
			l.met["collisions made"]++
			f.become(lines, false)
			f.states[f.now()].ended = f.states[state].ended
			l.note("others collide with " + f.name)
			l.save(f)
			return
		}
	}
}

// otherEdit changes a file through a session of another agent.
func (l *life) otherEdit(f *mfile) {
	n := len(f.live())
	if n == 0 {
		return
	}
	at := 1 + l.r.IntN(n)
	op := hashline.Op{Kind: hashline.InsertBefore, Span: hashline.Span{First: at, Last: at}, Body: l.someLines(2)}
	if l.r.IntN(2) == 0 {
		op.Kind, op.Body = hashline.Delete, nil
	}
	tag, err := hashline.ParseTag(l.tagOf(f))
	if err != nil {
		l.errorf("%s: %v", f.name, err)
		return
	}
	doc := hashline.Document{Sections: []hashline.Section{{Path: f.name, Tag: tag, Ops: []hashline.Op{op}}}}
	if _, err := l.other.Edit(l.t.Context(), doc.String()); err != nil {
		l.errorf("the other session: %v", err)
		return
	}
	old := f.live()
	f.become(l.applyOps(old, []hashline.Op{op}), false)
	l.landed(f)
	if !l.named() {
		l.commits = append(l.commits, mcommit{{f, old, f.live(), true, true}})
	}
	l.note("another session edits " + f.name + ": " + strings.ReplaceAll(doc.String(), "\n", "|"))
}

// named reports that the session has an identity: undo then takes back its own
// edits alone.
func (l *life) named() bool { return l.resume || l.cfg.Owner != "" }

// mcommit is one entry of the history that an undo takes back: what it made of files.
type mcommit []mchange

type mchange struct {
	f               *mfile
	old, now        []mline
	existed, exists bool
}
