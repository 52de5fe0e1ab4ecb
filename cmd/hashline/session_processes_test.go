package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// Three agents share one session, each call a process of its own and three at
// once. None waits for ever, and what each was shown and did is known in the end.
func TestSessionOfSeveralProcesses(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	dir := t.TempDir()
	text := strings.Repeat("a line\n", 90)
	for _, name := range []string{"shared", "own0", "own1", "own2"} {
		inRoot(t, dir, name, []byte(text))
	}
	call := func(tool string, args map[string]any, flags ...string) (got answer, err error) {
		input, err := json.Marshal(args)
		if err != nil {
			return got, err
		}
		args2 := slices.Concat([]string{"call", tool, "--root", dir, "--session", "s", "--no-sync"}, flags)
		cmd := exec.CommandContext(ctx, "hashline", args2...)
		cmd.Stdin = strings.NewReader(string(input))
		out, err := cmd.CombinedOutput()
		if jerr := json.Unmarshal(out, &got); jerr != nil {
			return got, fmt.Errorf("%v: %s", err, out)
		}
		return got, nil
	}

	const agents, rounds = 3, 5
	var docs [agents][]string
	var wg sync.WaitGroup
	for i := range agents {
		wg.Go(func() {
			own := fmt.Sprint("own", i)
			for k := range rounds {
				// A row of the file that all read, and an edit of the own one.
				got, err := call("read_file", map[string]any{"path": "shared", "offset": 2 * (agents*k + i + 1), "limit": 1})
				if err != nil || !got.OK {
					t.Errorf("read: %v %s", err, got.Content)
				}
				doc := fmt.Sprintf("[%s#%s]\nPUT %d:\n+agent %d\n", own, tagOfFile(dir, own), 10+k, i)
				docs[i] = append(docs[i], doc)
				if got, err = call("edit", map[string]any{"input": doc}); err != nil || !got.OK {
					t.Errorf("edit: %v %s", err, got.Content)
				}
			}
		})
	}
	wg.Wait()
	require.False(t, t.Failed())

	for i := range agents {
		for _, doc := range docs[i] {
			got, err := call("edit", map[string]any{"input": doc})
			require.NoError(t, err)
			require.Contains(t, got.Content, "already applied: ", "the edit %q is not known", doc)
		}
	}
	edit := func(rows ...int) answer {
		doc := "[shared#" + tagOfFile(dir, "shared") + "]\n"
		for _, n := range rows {
			doc += fmt.Sprintf("PUT %d:\n+seen\n", n)
		}
		got, err := call("edit", map[string]any{"input": doc}, "--require-seen", "enforce")
		require.NoError(t, err)
		return got
	}
	require.Equal(t, hashline.MovedLine, edit(2*agents*rounds+1).Code, "a row that none was shown")
	var rows []int
	for n := 1; n <= agents*rounds; n++ {
		rows = append(rows, 2*n)
	}
	got := edit(rows...)
	require.True(t, got.OK, "rows were lost: %s", got.Content)
}

func tagOfFile(dir, name string) string {
	out, err := exec.Command("hashline", "tag", filepath.Join(dir, name)).Output()
	if err != nil {
		return err.Error()
	}
	tag, _, _ := strings.Cut(string(out), " ")
	return tag
}
