package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/cmd/hashline/setup"
)

// outcome is how a check ended.
type outcome string

const (
	healthy outcome = "ok"
	doubt   outcome = "warn"
	broken  outcome = "FAIL"
)

// finding is what a check came to.
type finding struct {
	Outcome outcome `json:"outcome"`
	// Check is what was looked at, Text what was found.
	Check string `json:"check"`
	Text  string `json:"text"`
	// Fix is what to do about it.
	Fix string `json:"fix,omitempty"`
}

// doctor is one run of the checks.
type doctor struct {
	a     *app
	where setup.Where
	// passed are the global flags for the server.
	passed []string
	// tokenEnv is the variable that may be sent where a project's file says.
	tokenEnv string
	tell     func(finding)
}

func (d *doctor) report(v outcome, check, text, fix string) {
	d.tell(finding{v, check, text, fix})
}

func (a *app) doctorCommand() *cobra.Command {
	var asJSON bool
	var tokenEnv string
	cmd := &cobra.Command{
		Use:     "doctor [CLIENT...] [--json]",
		Short:   "Check state folder, root, clients, and that the MCP server answers.",
		GroupID: groupPrograms,
		Long: `Prints a line for each check: ok, warn or FAIL, what was found, and what to do. It
looks at this program, the state folder, the root and its file system, and the
configurations of all clients, or of those that are named, and it starts the MCP
server as they would and speaks to it. Only this program, or the hashline of PATH,
is started, whatever a configuration says. A project's own file may neither widen what
the server reaches nor have a variable of the environment sent, but for the one that
--token-env names.

Nothing is changed: two temporary files in the root show what its file system can,
and go again. Exit status 1 when a check fails.`,
		Example: `  hashline doctor
  hashline doctor codex claude --root ~/project`,
		Args: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				if setup.Find(name) == nil {
					return usagef("there is no client %s; the clients are %s", quoted(name), strings.Join(setup.Names(), ", "))
				}
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			left := slices.DeleteFunc(setup.Names(), func(name string) bool { return slices.Contains(args, name) })
			return left, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			where, err := a.places()
			if err != nil {
				return err
			}
			d := &doctor{a: a, where: where, passed: a.passed(cmd), tokenEnv: tokenEnv}
			return d.run(cmd.Context(), args, asJSON)
		},
	}
	cmd.Flags().StringVar(&tokenEnv, "token-env", "", "send the token in `VARIABLE` where a project's file names it")
	noFiles(cmd, "token-env")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of objects instead")
	return cmd
}

// run makes all checks.
func (d *doctor) run(ctx context.Context, clients []string, asJSON bool) error {
	failed := false
	all := []finding{}
	d.tell = func(f finding) {
		failed = failed || f.Outcome == broken
		if asJSON {
			all = append(all, f)
			return
		}
		text := fmt.Sprintf("%-4s  %s: %s\n", f.Outcome, f.Check, f.Text)
		if f.Fix != "" {
			text += "      → " + f.Fix + "\n"
		}
		d.a.out.text(text)
	}
	d.program()
	d.state(ctx)
	if d.root(ctx) {
		d.ownServer(ctx)
		d.clients(ctx, clients)
	}
	if asJSON {
		data, err := json.MarshalIndent(all, "", "  ")
		if err != nil {
			return &failure{statusFailed, err.Error()}
		}
		d.a.out.text(string(data) + "\n")
	}
	if failed {
		return &failure{status: statusRefused}
	}
	return nil
}
