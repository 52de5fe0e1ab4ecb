package workspace_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

var update = flag.Bool("update", false, "write the outcomes of the conformance cases anew where they differ")

// waitingCases names the cases that fail until something is built.
var waitingCases = map[string]string{}

// waitingCodes names what must be built or can be had before a case can bring
// a code about.
var waitingCodes = map[hashline.Code]string{
	hashline.MountPoint:        "a mount, which a case cannot make",
	hashline.ChangedDuringEdit: "a writer that hits the moment between check and rename",
	hashline.BusyFile:          "leases",
	hashline.Attributes:        "attributes that cannot be kept",
	hashline.Locked:            "a second process that holds a lock for long",
	hashline.AmbiguousMatch:    "the tool replace",
	hashline.NoMatch:           "the tool replace",
	hashline.NoChange:          "the tool replace",
	hashline.NotEmpty:          "the tool replace",
	hashline.BadCell:           "the tool notebook_edit",
	hashline.UndoConflict:      "a writer between two calls",
	hashline.RecoveryConflict:  "a process that is killed, and a writer after that",
	hashline.Timeout:           "a search that takes long",
	hashline.Cancelled:         "a caller that cancels",
	hashline.IO:                "a system that fails",
}

// heldCases need texts that are held: a ledger knows less of others.
var heldCases = map[string]bool{
	"session/corrected-document":                            true,
	"session/corrected-document-of-several-files":           true,
	"session/no-corrected-document-for-a-changed-neighbour": true,
	"session/no-corrected-document-for-equal-lines":         true,
	"session/old-number-inside-a-corrected-document":        true,
	"session/rebase":                                     true,
	"session/stale-changed":                              true,
	"session/stale-collision":                            true,
	"session/unmoved-line-after-others-changed-the-file": true,
}

func TestConformance(t *testing.T) { conform(t, hashlinetest.Cases(t)) }

func conform(t *testing.T, cases []hashlinetest.Case) {
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if c.Parse != nil {
				checkParse(t, c)
				return
			}
			if heldCases[c.Name] && workspace.Streams() {
				t.Skip("SKIPPED: with HASHLINE_STREAM no text is held, so that the ledger cannot follow lines through the changes of others")
			}
			wrong := runCase(t, c)
			switch why := waitingCases[c.Name]; {
			case why == "" && wrong != "":
				t.Error(wrong)
			case why != "" && wrong == "":
				t.Errorf("passes and need not wait for %s", why)
			}
		})
	}
}

// runCase makes the calls of a case in a workspace of its own and describes what
// is not as the case says. With -update it writes what it got instead.
func runCase(t *testing.T, c hashlinetest.Case) string {
	place := c.Install(t)
	scheme, err := snapshot.ParseScheme(c.Scheme)
	require.NoError(t, err)
	w := openSession(t, place.Root, scheme, sessionOf(t, c))
	outside := hashlinetest.ReadTree(t, place.Outside)
	values := hashlinetest.Values{
		Place: place, Old: hashlinetest.ReadTree(t, place.Root),
		Tag:   func(data string) string { return liveTag(scheme, data) },
		Wrong: wrongTag,
	}
	values.After = values.Old
	var outcomes []hashlinetest.Outcome
	var wrong strings.Builder
	for i, s := range c.Steps {
		if values.Before = values.After; s.Intrude(t, place) {
			values.Before = hashlinetest.ReadTree(t, place.Root)
		}
		args, err := s.ArgsJSON(values.Value)
		require.NoError(t, err)
		got := w.Call(t.Context(), s.Tool, args)
		values.After = hashlinetest.ReadTree(t, place.Root)
		o := hashlinetest.Outcome{Content: got.Content, Code: got.Code, Faults: faultLines(got.Faults), Values: values}
		outcomes = append(outcomes, o)
		for _, problem := range checkStep(s, o, got.OK) {
			fmt.Fprintf(&wrong, "step %d: %s\n", i+1, problem)
		}
	}
	if diff := c.CheckFiles(values.Old, values.After); diff != "" {
		fmt.Fprintf(&wrong, "the files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(outside, hashlinetest.ReadTree(t, place.Outside)); diff != "" {
		fmt.Fprintf(&wrong, "the files outside (-want +got):\n%s", diff)
	}
	if *update && waitingCases[c.Name] == "" {
		c.UpdateSteps(t, outcomes)
		return ""
	}
	return wrong.String()
}

// checkStep lists what an answer does not have as its step says.
func checkStep(s hashlinetest.Step, got hashlinetest.Outcome, ok bool) []string {
	var problems []string
	if ok != (got.Code == "") {
		problems = append(problems, fmt.Sprintf("ok is %v with code %q", ok, got.Code))
	}
	if got.Code != s.Code {
		problems = append(problems, fmt.Sprintf("code %q, want %q:\n%s", got.Code, s.Code, got.Content))
	}
	if s.Faults != nil {
		if diff := cmp.Diff(*s.Faults, got.Faults); diff != "" {
			problems = append(problems, "faults (-want +got):\n"+diff)
		}
	}
	if diff := s.CheckAnswer(got.Content, got.Values.Value); diff != "" {
		problems = append(problems, "answer (-want +got):\n"+diff)
	}
	if head, _, _ := strings.Cut(got.Content, "\n"); !ok && head != rejected[s.Tool] {
		problems = append(problems, fmt.Sprintf("the refusal begins with %q", head))
	}
	return problems
}

// rejected is the first line of each tool's refusals.
var rejected = map[string]string{
	"edit":      "edit rejected, nothing was written",
	"write":     "write rejected, nothing was written",
	"read_file": "read_file rejected",
	"grep":      "grep rejected",
	"undo":      "undo rejected, nothing was written",
}

// stateFolder makes a folder that only we can write to, whatever the umask.
func stateFolder(t *testing.T) string {
	t.Helper()
	state := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.Mkdir(state, 0o700))
	return state
}

