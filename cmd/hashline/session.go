package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline/workspace"
)

func (a *app) sessionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "session list | show NAME | forget NAME [PATH...]",
		Short:   "List, show and forget what --session keeps.",
		GroupID: groupPrograms,
		Long: `With --session NAME a call remembers what the agent was shown, for the next call
of that name in this root: so an edit with old line numbers is found out, and a
refusal says where the lines are now. What was not used for 30 days is removed.

list prints a line for each session: its last use, how much it keeps, its name.
show adds the files that its agent was shown. forget makes the session one that was
never shown each PATH, as when the agent's context has lost it; without a PATH it
removes the session.`,
		Example: `  hashline session list
  hashline session show agent-1
  hashline session forget agent-1 src/main.go`,
		Args:              sessionArgs,
		ValidArgsFunction: a.completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := a.open()
			if err != nil {
				return err
			}
			defer w.Close()
			switch args[0] {
			case "list":
				return a.listSessions(w)
			case "show":
				return a.showSession(cmd.Context(), w, args[1])
			}
			return wrongName(w.ForgetSession(cmd.Context(), args[1], args[2:]...))
		},
	}
}

// sessionArgs checks the arguments of the command session.
func sessionArgs(cmd *cobra.Command, args []string) error {
	most := map[string]int{"list": 1, "show": 2, "forget": -1}
	if len(args) == 0 {
		return usageError("list, show or forget is missing")
	}
	n, known := most[args[0]]
	if !known {
		return usagef("it is list, show or forget, not %s", quoted(args[0]))
	}
	least := 2
	if args[0] == "list" {
		least = 1
	}
	return wants(least, n, args[0], "NAME", "PATH")(cmd, args)
}

func (a *app) listSessions(w *workspace.Workspace) error {
	list, err := w.Sessions()
	for _, s := range list {
		a.out.text(sessionLine(s) + "\n")
	}
	return err
}

func (a *app) showSession(ctx context.Context, w *workspace.Workspace, name string) error {
	s, err := w.SavedSession(ctx, name)
	if err != nil {
		return err
	}
	a.out.text(sessionLine(s) + "\n")
	for _, p := range s.Paths {
		a.out.text("  " + p + "\n")
	}
	return nil
}

func sessionLine(s workspace.SavedSession) string {
	return fmt.Sprintf("%s  %d bytes  %s", s.Used.In(time.Local).Format(shownTime), s.Bytes, s.Name)
}

func (a *app) completeSession(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	switch {
	case len(args) == 0:
		return []string{"list", "show", "forget"}, cobra.ShellCompDirectiveNoFileComp
	case len(args) > 1 && args[0] == "forget":
		return nil, cobra.ShellCompDirectiveDefault
	case len(args) > 1 || args[0] == "list":
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.sessionNames(cmd, nil, "")
}

// sessionNames completes the name of a session.
func (a *app) sessionNames(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
	if w, err := a.open(); err == nil {
		defer w.Close()
		list, _ := w.Sessions()
		for _, s := range list {
			names = append(names, s.Name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
