package workspace_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
)

func (l *life) read() { l.readFile(l.file()) }

func (l *life) readFile(f *mfile) {
	n := max(1, len(f.live()))
	args := map[string]any{"path": l.nameOf(f)}
	first, last := 1, n
	switch l.r.IntN(3) {
	case 0:
		first = 1 + l.r.IntN(n)
		last = min(n, first+l.r.IntN(12))
		args["offset"], args["limit"] = first, last-first+1
	case 1:
		a, b := 1+l.r.IntN(n), 1+l.r.IntN(n)
		args["ranges"] = fmt.Sprintf("%d-%d,%d-%d", a, min(n, a+3), b, min(n, b+5))
	}
	before := f.views
	got := l.call("read_file", args)
	switch {
	case !f.there:
		if got.Code != hashline.NotFound {
			l.errorf("the file is gone")
		}
	case !got.OK && len(f.live()) == 0:
		// Rows of an empty file.
	case !got.OK:
		l.errorf("refused")
	case strings.Contains(got.Content, "] unchanged; "):
		l.met["stub"]++
		if !l.cfg.StubReads {
			l.errorf("a stub")
		}
		tag := l.tagOfState(f)
		var rows []int
		m := regexp.MustCompile(`; rows ([\d,-]+) of`).FindStringSubmatch(got.Content)
		if m == nil {
			break
		}
		for _, part := range strings.Split(m[1], ",") {
			a, b, _ := strings.Cut(part, "-")
			for n := atoi(a); n <= atoi(b); n++ {
				if k := f.knows(n, tag); k != known && k != unclear {
					l.errorf("row %d was not shown as it is (%d)", n, k)
				}
				rows = append(rows, n)
			}
		}
		l.hear(got.Content, true)
		for _, n := range rows {
			f.show(tag, n, true) // the rows above are under this tag too now
		}
	default:
		tag := l.tagOfState(f)
		all := l.cfg.StubReads && len(f.live()) > 0 && len(args) == 1 && l.cfg.OutputLimit == 0
		for n := 1; n <= len(f.live()); n++ {
			all = all && f.knows(n, tag) == known
		}
		if all {
			l.errorf("no stub, but all rows are in front of the agent")
		}
		f.views = before
		l.hear(got.Content, true)
	}
}

func (l *life) grep() {
	pattern := [...]string{"line", "}", "x\\+\\+", "a", "^$"}[l.r.IntN(5)]
	l.hear(l.call("grep", map[string]any{"pattern": pattern, "context": l.r.IntN(3), "max_per_file": 1 + l.r.IntN(9)}).Content, true)
}

func (l *life) write() {
	f := l.file()
	lines := l.someLines(30)
	if l.r.IntN(5) == 0 {
		lines = texts(f.live())
	}
	args := map[string]any{"path": l.nameOf(f), "content": joinLines(lines)}
	if !f.there {
		args["path"] = f.name // a link to nothing is another matter
	}
	created := !f.there
	outdated := f.there && len(f.tags) > 0 && !f.same(f.latest)
	never := f.there && len(f.tags) == 0
	got := l.call("write", args)
	if refused := outdated || never && l.cfg.RequireRead == workspace.Enforce; refused {
		if got.Code != hashline.ChangedSinceRead {
			l.errorf("it may not be written over: outdated=%v, never shown=%v", outdated, never)
			return
		}
		l.met["write refused: changed"]++
		l.hear(got.Content, true)
		if got = l.call("write", args); !got.OK {
			l.errorf("insisting does not help")
			return
		}
	}
	if !got.OK {
		l.errorf("refused")
		return
	}
	warned := slices.ContainsFunc(got.Warnings, func(w workspace.Fault) bool { return w.Code == hashline.Unread })
	if want := never && l.cfg.RequireRead == workspace.Warn && !strings.Contains(got.Content, "(no change)"); warned != want {
		l.errorf("warned=%v, want %v", warned, want)
	}
	old := f.live()
	if strings.HasPrefix(got.Content, "wrote "+args["path"].(string)+" (no change)") {
		l.wrote(f, old, got.Content)
		return
	}
	now := l.freshAll(lines)
	f.become(now, true)
	l.landed(f)
	l.commits = append(l.commits, mcommit{{f, old, now, !created, true}})
	if !created {
		l.chain(f)
	}
	l.wrote(f, now, got.Content)
}

func joinLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// wrote notes that every row of a written file is in front of the agent.
func (l *life) wrote(f *mfile, _ []mline, content string) {
	tag := l.tagOfState(f)
	f.rows, f.numbers, f.told = map[int]mshow{}, map[int]mshow{}, map[int]mshow{}
	f.head(tag)
	v := mview{tag, map[int]mline{}}
	for n, line := range f.live() {
		f.show(tag, n+1, true)
		v.rows[n+1] = line
	}
	l.hear(content, true)
	if len(v.rows) > 0 {
		f.views = append(f.views, v)
	}
}

// landed takes from the disk what the model does not work out: how lines end.
func (l *life) landed(f *mfile) {
	got, ended, there := l.disk(f)
	if !there || !slices.Equal(got, texts(f.live())) {
		l.errorf("%s is %q", f.name, got)
	}
	f.states[f.now()].ended = ended
}

func (l *life) undo() {
	got := l.call("undo", map[string]any{})
	if len(l.commits) == 0 {
		if got.Code != hashline.NoHistory {
			l.errorf("there is nothing to undo")
		}
		return
	}
	last := l.commits[len(l.commits)-1]
	fits := true
	for _, c := range last {
		fits = fits && c.f.there == c.exists && (!c.exists || slices.Equal(texts(c.f.live()), texts(c.now)))
	}
	if !fits {
		if got.OK {
			l.errorf("a file is not what the edit left")
		}
		l.hear(got.Content, true)
		return
	}
	if got.Code == hashline.UndoConflict {
		l.met["undo refused for line ends alone"]++ // the texts are equal, the bytes not
		l.hear(got.Content, true)
		return
	}
	if !got.OK {
		l.errorf("refused")
		return
	}
	var back mcommit
	var changed []*mfile
	for _, c := range last {
		switch {
		case !c.existed:
			c.f.there = false
			c.f.rows, c.f.numbers, c.f.told = map[int]mshow{}, map[int]mshow{}, map[int]mshow{}
			back = append(back, mchange{c.f, c.now, nil, true, false})
		default:
			lines := slices.Clone(c.old)
			for i := range lines {
				if c.f.at(lines[i].id) == 0 || !c.f.there {
					lines[i] = l.fresh(lines[i].text)
				}
			}
			// What an undo changed is told by the texts.
			c.f.become(lines, false)
			c.f.states[c.f.now()].undo = true
			l.landed(c.f)
			back = append(back, mchange{c.f, c.now, lines, c.exists, true})
			if c.exists {
				changed = append(changed, c.f)
			}
		}
	}
	l.commits = append(l.commits, back)
	for i := range l.done {
		l.done[i].undone = true
	}
	for f := range l.hear(got.Content, len(changed) == 0) {
		f.latest = f.now()
	}
	for _, f := range changed {
		f.latest = f.now()
	}
	if len(changed) > 0 {
		l.where(got.Content, changed, len(last) > 1)
	}
	l.met["undone"]++
}
