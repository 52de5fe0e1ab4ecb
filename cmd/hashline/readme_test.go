package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/cmd/hashline/setup"
	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
)

// The README repeats parts of the code. These tests hold the two together.

func readme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	return string(data)
}

// quotes fails unless the README holds a part, word for word.
func quotes(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("README.md does not have this:\n%s", part)
	}
}

func TestReadmeQuotesTheGrammar(t *testing.T) {
	quotes(t, readme(t), "```ebnf\n"+strings.TrimSpace(grammar.EBNF())+"\n```\n")
}

func TestReadmeQuotesTheInstructions(t *testing.T) {
	quotes(t, readme(t), "```text\n"+workspace.Instructions()+"\n```\n")
}

func TestReadmeQuotesTheExample(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "..", "hashline", "workspace", "example_test.go"))
	require.NoError(t, err)
	_, body, ok := strings.Cut(string(source), "\tws, err := workspace.Open(")
	require.True(t, ok)
	body, _, ok = strings.Cut("\tws, err := workspace.Open("+body, "\t// Output:")
	require.True(t, ok)
	body = strings.ReplaceAll("\n"+body, "\n\t", "\n")
	quotes(t, readme(t), "\n)\n"+strings.TrimRight(body, "\n")+"\n```\n")
}

func TestReadmeListsEveryCode(t *testing.T) {
	text := readme(t)
	for _, list := range [][]hashline.Code{hashline.Codes(), hashline.SyntaxCodes(), hashline.WarningCodes()} {
		table := "| code | meaning |\n|---|---|\n"
		for _, c := range list {
			table += fmt.Sprintf("| `%s` | %s |\n", c, c.Meaning())
		}
		quotes(t, text, table+"\n")
	}
}

func TestReadmeListsEveryCommand(t *testing.T) {
	table := "| command | what it does |\n|---|---|\n"
	for _, cmd := range (&app{}).command().Commands() {
		if cmd.IsAvailableCommand() {
			table += fmt.Sprintf("| `hashline %s` | %s |\n", cmd.Name(), cmd.Short)
		}
	}
	quotes(t, readme(t), table)
}

// The table of clients names the files that setup writes.
func TestReadmeListsEveryClient(t *testing.T) {
	text := readme(t)
	where := setup.Where{Home: "~", Project: "", Getenv: func(string) string { return "" }, OS: "linux"}
	for _, c := range setup.Clients() {
		if !c.Writes {
			quotes(t, text, "`"+c.Name+"`")
			continue
		}
		row := "| `" + c.Name + "`"
		for _, scope := range []setup.Scope{setup.Project, setup.User} {
			row += " | `" + filepath.ToSlash(c.Files(where, scope)[0]) + "`"
			if scope == c.Scopes[0] {
				row += " (default)"
			}
		}
		quotes(t, text, row+" |\n")
	}
}

// TestReadmeSession runs the commands of README's session, in order, in a
// folder with the file they are about.
func TestReadmeSession(t *testing.T) {
	text := readme(t)
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	require.NoError(t, os.WriteFile("greet.txt", []byte("hello\nworld\n"), 0o666))
	for _, step := range []struct {
		command string
		args    []string
		stdin   string
	}{
		{"hashline read greet.txt", []string{"read", "greet.txt"}, ""},
		{`printf '[greet.txt#0EB5]\nPUT 2:\n+there\n' | hashline edit`, []string{"edit"}, "[greet.txt#0EB5]\nPUT 2:\n+there\n"},
		{`echo '{"path": "greet.txt"}' | hashline call read_file`, []string{"call", "read_file"}, `{"path": "greet.txt"}`},
	} {
		var out, err strings.Builder
		status := run(t.Context(), step.args, strings.NewReader(step.stdin), &out, &err)
		require.Zero(t, status, "%s: %s", step.command, err.String())
		quotes(t, text, "$ "+step.command+"\n"+out.String())
	}
}
