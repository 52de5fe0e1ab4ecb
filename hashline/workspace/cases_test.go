package workspace_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// fieldKinds are the kinds of cases that tools which exist can answer.
var fieldKinds = []string{"PARSE", "ANCHOR", "EOL", "ENC", "STALE", "READ", "PATH", "META", "ATOMIC", "RACE", "UNDO", "UX"}

// waitingFieldCases names, for cases that call a tool which does not exist yet,
// that tool.
var waitingFieldCases = map[string]string{
	"B017c": "replace", "B020": "replace", "B074b": "replace", "B104": "replace",
	"B049": "replace", "B092": "replace", "B097": "replace", "B099": "replace",
}

func TestFieldCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range hashlinetest.FieldCases(t, fieldKinds...) {
		seen[c.ID] = true
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			want, ok := fieldOutcomes[c.ID]
			require.True(t, ok, "no outcome for %s %q: %s", c.ID, c.Title, c.Expect)
			if tool := waitingFieldCases[c.ID]; tool != "" {
				if _, exists := workspace.FindTool(tool); exists {
					t.Fatalf("the tool %s exists: the case need not wait", tool)
				}
				t.Skipf("SKIPPED: waits for the tool %s", tool)
			}
			runFieldCase(t, c, want, workspace.SessionConfig{})
			// With a ledger nothing else is refused: no case counts from an old view.
			t.Run("session", func(t *testing.T) {
				runFieldCase(t, c, want, workspace.SessionConfig{Ledger: ledger.New(nil)})
			})
		})
	}
	for id := range waitingFieldCases {
		if !seen[id] {
			t.Errorf("%s waits and is no case", id)
		}
	}
	for id := range fieldOutcomes {
		if !seen[id] {
			t.Errorf("%s has an outcome and is no case", id)
		}
	}
}

// fieldRun is a case from the field while it runs.
type fieldRun struct {
	*workspace.Session
	place       hashlinetest.Place
	first       map[string]string
	saved       map[string]string
	answers     []workspace.Response
	tree        hashlinetest.Tree
	placeholder *regexp.Regexp
}

func runFieldCase(t *testing.T, c hashlinetest.FieldCase, want fieldOutcome, cfg workspace.SessionConfig) {
	place := c.Install(t)
	r := &fieldRun{
		Session: openSession(t, place.Root, snapshot.XXH64, cfg), place: place,
		first: map[string]string{}, saved: map[string]string{},
		placeholder: regexp.MustCompile(`\{(TAG|TAG0|SAVED):([^}]+)\}|\{ROOT\}`),
	}
	for _, f := range c.Files {
		r.first[f.Path] = r.tag(f.Path)
	}
	r.tree = hashlinetest.ReadTree(t, place.Root)
	outside := hashlinetest.ReadTree(t, place.Outside)
	for _, call := range c.Calls {
		r.run(t, call)
	}
	require.Len(t, r.answers, len(want.codes), "answers")
	for i, code := range want.codes {
		if got := r.answers[i]; !hasCode(got, code) {
			t.Errorf("answer %d is not %q but:\n%s", i+1, code, got.Content)
		}
	}
	for _, f := range c.ExpectFiles {
		data, err := os.ReadFile(place.At(f.Path))
		require.NoError(t, err)
		if diff := cmp.Diff(string(f.Content), string(data)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.Path, diff)
		}
	}
	if diff := cmp.Diff(outside, hashlinetest.ReadTree(t, place.Outside)); diff != "" {
		t.Errorf("the files outside (-want +got):\n%s", diff)
	}
	if want.check != nil {
		want.check(t, r)
	}
}

// hasCode reports whether an answer is a success, for "", or has this code, for
// syntax faults that of the first one.
func hasCode(got workspace.Response, code hashline.Code) bool {
	if code != hashline.Syntax && code.IsSyntax() {
		return got.Code == hashline.Syntax && got.Faults[0].Code == code
	}
	return code == either || got.Code == code && got.OK == (code == "")
}

// tag gives the live tag of a file, "0000" where there is none to be had.
func (r *fieldRun) tag(path string) string {
	if info, err := os.Stat(r.place.At(path)); err != nil || !info.Mode().IsRegular() {
		return "0000"
	}
	data, err := os.ReadFile(r.place.At(path))
	if tag := liveTag(snapshot.XXH64, string(data)); err == nil && tag != "" {
		return tag
	}
	return "0000"
}

func (r *fieldRun) fill(text string) string {
	return r.placeholder.ReplaceAllStringFunc(text, func(p string) string {
		switch m := r.placeholder.FindStringSubmatch(p); m[1] {
		case "TAG":
			return r.tag(m[2])
		case "TAG0":
			return r.first[m[2]]
		case "SAVED":
			return r.saved[m[2]]
		}
		return r.place.Root
	})
}

// run makes one call, or does what the harness is asked for.
func (r *fieldRun) run(t *testing.T, call hashlinetest.FieldCall) {
	args, err := hashlinetest.FillJSON(call.Args, r.fill)
	require.NoError(t, err)
	var own struct{ Path, Content, Name string }
	require.NoError(t, json.Unmarshal(args, &own))
	switch call.Tool {
	case "_external_write":
		require.NoError(t, os.WriteFile(r.place.At(own.Path), []byte(own.Content), 0o666))
	case "_touch":
		require.NoError(t, os.Chtimes(r.place.At(own.Path), time.Now(), time.Now()))
	case "_save_tag":
		r.saved[own.Name] = r.tag(own.Path)
	case "_list":
		// The harness has the tree.
	case "_parallel":
		r.parallel(t, args)
	default:
		r.ask(t, call.Tool, args)
		return
	}
	r.tree = hashlinetest.ReadTree(t, r.place.Root)
}

// parallel makes calls at the same time; their answers stand in the order of the
// calls.
func (r *fieldRun) parallel(t *testing.T, args []byte) {
	var list struct{ Calls []hashlinetest.FieldCall }
	require.NoError(t, json.Unmarshal(args, &list))
	answers := make([]workspace.Response, len(list.Calls))
	var wg sync.WaitGroup
	for i, c := range list.Calls {
		wg.Go(func() { answers[i] = r.Call(t.Context(), c.Tool, c.Args) })
	}
	wg.Wait()
	r.answers = append(r.answers, answers...)
}

// ask calls a tool, keeps its answer and checks what holds for every answer.
func (r *fieldRun) ask(t *testing.T, tool string, args []byte) {
	start := time.Now()
	got := r.Call(t.Context(), tool, args)
	if took := time.Since(start); took > time.Minute {
		t.Errorf("%s took %v", tool, took)
	}
	r.answers = append(r.answers, got)
	if got.OK && tool == "read_file" {
		return
	}
	before := r.tree
	r.tree = hashlinetest.ReadTree(t, r.place.Root)
	if diff := cmp.Diff(before, r.tree); !got.OK && diff != "" {
		t.Errorf("the refusal changed files (-before +after):\n%s", diff)
	}
	if got.Code == hashline.StaleTag && !strings.Contains(got.Content, "\n\nLive snapshot to retry from:\n[") {
		t.Errorf("no live snapshot in\n%s", got.Content)
	}
}
