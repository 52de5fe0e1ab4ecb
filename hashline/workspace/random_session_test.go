package workspace_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// TestRandomSessions lets agents work in random sessions: they read, search,
// edit with numbers that are old, counted right or counted wrong, under tags that
// are fresh, old or never shown; others change the files meanwhile, by hand or
// through a session of their own. What each agent has in front of it is read from
// the text of the answers alone. A naive model, which follows the identity of
// each line, says after each call whether it was right.
//
// HASHLINE_SESSIONS is how many sessions are tried, HASHLINE_SEED the first seed,
// HASHLINE_STORY how many calls before a failure are told.
func TestRandomSessions(t *testing.T) { randomSessions(t, number("HASHLINE_SESSIONS", 60)) }

// TestRandomSessionsUnheld has a session hold none of the texts, as it does with
// very large ones: it knows less, and says where it does not know.
func TestRandomSessionsUnheld(t *testing.T) {
	defer workspace.Stream(13)()
	if !workspace.Streams() {
		t.Skip("all files are held on this system")
	}
	randomSessions(t, number("HASHLINE_SESSIONS", 40))
}

func randomSessions(t *testing.T, sessions int) {
	first := number("HASHLINE_SEED", 1)
	t.Logf("seeds from %d on, %d sessions", first, sessions)
	met := map[string]int{}
	var mu sync.Mutex
	next := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for seed := range next {
				t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
					l := newLife(t, uint64(seed))
					l.live()
					mu.Lock()
					defer mu.Unlock()
					for what, n := range l.met {
						met[what] += n
					}
				})
			}
		})
	}
	for i := range sessions {
		next <- first + i
	}
	close(next)
	wg.Wait()
	for _, what := range slices.Sorted(maps.Keys(met)) {
		t.Logf("%6d %s", met[what], what)
	}
	if met[notCorrected]*20 > met["corrected document"]+20 {
		t.Errorf("%d %s", met[notCorrected], notCorrected)
	}
	must := mustMeet
	if workspace.Streams() {
		must = mustMeetUnheld
	}
	for _, what := range must {
		if met[what] == 0 && sessions >= 40 {
			t.Errorf("never met: %s", what)
		}
	}
}

const notCorrected = "refusals without the corrected document that there could be"

// mustMeet is what any forty sessions run into.
var mustMeet = []string{
	"edit landed as meant", "refused: moved_line", "refused: stale_tag stale", "refused: stale_tag unread", "refused: stale_tag unknown_tag",
	"corrected document", "corrected document landed", "retry of moved_line landed", "retry of stale landed", "already applied", "insisted and landed",
	"strays on lines that a refusal named", "rows followed", "unseen warning as expected", "write refused: changed", "rebased", "stub",
}

// mustMeetUnheld is the same for sessions that hold no texts.
var mustMeetUnheld = []string{
	"edit landed as meant", "refused: moved_line", "refused: stale_tag stale", "retry of moved_line landed", "retry of stale landed",
	"already applied", "insisted and landed", "rows followed", "rows whose numbers are void", "write refused: changed", "stub",
}

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// A life is one random session with its files and all that happens to them.
type life struct {
	t      *testing.T
	r      *rand.Rand
	seed   uint64
	root   string
	ws     *workspace.Workspace
	scheme snapshot.Scheme
	cfg    workspace.SessionConfig
	resume bool
	other  *workspace.Session

	files   []*mfile
	paths   map[string]*mfile // by each name, links among them
	commits []mcommit
	done    []mdone
	docs    []string

	ids, words, alike int
	log               []string
	met               map[string]int
}

