package commit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// allFaults makes the tests try every system call instead of a sample:
//
//	COMMIT_FAULTS=all go test -v -timeout 9h -run 'TestKilled|TestFailedAt|TestRandomKills|TestRemoved' ./apply/commit
//
// Each is tried on the disk of the folder for temporary files and on /dev/shm; -v
// shows how many were. A number in place of all still tries every call of a commit,
// but of the recoveries that it needs, and of the errors that it can meet, only so
// many each: 3 takes minutes.
func allFaults() bool { return os.Getenv("COMMIT_FAULTS") != "" }

// second gives how many of the faults are tried that follow upon another.
func second(short int) int {
	switch n, err := strconv.Atoi(os.Getenv("COMMIT_FAULTS")); {
	case err == nil:
		return n
	case allFaults():
		return math.MaxInt
	}
	return short
}

// changing are the system calls by which a process changes, or may find changed,
// anything that outlives it.
var changing = []string{
	"openat", "mkdirat", "write", "pwrite64", "fsync", "ftruncate", "renameat", "renameat2", "linkat",
	"unlinkat", "fchmod", "fchmodat", "fchown", "fsetxattr", "utimensat", "flock", "close",
}

// scene is a commit that is made to fail: what is there before and after it.
type scene struct {
	name      string
	build     func(t *testing.T, dir string)
	changes   []Change
	empty     []string
	old, done map[string]string
	// disk is where it is made; "" is for the usual one.
	disk string
	// keep has the history keep the replaced files themselves.
	keep bool
}

func scenes() []scene {
	files := func(files map[string]string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			for name, content := range files {
				put(t, filepath.Join(dir, name), content)
			}
			require.NoError(t, os.Chmod(filepath.Join(dir, "a"), 0o640))
		}
	}
	return []scene{
		{
			name:    "edits and a new file",
			build:   files(map[string]string{"a": "1", "b": "2"}),
			changes: []Change{edit("a", "1", "one"), edit("b", "2", "two"), create("n/c", "three")},
			old:     map[string]string{"a": "-rw-r----- 1", "b": "-rw-r--r-- 2"},
			done:    map[string]string{"a": "-rw-r----- one", "b": "-rw-r--r-- two", "n": "drwxr-xr-x", "n/c": "-rw-r--r-- three"},
		},
		{
			name: "an edit, one in place, a removal",
			build: func(t *testing.T, dir string) {
				files(map[string]string{"a": "1", "b": strings.Repeat("2", 3000), "d/e/gone": "3"})(t, dir)
				require.NoError(t, os.Link(filepath.Join(dir, "b"), filepath.Join(dir, "b2")))
			},
			changes: []Change{
				edit("a", "1", "one"),
				{Path: "b", Old: []byte(strings.Repeat("2", 3000)), New: []byte("two"), InPlace: true},
				{Path: "d/e/gone", Old: []byte("3"), Remove: true},
			},
			empty: []string{"d", "d/e"},
			old: map[string]string{"a": "-rw-r----- 1", "b": "-rw-r--r-- " + short([]byte(strings.Repeat("2", 3000))),
				"b2": "-rw-r--r-- " + short([]byte(strings.Repeat("2", 3000))), "d": "drwxr-xr-x", "d/e": "drwxr-xr-x", "d/e/gone": "-rw-r--r-- 3"},
			done: map[string]string{"a": "-rw-r----- one", "b": "-rw-r--r-- two", "b2": "-rw-r--r-- two"},
		},
		{
			name:    "one edit",
			build:   files(map[string]string{"a": "1"}),
			changes: []Change{edit("a", "1", "one")},
			old:     map[string]string{"a": "-rw-r----- 1"},
			done:    map[string]string{"a": "-rw-r----- one"},
		},
		{
			name:    "one streamed edit",
			build:   files(map[string]string{"a": "12345"}),
			changes: []Change{streamed("a", "12345", "1 two 45", 2)},
			old:     map[string]string{"a": "-rw-r----- 12345"},
			done:    map[string]string{"a": "-rw-r----- 1 two 45"},
			keep:    true,
		},
		{
			name:    "streamed edits and a new file",
			build:   files(map[string]string{"a": "12345", "b": "2"}),
			changes: []Change{streamed("a", "12345", "1 two 45", 2), streamed("b", "2", "two", 9), create("n/c", "three")},
			old:     map[string]string{"a": "-rw-r----- 12345", "b": "-rw-r--r-- 2"},
			done:    map[string]string{"a": "-rw-r----- 1 two 45", "b": "-rw-r--r-- two", "n": "drwxr-xr-x", "n/c": "-rw-r--r-- three"},
			keep:    true,
		},
	}
}