// openSession opens a workspace with a state folder of its own, which may hold
// nothing but the history, locks and empty journals when the test ends.
func openSession(t *testing.T, root string, scheme snapshot.Scheme, cfg workspace.SessionConfig) *workspace.Session {
	t.Helper()
	state := stateFolder(t)
	w, err := workspace.Open(root, workspace.Config{Scheme: scheme, State: state})
	require.NoError(t, err)
	workspace.Ready(w)
	t.Cleanup(func() {
		require.NoError(t, w.Close())
		for name, e := range hashlinetest.ReadTree(t, state) {
			if !e.Mode.IsDir() && e.Data != "" && !strings.HasPrefix(name, "history/") {
				t.Errorf("left behind in the state folder: %s", name)
			}
		}
	})
	return w.Session(cfg)
}

// sessionOf is the session that a case wants its steps to run in.
func sessionOf(t *testing.T, c hashlinetest.Case) (cfg workspace.SessionConfig) {
	t.Helper()
	if c.Session == nil {
		return cfg
	}
	levels := map[string]workspace.Level{"": workspace.Warn, "off": workspace.Off, "warn": workspace.Warn, "enforce": workspace.Enforce}
	cfg.Ledger = ledger.New(nil)
	cfg.RequireSeen, cfg.RequireRead = levels[c.Session["require_seen"]], levels[c.Session["require_read"]]
	cfg.Rebase, cfg.StubReads = c.Session["on_stale"] == "rebase", c.Session["repeat_read"] == "stub"
	return cfg
}

// liveTag gives the tag of a file's bytes, "" where they are no text.
func liveTag(scheme snapshot.Scheme, data string) string {
	text, err := snapshot.Decode([]byte(data))
	if err != nil {
		return ""
	}
	return scheme.Tag(text.Bytes()).String()
}

func wrongTag(tag string) string {
	live, err := hashline.ParseTag(tag)
	if err != nil {
		return tag
	}
	return (live ^ 0xFFFF).String()
}

// faultLines writes faults as the member "faults" of a case does.
func faultLines(faults []workspace.Fault) string {
	var b strings.Builder
	for _, f := range faults {
		path, at := f.Path, "-"
		if path == "" {
			path = "-"
		}
		if f.Line > 0 {
			at = fmt.Sprintf("%d:%d", f.Line, f.Column)
		}
		fmt.Fprintf(&b, "%s %s %s", path, f.Code, at)
		if f.Reason != "" {
			b.WriteString(" " + f.Reason)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// checkParse compares what the grammar makes of a document with its case.
func checkParse(t *testing.T, c hashlinetest.Case) {
	var got hashlinetest.ParseCase
	doc, err := grammar.Parse(c.Parse.Doc)
	if err == nil {
		got.Sections, got.Print = hashlinetest.Sections(doc), doc.String()
		again, err := grammar.Parse(got.Print)
		require.NoError(t, err, "the canonical form")
		if diff := cmp.Diff(got.Sections, hashlinetest.Sections(again)); diff != "" {
			t.Errorf("the canonical form is another document (-first +again):\n%s", diff)
		}
	}
	var faults hashline.Diagnostics
	if errors.As(err, &faults) {
		for _, d := range faults {
			got.Diagnostics += fmt.Sprintf("%d:%d %s\n", d.Pos.Line, d.Pos.Column, d.Code)
			if d.Hint == "" {
				t.Errorf("%s: no form to write", d.Code)
			}
		}
	}
	prefix, complete := grammar.ParsePrefix(c.Parse.Doc)
	got.Lenient = hashlinetest.Sections(prefix)
	if complete != (err == nil) {
		t.Errorf("the lenient reading says complete=%v, the strict one %v", complete, err)
	}
	if *update {
		c.UpdateParse(t, got)
		return
	}
	if c.Parse.Sections != nil || c.Parse.Diagnostics != "" {
		if diff := cmp.Diff(c.Parse.Diagnostics, got.Diagnostics); diff != "" {
			t.Errorf("diagnostics (-want +got):\n%s", diff)
		}
	}
	for _, both := range [][2][]hashlinetest.VectorSection{{c.Parse.Sections, got.Sections}, {c.Parse.Lenient, got.Lenient}} {
		if diff := cmp.Diff(both[0], both[1], cmpopts.EquateEmpty()); both[0] != nil && diff != "" {
			t.Errorf("document (-want +got):\n%s", diff)
		}
	}
	if c.Parse.Print != "" && c.Parse.Print != got.Print {
		t.Errorf("canonical form (-want +got):\n%s", cmp.Diff(c.Parse.Print, got.Print))
	}
}

// TestConformanceCoversCodes requires a case for each code of the contract that
// can come about.
func TestConformanceCoversCodes(t *testing.T) {
	covered := map[hashline.Code]bool{}
	for _, c := range hashlinetest.Cases(t) {
		for _, s := range c.Steps {
			covered[s.Code] = true
		}
		if c.Parse != nil {
			for line := range strings.Lines(c.Parse.Diagnostics) {
				_, code, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
				covered[hashline.Code(code)] = true
			}
		}
	}
	all := slices.Concat(hashline.Codes(), hashline.SyntaxCodes())
	for _, code := range all {
		switch why, waits := waitingCodes[code]; {
		case waits && covered[code]:
			t.Errorf("%s has a case and need not wait for %s", code, why)
		case !waits && !covered[code]:
			t.Errorf("%s has no case", code)
		}
	}
	for code := range waitingCodes {
		if !slices.Contains(all, code) {
			t.Errorf("%s waits and is no code of the contract", code)
		}
	}
}
