package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// A mline is a line that keeps its identity through every edit and move. Its
// text is without the terminator.
type mline struct {
	id   int
	text string
}

// mstate is one text of a file. own tells that the session itself made it from
// the one before, so that which line became which is known for certain. All else
// the session can only see as two texts.
type mstate struct {
	lines []mline
	own   bool
	undo  bool // the session took a change back: texts tell of which line became which
	ended bool // the last line has a terminator
}

// mfile is a file and what the agent was shown of it, kept the naive way: all
// texts that ever were, and of each row when it was shown.
type mfile struct {
	name   string
	eol    string
	there  bool
	held   bool // the session holds its texts
	states []mstate

	rows    map[int]mshow  // by identity: when the line was last shown
	numbers map[int]mshow  // by number: which line it last stood for
	since   int            // the state in which the first row was shown
	told    map[int]mshow  // the same, for views that renumbering counts from
	tags    map[string]int // tag: the last state for which it was shown
	under   map[string]map[int]bool
	offers  map[string]map[moffer]bool
	spelt   []moffer                // what refusals spelt out since the last edit was wanted
	left    map[string]map[int]bool // tag: lines for which a document was wrong when the text was last live
	latest  int                     // the last state that was shown or that the session made
	tag     string                  // the tag that the agent saw last
	views   []mview
	follow  map[int]int // where renumbering said that told rows are
}

// mshow says that line id was shown as number n in a state.
type mshow struct {
	state, n int
	mline
}

// mview is what one answer showed of a file.
type mview struct {
	tag  string
	rows map[int]mline
}

func (f *mfile) forget() {
	f.rows, f.numbers, f.told = map[int]mshow{}, map[int]mshow{}, map[int]mshow{}
	f.tags, f.under, f.latest = map[string]int{}, map[string]map[int]bool{}, -1
	f.views, f.tag, f.left = nil, "", map[string]map[int]bool{}
	f.offers = map[string]map[moffer]bool{}
}

func (f *mfile) now() int { return len(f.states) - 1 }

func (f *mfile) live() []mline { return f.states[f.now()].lines }

// at gives the number of a line now, 0 where it is gone.
func (f *mfile) at(id int) int {
	return 1 + slices.IndexFunc(f.live(), func(l mline) bool { return l.id == id })
}

// movedLast reports whether the last change put a line elsewhere that it kept.
func (f *mfile) movedLast() bool {
	was := f.states[f.now()-1].lines
	if len(was) != len(f.live()) {
		return true
	}
	for i, l := range was {
		if n := f.at(l.id); n > 0 && n != i+1 {
			return true
		}
	}
	return false
}

// stripped is a text as tags and the ledger know it.
func (s mstate) stripped() string {
	var b strings.Builder
	for i, l := range s.lines {
		if b.WriteString(bare(l.text)); s.ended || i < len(s.lines)-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func bare(text string) string { return strings.TrimRight(text, " \t\r") }

// same reports whether a state is, for the session, the live text.
func (f *mfile) same(state int) bool {
	if state < 0 || len(f.states[state].lines) != len(f.live()) {
		return false
	}
	return f.states[state].stripped() == f.states[f.now()].stripped()
}

// become makes lines the text of the file.
func (f *mfile) become(lines []mline, own bool) {
	ended := true
	if len(f.states) > 0 {
		ended = f.states[f.now()].ended
		f.leave()
	}
	// Without a terminator a blank last line would be none.
	ended = ended || len(lines) == 0 || lines[len(lines)-1].text == ""
	f.states, f.there = append(f.states, mstate{lines: lines, own: own, ended: ended}), true
}

// leave notes which lines of the live text a document under its tag could not
// have touched.
func (f *mfile) leave() {
	for tag, state := range f.tags {
		if !f.same(state) {
			continue
		}
		f.left[tag] = map[int]bool{}
		for n := range f.live() {
			f.left[tag][n+1] = f.knows(n+1, tag) == wrong
		}
	}
}

// bytes is the live text as it stands on disk.
func (f *mfile) bytes() string {
	var b strings.Builder
	for i, l := range f.live() {
		b.WriteString(l.text)
		if f.states[f.now()].ended || i < len(f.live())-1 {
			b.WriteString(f.eol)
		}
	}
	return b.String()
}

// splitText is a text as its lines, by section 2 of the contract.
func splitText(data string) []string {
	if data == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(data, "\n"), "\n")
	for i := range lines {
		if i < len(lines)-1 || strings.HasSuffix(data, "\n") {
			lines[i] = strings.TrimSuffix(lines[i], "\r")
		}
	}
	return lines
}

func texts(lines []mline) []string {
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		out = append(out, l.text)
	}
	return out
}