func newLife(t *testing.T, seed uint64) *life {
	l := &life{t: t, seed: seed, r: rand.New(rand.NewPCG(seed, 9)), root: t.TempDir(), met: map[string]int{}}
	l.alike = [...]int{0, 1, 5, 9}[l.r.IntN(4)]
	if l.r.IntN(6) == 0 {
		l.scheme = snapshot.Rho
	}
	l.cfg = workspace.SessionConfig{
		Name: "agent", OutputLimit: [...]int{0, 0, 8000, 2000, 900, 500}[l.r.IntN(6)],
		RequireSeen: workspace.Level(l.r.IntN(3)), RequireRead: workspace.Level(l.r.IntN(3)),
		Rebase: l.r.IntN(4) == 0, StubReads: l.r.IntN(4) == 0, Ledger: ledger.New(nil),
	}
	if l.r.IntN(6) == 0 {
		l.cfg.RefusalLimit = 800
	}
	l.resume = l.r.IntN(5) == 0
	if seed%2 == 0 {
		l.cfg.Owner = "me"
	}
	l.paths = map[string]*mfile{}
	for i, name := range []string{"a.txt", "sub/b.go", "c.md"} {
		f := &mfile{name: name, held: !workspace.Streams(), eol: [...]string{"\n", "\n", "\r\n"}[i]}
		f.forget()
		require.NoError(t, os.MkdirAll(filepath.Join(l.root, filepath.Dir(name)), 0o755))
		f.become(l.freshAll(l.someLines([...]int{90, 60, 8}[i])), false)
		l.files, l.paths[name] = append(l.files, f), f
		l.save(f)
	}
	if os.Symlink(filepath.FromSlash("sub/b.go"), filepath.Join(l.root, "link")) == nil {
		l.paths["link"] = l.files[1]
	}
	var err error
	l.ws, err = workspace.Open(l.root, workspace.Config{Scheme: l.scheme, State: stateFolder(t)})
	require.NoError(t, err)
	workspace.Ready(l.ws)
	t.Cleanup(func() { require.NoError(t, l.ws.Close()) })
	l.other = l.ws.Session(workspace.SessionConfig{Name: "other", Owner: "somebody else"})
	return l
}

// live goes through the session, as long as the model knows what is on disk.
func (l *life) live() {
	for range 30 {
		if l.t.Failed() {
			return
		}
		switch n := l.r.IntN(100); {
		case n < 17:
			l.others()
		case n < 29:
			l.read()
		case n < 38:
			l.grep()
		case n < 88:
			l.edit()
		case n < 91:
			l.write()
		case n < 94:
			l.undo()
		case n < 98:
			l.again()
		case !l.resume:
			f := l.file()
			l.cfg.Ledger.Forget(f.name)
			f.forget()
			l.note("forget " + f.name)
		}
		l.checkDisk("after this")
	}
}

// call makes one call of the session.
func (l *life) call(tool string, args map[string]any) workspace.Response {
	input, err := json.Marshal(args)
	require.NoError(l.t, err)
	var got workspace.Response
	if l.resume {
		s, end, err := l.ws.Resume(l.t.Context(), l.cfg)
		require.NoError(l.t, err)
		got = s.Call(l.t.Context(), tool, input)
		require.NoError(l.t, end())
	} else {
		got = l.ws.Session(l.cfg).Call(l.t.Context(), tool, input)
	}
	l.met["calls"]++
	text := string(input)
	if doc, ok := args["input"].(string); ok {
		text = "\n" + doc
	}
	l.note(tool + " " + text + "\n>>> " + strings.ReplaceAll(got.Content, "\n", "\n    "))
	if len(got.Content) > l.limit(!got.OK) {
		l.errorf("the answer has %d bytes, the limit is %d", len(got.Content), l.limit(!got.OK))
	}
	return got
}

// limit is how many bytes an answer may have.
func (l *life) limit(refusal bool) int {
	limit := l.cfg.OutputLimit
	if limit == 0 {
		limit = workspace.OutputLimit
	}
	if refusal && l.cfg.RefusalLimit > 0 {
		limit = min(limit, l.cfg.RefusalLimit)
	}
	return limit
}

func (l *life) note(what string) { l.log = append(l.log, what) }

// story is the end of what happened.
func (l *life) story() string {
	return fmt.Sprintf("seed %d, %+v resume=%v\n%s", l.seed, l.cfg, l.resume, strings.Join(l.log[max(0, len(l.log)-number("HASHLINE_STORY", 6)):], "\n"))
}

func (l *life) errorf(format string, args ...any) {
	l.t.Helper()
	if l.t.Failed() {
		return // one thing wrong leads to others
	}
	l.t.Errorf("%s\n*** %s", l.story(), fmt.Sprintf(format, args...))
	for _, f := range l.files {
		l.t.Logf("%s: %q", f.name, texts(f.live()))
	}
}

// tagOf is the tag that a file has now.
func (l *life) tagOf(f *mfile) string {
	data, err := os.ReadFile(filepath.Join(l.root, f.name))
	if err != nil {
		return ""
	}
	return liveTag(l.scheme, string(data))
}

func (l *life) file() *mfile { return l.files[[...]int{0, 0, 1, 1, 1, 2}[l.r.IntN(6)]] }

// nameOf is one of the names of a file.
func (l *life) nameOf(f *mfile) string {
	if l.paths["link"] == f && l.r.IntN(3) == 0 {
		return "link"
	}
	return f.name
}
