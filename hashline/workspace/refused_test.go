package workspace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot"
)

// TestRefusalsChangeNothing makes every refused call of the conformance cases,
// over each code that can come about: root, other folder and state folder are as
// they were, to the time stamp of every file, but for empty lock files. A
// refused document is sent a second time behind a section that is good, so that
// there is something that could have been written.
func TestRefusalsChangeNothing(t *testing.T) {
	refused := map[hashline.Code]bool{}
	for _, c := range hashlinetest.Cases(t) {
		if c.Parse != nil && c.Parse.Diagnostics == "" {
			continue
		}
		// What the cases of the codes share is noted here and not in the
		// subtests, which run in parallel.
		for _, s := range stepsOf(c) {
			refused[s.Code] = true
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			refuse(t, c)
		})
	}
	for _, code := range hashline.Codes() {
		if waitingCodes[code] == "" && !refused[code] {
			t.Errorf("no call was refused with %s", code)
		}
	}
}

// stepsOf gives the calls of a case; a document that does not parse is an edit
// that is refused.
func stepsOf(c hashlinetest.Case) []hashlinetest.Step {
	if c.Parse != nil {
		return []hashlinetest.Step{{Tool: "edit", Doc: &c.Parse.Doc, Code: hashline.Syntax}}
	}
	return c.Steps
}

// good is the file of a section that is put before a refused document.
var good = hashlinetest.File{Path: "good.txt", Data: []byte("one\n")}

func refuse(t *testing.T, c hashlinetest.Case) {
	place := c.Install(t)
	hashlinetest.WriteFile(t, place.Root, good)
	scheme, err := snapshot.ParseScheme(c.Scheme)
	require.NoError(t, err)
	state := stateFolder(t)
	ws, err := workspace.Open(place.Root, workspace.Config{Scheme: scheme, State: state})
	require.NoError(t, err)
	workspace.Ready(ws)
	defer func() { require.NoError(t, ws.Close()) }()
	w := ws.Session(sessionOf(t, c))
	values := hashlinetest.Values{
		Place: place, Old: hashlinetest.ReadTree(t, place.Root),
		Tag:   func(data string) string { return liveTag(scheme, data) },
		Wrong: wrongTag,
	}
	for i, s := range stepsOf(c) {
		s.Intrude(t, place)
		values.Before = hashlinetest.ReadTree(t, place.Root)
		outside := hashlinetest.ReadTree(t, place.Outside)
		unchanged := func(what string) {
			t.Helper()
			if diff := cmp.Diff(values.Before, hashlinetest.ReadTree(t, place.Root)); diff != "" {
				t.Errorf("%s changed files below the root (-before +after):\n%s", what, diff)
			}
			if diff := cmp.Diff(outside, hashlinetest.ReadTree(t, place.Outside)); diff != "" {
				t.Errorf("%s changed files outside (-before +after):\n%s", what, diff)
			}
			for name, e := range hashlinetest.ReadTree(t, state) {
				if !e.Mode.IsDir() && e.Data != "" && !strings.HasPrefix(name, "history/") {
					t.Errorf("%s left %s in the state folder", what, name)
				}
			}
		}
		args, err := s.ArgsJSON(values.Value)
		require.NoError(t, err)
		got := w.Call(t.Context(), s.Tool, args)
		if s.Code == "" {
			continue
		}
		require.Equal(t, s.Code, got.Code, "step %d", i+1)
		unchanged(fmt.Sprintf("step %d", i+1))
		if s.Doc == nil || c.Parse != nil || s.Code == hashline.TooLarge || c.Session != nil {
			continue // in a session the refusal is remembered
		}
		doc := fmt.Sprintf("[%s#%s]\nPUT 1:\n+ONE\n%s", good.Path, scheme.Tag(good.Data), *s.Doc)
		s.Doc = &doc
		args, err = s.ArgsJSON(values.Value)
		require.NoError(t, err)
		got = w.Call(t.Context(), s.Tool, args)
		require.Equal(t, s.Code, got.Code, "step %d behind a good section", i+1)
		unchanged(fmt.Sprintf("step %d behind a good section", i+1))
		switch s.Code {
		case hashline.Syntax, hashline.DuplicatePath:
		default:
			if !strings.Contains(got.Content, "\nvalid: "+good.Path) {
				t.Errorf("step %d does not name the good section:\n%s", i+1, got.Content)
			}
		}
	}
}

// TestStoppedCallsChangeNothing calls with a context that has ended, by the
// caller and by the clock.
func TestStoppedCallsChangeNothing(t *testing.T) {
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	for code, ctx := range map[hashline.Code]context.Context{hashline.Cancelled: stopped, hashline.Timeout: late} {
		for tool, args := range map[string]map[string]any{
			"edit":  {"input": fmt.Sprintf("[%s#%s]\nPUT 1:\n+ONE\n", good.Path, snapshot.XXH64.Tag(good.Data))},
			"write": {"path": good.Path, "content": "ONE\n"},
		} {
			t.Run(string(code)+"/"+tool, func(t *testing.T) {
				r := newRoom(t, snapshot.XXH64, good)
				input, err := json.Marshal(args)
				require.NoError(t, err)
				got := r.Call(ctx, tool, input)
				if got.Code != code {
					t.Errorf("code %q:\n%s", got.Code, got.Content)
				}
				if diff := cmp.Diff(r.tree, hashlinetest.ReadTree(t, r.root)); diff != "" {
					t.Errorf("files changed (-before +after):\n%s", diff)
				}
			})
		}
	}
}