// disk reads the lines of a file, nil and false where it is not there.
func (l *life) disk(f *mfile) (lines []string, ended, there bool) {
	data, err := os.ReadFile(filepath.Join(l.root, f.name))
	if err != nil {
		return nil, false, false
	}
	return splitText(string(data)), len(data) == 0 || data[len(data)-1] == '\n', true
}

// save puts what the model holds on disk, as another program would.
func (l *life) save(f *mfile) {
	name := filepath.Join(l.root, f.name)
	if !f.there {
		require.NoError(l.t, os.Remove(name))
		return
	}
	// Often as an editor does it, with a new file.
	if l.r.IntN(2) == 0 {
		_ = os.Remove(name)
	}
	require.NoError(l.t, os.WriteFile(name, []byte(f.bytes()), 0o644))
}

// checkDisk requires that every file is what the model says.
func (l *life) checkDisk(what string) {
	for _, f := range l.files {
		got, ended, there := l.disk(f)
		if there != f.there || there && (!slices.Equal(got, texts(f.live())) || ended != f.states[f.now()].ended) {
			l.errorf("%s: %s is\n%q, want\n%q", what, f.name, got, texts(f.live()))
		}
	}
}

// fresh makes a new line.
func (l *life) fresh(text string) mline {
	l.ids++
	return mline{l.ids, text}
}

func (l *life) freshAll(list []string) []mline {
	out := make([]mline, 0, len(list))
	for _, text := range list {
		out = append(out, l.fresh(text))
	}
	return out
}

// word makes the text of a line; how many are alike differs from life to life.
func (l *life) word() string {
	if l.r.IntN(10) < l.alike {
		return [...]string{"}", "", "x++", "return nil", "\tfoo()", "// more"}[l.r.IntN(6)]
	}
	l.words++
	return "line " + strings.Repeat("\t", l.r.IntN(2)) + string(rune('a'+l.r.IntN(26))) + itoa(l.words)
}

func (l *life) someLines(most int) []string {
	list := make([]string, l.r.IntN(most)+1)
	for i := range list {
		list[i] = l.word()
	}
	return list
}

// applyOps is a naive edit: for each gap and line of the original what stands
// there, in document order. Rows are new lines.
func (l *life) applyOps(lines []mline, ops []hashline.Op) []mline {
	n := len(lines)
	gaps, cut := make([][2][]mline, n+2), make([]bool, n+2) // rows after line i, and before line i+1
	body := make([][]mline, n+2)
	var end []mline
	for _, o := range ops {
		rows := l.freshAll(o.Body)
		switch o.Kind {
		case hashline.InsertBefore:
			gaps[o.Span.First-1][1] = append(gaps[o.Span.First-1][1], rows...)
		case hashline.InsertAfter:
			gaps[o.Span.First][0] = append(gaps[o.Span.First][0], rows...)
		case hashline.Append:
			end = append(end, rows...)
		default:
			body[o.Span.First] = rows
			for i := o.Span.First; i <= o.Span.Last; i++ {
				cut[i] = true
			}
		}
	}
	var out []mline
	for i := 0; i <= n; i++ {
		if i > 0 {
			if out = append(out, body[i]...); !cut[i] {
				out = append(out, lines[i-1])
			}
		}
		out = append(append(out, gaps[i][0]...), gaps[i][1]...)
	}
	return append(out, end...)
}