// run runs a role in a child under strace, which does what inject says, and
// gives what the child has to say; nil where it was killed.
func (c scene) run(t *testing.T, role string, s *Store, dir string, inject ...string) *outcome {
	t.Helper()
	result := filepath.Join(t.TempDir(), "result")
	cmd := strace(t, os.DevNull, nil, inject, os.Args[0], s.Dir(), dir, result, c.name)
	cmd.Env = append(os.Environ(), roleVar+"="+role, "GOMAXPROCS=1")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	err := cmd.Run()
	killed := false
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		killed = !exit.Exited() || exit.ExitCode() > 2
	}
	if err != nil && !killed && len(inject) == 0 {
		require.NoError(t, err, "%s", errs.String())
	}
	b, err := os.ReadFile(result)
	if err != nil || len(b) == 0 {
		return nil
	}
	var got outcome
	require.NoError(t, json.Unmarshal(b, &got))
	return &got
}

// points lists the calls that a role makes, "name:when=n", where inject makes some
// fail.
func (c scene) points(t *testing.T, role string, s *Store, dir string, inject ...string) []string {
	trace := filepath.Join(t.TempDir(), "trace")
	result := filepath.Join(t.TempDir(), "result")
	cmd := strace(t, trace, changing, inject, os.Args[0], s.Dir(), dir, result, c.name)
	cmd.Env = append(os.Environ(), roleVar+"="+role, "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	data, err := os.ReadFile(trace)
	require.NoError(t, err)
	line := regexp.MustCompile(`^(\d+) +(\w+)\((.*)`)
	thread := ""
	counts := map[string]int{}
	var points []string
	for l := range strings.Lines(string(data)) {
		m := line.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		if strings.Contains(m[3], result) && m[2] == "openat" {
			thread = m[1]
		}
		if thread == "" || m[1] == thread {
			counts[m[1]+m[2]]++
		}
		// What went before is the start of the process.
		if m[1] == thread && slices.Contains(changing, m[2]) && !strings.Contains(m[3], result) && !strings.Contains(m[3], `Codes`) {
			points = append(points, fmt.Sprintf("%s:when=%d", m[2], counts[m[1]+m[2]]))
		}
	}
	require.NotEmpty(t, points)
	return points
}

// sample shuffles the points and gives some of them.
func sample(r *rand.Rand, points []string, n int) []string {
	some := slices.Clone(points)
	r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	return some[:min(n, len(some))]
}

// first gives how many of the faults of a commit are tried.
func first(short int) int {
	if allFaults() {
		return math.MaxInt
	}
	return short
}

func seeded(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	if given := os.Getenv("COMMIT_SEED"); given != "" {
		_, err := fmt.Sscan(given, &seed)
		require.NoError(t, err)
	}
	t.Logf("COMMIT_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// stage makes the folder of a scene, and a state folder.
func (c scene) stage(t *testing.T) (*Store, string) {
	dir := tempOn(t, c.disk)
	c.build(t, dir)
	return storeOn(t, c.disk), dir
}

// settle recovers, in a child that is killed as inject says and then here, and
// checks that all is old or all is new, that nothing is left, and that what was
// said is true.
func (c scene) settle(t *testing.T, s *Store, dir string, said *outcome, inject string) {
	t.Helper()
	if inject != "" {
		c.run(t, "recover", s, dir, inject)
	}
	report, err := s.Recover(t.Context(), openRoot(t, dir))
	require.NoError(t, err)
	require.Empty(t, report.Conflicts)
	got := tree(t, dir)
	want := c.old
	if got["a"] == c.done["a"] {
		want = c.done
	}
	if said != nil && len(said.Codes) == 0 {
		want = c.done
	} else if said != nil && !slices.Contains(said.Codes, "torn") {
		want = c.old
	}
	same(t, want, got)
	c.quiet(t, s)
	// And a second time there is nothing to do.
	report, err = s.Recover(t.Context(), openRoot(t, dir))
	require.NoError(t, err)
	require.Equal(t, Report{}, report)
	// What is in force is in the history.
	n := 0
	_, err = s.Records(openRoot(t, dir), func(r Record) bool {
		n++
		for _, f := range r.Files {
			if f.Old != nil && f.NoImage == "" {
				_, err := s.Image(*f.Old)
				require.NoError(t, err, "%s", f.Path)
			}
		}
		return true
	})
	require.NoError(t, err)
	if got["a"] == c.done["a"] && said == nil {
		require.Equal(t, 1, n)
	}
}

// quiet checks that no journal is left.
func (c scene) quiet(t *testing.T, s *Store) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(s.Dir(), journalFolder))
	if !errors.Is(err, os.ErrNotExist) {
		require.NoError(t, err)
	}
	for _, e := range entries {
		info, err := e.Info()
		require.NoError(t, err)
		require.Zero(t, info.Size(), "the journal %s is left", e.Name())
	}
}

// The process is killed at a call, and so is the recovery.
func TestKilledAtEveryCall(t *testing.T) {
	needStrace(t)
	r := seeded(t)
	onDisks(t, func(t *testing.T, disk string) {
		for _, c := range scenes() {
			c.disk = disk
			t.Run(c.name, func(t *testing.T) {
				s, dir := c.stage(t)
				points := c.points(t, "commit", s, dir)
				kills, again := 0, 0
				for _, p := range sample(r, points, first(3)) {
					s, dir := c.stage(t)
					said := c.run(t, "commit", s, dir, kill(p))
					if said != nil {
						require.Empty(t, said.Codes)
					}
					kills++
					if ok := t.Run("kill "+p, func(t *testing.T) { again += c.settleKilled(t, r, s, dir, said, p) }); !ok {
						return
					}
				}
				t.Logf("killed at %d of %d calls, and %d times more while recovering", kills, len(points), again)
			})
		}
	})
}

func kill(point string) string {
	call, when, _ := strings.Cut(point, ":")
	return call + ":signal=KILL:" + when
}

// settleKilled kills recoveries of one state, that of dir, and gives how many.
func (c scene) settleKilled(t *testing.T, r *rand.Rand, s *Store, dir string, said *outcome, point string) int {
	clone := func() (*Store, string) {
		base := tempOn(t, c.disk)
		for from, to := range map[string]string{s.Dir(): filepath.Join(base, "state"), dir: filepath.Join(base, "root")} {
			if _, err := os.Stat(from); err == nil {
				out, err := exec.Command("cp", "-a", from, to).CombinedOutput()
				require.NoError(t, err, "%s", out)
			}
		}
		copied, err := Open(filepath.Join(base, "state"))
		require.NoError(t, err)
		copied.NoSync = true
		rename(t, copied, filepath.Join(base, "root"))
		p, err := copied.past(t.Context(), 0, true)
		require.NoError(t, err)
		defer p.close()
		id, err := rootID(openRoot(t, filepath.Join(base, "root")))
		require.NoError(t, err)
		_, err = s.Records(openRoot(t, dir), func(r Record) bool {
			r.Root = id
			return p.history.Append(r, false) == nil
		})
		require.NoError(t, err)
		return copied, filepath.Join(base, "root")
	}
	s2, dir2 := clone()
	points := c.points(t, "recover", s2, dir2)
	some := sample(r, points, second(2))
	for _, p := range some {
		s3, dir3 := clone()
		c.settle(t, s3, dir3, said, kill(p))
	}
	c.settle(t, s, dir, said, "")
	return len(some)
}

// rename makes the journals of a copied state folder those of a copied root.
func rename(t *testing.T, s *Store, dir string) {
	journals := filepath.Join(s.Dir(), journalFolder)
	entries, _ := os.ReadDir(journals)
	id, err := rootID(openRoot(t, dir))
	require.NoError(t, err)
	for _, e := range entries {
		name := filepath.Join(journals, e.Name())
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		if j, marks, err := decodeJournal(data); err == nil {
			j.Record.Root = id
			data, err = j.encode()
			require.NoError(t, err)
			data = append(data, strings.TrimPrefix(marks, "\n")...)
		}
		require.NoError(t, os.Remove(name))
		require.NoError(t, os.WriteFile(filepath.Join(journals, id.Key()+name[strings.LastIndexByte(name, '-'):]), data, 0o600))
	}
}

// filesOf drops folders, which may stay until the next start, and temporary
// files, which a message names.
func filesOf(tree map[string]string) map[string]string {
	files := map[string]string{}
	for name, what := range tree {
		if what[0] != 'd' && !isTemp(filepath.Base(name)) {
			files[name] = what
		}
	}
	return files
}

// A synced edit of one file waits for the disk five times, and the first one for
// each folder that was made to hold the state.
func TestSyncsOfOneEdit(t *testing.T) {
	needStrace(t)
	c := scenes()[2]
	s, dir := c.stage(t)
	s.dir = filepath.Join(s.dir, "a", "b")
	for _, want := range []int{5 + 3, 5} {
		syncs := 0
		for _, p := range c.points(t, "commit", s, dir) {
			if strings.HasPrefix(p, "fsync:") {
				syncs++
			}
		}
		require.Equal(t, want, syncs)
		put(t, filepath.Join(dir, "a"), "1")
	}
}

// Calls fail: what is said is true, and the next start cleans up.
func TestFailedAtEveryCall(t *testing.T) {
	needStrace(t)
	r := seeded(t)
	onDisks(t, func(t *testing.T, disk string) {
		for _, c := range scenes() {
			c.disk = disk
			t.Run(c.name, func(t *testing.T) {
				s, dir := c.stage(t)
				points := c.points(t, "commit", s, dir)
				tried := 0
				for _, p := range sample(r, points, first(4)) {
					for _, errno := range sample(r, []string{"ENOSPC", "EIO", "EDQUOT", "EACCES", "EINTR"}, second(1)) {
						call, _, _ := strings.Cut(p, ":")
						if errno == "EINTR" && (call == "close" || call == "unlinkat" || strings.HasPrefix(call, "renameat") || call == "linkat") {
							continue // which never fail so
						}
						tried++
						t.Run(p+" "+errno, func(t *testing.T) { c.letFail(t, p, errno) })
					}
				}
				t.Logf("let %d of %d calls fail", tried, len(points))
			})
		}
	})
}

// letFail commits with one call failing.
func (c scene) letFail(t *testing.T, point, errno string) {
	call, when, _ := strings.Cut(point, ":")
	s, dir := c.stage(t)
	said := c.run(t, "commit", s, dir, call+":error="+errno+":"+when)
	require.NotNil(t, said)
	if !slices.Contains(said.Codes, hashline.Code("torn")) {
		want := map[bool]map[string]string{true: c.done, false: c.old}[len(said.Codes) == 0]
		same(t, filesOf(want), filesOf(tree(t, dir)))
	}
	if errno == "EINTR" && (call == "write" || call == "pwrite64" || call == "fsync" || call == "openat" || call == "flock") {
		require.Empty(t, said.Codes, "%s", said.Message)
	}
	c.settle(t, s, dir, said, "")
}
