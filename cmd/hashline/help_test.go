package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The help of every command, in the form that README quotes.
func TestHelpTree(t *testing.T) {
	var b strings.Builder
	show := func(args ...string) {
		var out, errs strings.Builder
		require.Equal(t, statusOK, run(t.Context(), args, strings.NewReader(""), &out, &errs))
		require.Empty(t, errs.String())
		b.WriteString("$ hashline " + strings.Join(args, " ") + "\n" + out.String() + "\n")
	}
	show("help")
	show("help", "format")
	for _, cmd := range new(app).command().Commands() {
		show("help", cmd.Name())
	}
	const golden = "testdata/help.txt"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("the help texts are not those of %s; -update writes it (-want +got):\n%s", golden, diff)
	}
}

// Every command can be learnt from its help, and fits a terminal of 100 columns.
func TestHelpIsComplete(t *testing.T) {
	for _, cmd := range new(app).command().Commands() {
		for what, text := range map[string]string{"Short": cmd.Short, "Example": cmd.Example, "GroupID": cmd.GroupID} {
			if text == "" {
				t.Errorf("%s has no %s", cmd.Name(), what)
			}
		}
		for line := range strings.Lines(help(cmd)) {
			if len(line) > 101 {
				t.Errorf("%s: a line of %d bytes: %s", cmd.Name(), len(line), line)
			}
		}
	}
}
