package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/snapshot"
)

// The conformance cases of sessions, each call with --session. TestBinary runs
// them through a built program, each call a process of its own.
func TestSessionCases(t *testing.T) { sessionCases(t, command) }

func sessionCases(t *testing.T, do runner) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	n := 0
	for i, c := range hashlinetest.Cases(t, "session") {
		n++
		t.Run(c.Name, func(t *testing.T) { sessionCase(t, do, c, fmt.Sprint("case-", i)) })
	}
	t.Logf("%d cases of sessions", n)
}

func sessionCase(t *testing.T, do runner, c hashlinetest.Case, session string) {
	place := c.Install(t)
	scheme, err := snapshot.ParseScheme(c.Scheme)
	require.NoError(t, err)
	values := hashlinetest.Values{
		Place: place, Old: hashlinetest.ReadTree(t, place.Root),
		Tag: func(data string) string {
			text, err := snapshot.Decode([]byte(data))
			if err != nil {
				return ""
			}
			return scheme.Tag(text.Bytes()).String()
		},
		Wrong: func(tag string) string {
			live, err := hashline.ParseTag(tag)
			require.NoError(t, err)
			return (live ^ 0xFFFF).String()
		},
	}
	values.After = values.Old
	flags := []string{"--root", place.Root, "--tags", c.Scheme, "--session", session, "--no-sync"}
	for name, value := range c.Session {
		flags = append(flags, "--"+strings.ReplaceAll(name, "_", "-"), value)
	}
	for i, s := range c.Steps {
		if values.Before = values.After; s.Intrude(t, place) {
			values.Before = hashlinetest.ReadTree(t, place.Root)
		}
		args, err := s.ArgsJSON(values.Value)
		require.NoError(t, err)
		_, out, errs := do(t, string(args), slices.Concat([]string{"call", s.Tool}, flags)...)
		require.Empty(t, errs)
		var got struct {
			answer
			Faults []struct {
				Path         string
				Code         hashline.Code
				Reason       string
				Line, Column int
			}
		}
		require.NoError(t, json.Unmarshal([]byte(out), &got))
		values.After = hashlinetest.ReadTree(t, place.Root)
		require.Equal(t, s.Code, got.Code, "step %d:\n%s", i+1, got.Content)
		if diff := s.CheckAnswer(got.Content, values.Value); diff != "" {
			t.Errorf("step %d: answer (-want +got):\n%s", i+1, diff)
		}
		var faults strings.Builder
		for _, f := range got.Faults {
			at := "-"
			if f.Line > 0 {
				at = fmt.Sprintf("%d:%d", f.Line, f.Column)
			}
			faults.WriteString(strings.TrimRight(fmt.Sprintf("%s %s %s %s", f.Path, f.Code, at, f.Reason), " ") + "\n")
		}
		if s.Faults != nil && *s.Faults != faults.String() {
			t.Errorf("step %d: faults (-want +got):\n%s", i+1, cmp.Diff(*s.Faults, faults.String()))
		}
	}
	if diff := c.CheckFiles(values.Old, values.After); diff != "" {
		t.Errorf("the files (-want +got):\n%s", diff)
	}
}
