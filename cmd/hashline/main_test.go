package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

// inMemory has the tests run in memory, and the program that they start on the disk.
type inMemory struct{ *testing.M }

func (m inMemory) Run() int { return hashlinetest.InMemory(m.M) }

func TestMain(m *testing.M) {
	testscript.Main(inMemory{m}, map[string]func(){"onterminal": onTerminal, "hashline": func() {
		if kind := os.Getenv("HASHLINE_TEST_SERVER"); kind != "" && len(os.Args) > 1 && os.Args[1] == "mcp" {
			testServer(kind)
			return
		}
		main()
	}})
}

// TestScripts runs the scripts of testdata/script with the real program. Each
// shows one behaviour of one command.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			// Not below the folder that the scripts search.
			env.Setenv("XDG_STATE_HOME", t.TempDir())
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(env.WorkDir))
			env.Setenv("TERM", "xterm")
			env.Setenv("ESC", "\x1b")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Condition: func(name string) (bool, error) {
			if name != "mcp" {
				return false, fmt.Errorf("there is no condition %s", name)
			}
			return slices.ContainsFunc(new(app).command().Commands(), func(c *cobra.Command) bool { return c.Name() == name }), nil
		},
	})
}

// exits runs a command and checks its exit status: exits STATUS COMMAND...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}
