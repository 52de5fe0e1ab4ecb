//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestAgents drives the clients that HASHLINE_E2E lists through all scenarios.
func TestAgents(t *testing.T) {
	chosen := os.Getenv("HASHLINE_E2E")
	if chosen == "" {
		t.Skip("SKIPPED: HASHLINE_E2E lists no clients to install from npm and to drive; \"all\" stands for all")
	}
	run := choose(t, chosen)
	node := fetchNode(t)
	hashline := build(t)
	table := "client | announces | protocol | results | seconds\n"
	for _, c := range run {
		t.Run(c.name, func(t *testing.T) {
			modules := fetch(t, node, c.pkg+"@"+c.version)
			b := bench{
				client: c, hashline: hashline, path: node + ":/usr/bin:/bin",
				program: filepath.Join(modules, ".bin", c.bin),
			}
			var results []string
			var last outcome
			begin := time.Now()
			for _, s := range scenarios {
				ok := t.Run(s.name, func(t *testing.T) { last = b.play(t, s) })
				results = append(results, fmt.Sprintf("%s %s", s.name, map[bool]string{true: "ok", false: "FAILED"}[ok]))
			}
			table += fmt.Sprintf("%s %s | %s | %s | %s | %.1f\n", c.name, c.version, last.client, last.protocol, strings.Join(results, ", "), time.Since(begin).Seconds())
		})
	}
	t.Log("\n" + table)
}

// choose finds clients by their names.
func choose(t *testing.T, names string) []client {
	t.Helper()
	if names == "all" || names == "1" {
		return clients
	}
	var chosen []client
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(clients, func(c client) bool { return c.name == strings.TrimSpace(name) })
		require.GreaterOrEqual(t, i, 0, "HASHLINE_E2E: there is no client %q", name)
		chosen = append(chosen, clients[i])
	}
	return chosen
}

// build gives the program under test: that which HASHLINE_BINARY names, or a new
// one.
func build(t *testing.T) string {
	t.Helper()
	if program := os.Getenv("HASHLINE_BINARY"); program != "" {
		program, err := filepath.Abs(program)
		require.NoError(t, err)
		return program
	}
	program := filepath.Join(t.TempDir(), "hashline")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// play runs a scenario and looks at what the model was told, and at the files.
func (b bench) play(t *testing.T, s scenario) outcome {
	t.Helper()
	p := newPlace(t)
	for name, text := range s.files {
		write(t, filepath.Join(p.work, name), text)
	}
	o := b.run(t, p, s.turns(&player{bench: b, work: p.work}))

	require.Empty(t, o.model.Faults())
	require.Equal(t, []string{done}, o.model.Said(), "the script was not played to its end")
	seen := o.model.Seen()[b.skipped():]
	texts := make([]string, len(seen))
	left := slices.Clone(o.answers)
	for i, r := range seen {
		text, err := b.text(r)
		require.NoError(t, err, "result %d", i)
		at := slices.IndexFunc(left, func(a sent) bool { return a.text == text })
		if at < 0 {
			nearest := ""
			if i < len(o.answers) {
				nearest = o.answers[i].text
			}
			t.Fatalf("result %d is nothing that the server sent (-sent +told to the model):\n%s", i, cmp.Diff(nearest, text))
		}
		left = slices.Delete(left, at, at+1)
		texts[i] = text
	}
	require.Empty(t, left, "the server sent what the model was not told")
	b.checkTools(t, o)
	for name, want := range s.want {
		got, err := os.ReadFile(filepath.Join(p.work, name))
		require.NoError(t, err)
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if s.check != nil {
		s.check(t, texts)
	}
	return o
}

// skipped is how many results are those of the prelude.
func (b bench) skipped() int {
	n := 0
	for _, turn := range b.prelude {
		n += len(turn.Calls)
	}
	return n
}

// checkTools demands that the model was offered every tool with its whole
// description.
func (b bench) checkTools(t *testing.T, o outcome) {
	t.Helper()
	require.NotEmpty(t, o.descriptions)
	requests := o.model.Requests()
	var body any
	require.NoError(t, json.Unmarshal(requests[len(requests)-1], &body))
	for name, description := range o.descriptions {
		// Claude Code writes this one character as three.
		if !holds(body, description) && !holds(body, strings.ReplaceAll(description, "…", "...")) {
			t.Errorf("the model was not told the whole description of %s", name)
		}
	}
}

// holds looks for a text in all texts of a JSON value, also where it stands in
// one as JSON.
func holds(v any, text string) bool {
	switch v := v.(type) {
	case string:
		escaped, err := json.Marshal(text)
		return strings.Contains(v, text) || err == nil && strings.Contains(v, strings.Trim(string(escaped), `"`))
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return holds(e, text) })
	case map[string]any:
		for _, e := range v {
			if holds(e, text) {
				return true
			}
		}
	}
	return false
}
