package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline/workspace"
)

const shownTime = "2006-01-02 15:04:05"

func (a *app) historyCommand() *cobra.Command {
	var limit number
	cmd := &cobra.Command{
		Use:     "history [PATH] [--limit N]",
		Short:   "List the edits of this root, newest first.",
		GroupID: groupFiles,
		Long: `Prints a line for each edit that was made with hashline, or for each of PATH: its
ID, when it was, the tool and the session, and the files with the number of lines
added and removed. "hashline show ID" prints the change.

Edits are kept for 30 days, old versions of files in at most 512 MiB.`,
		Example: `  hashline history
  hashline history src/main.go --limit 5`,
		Args: wants(0, 1, "PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := ""
			if len(args) > 0 {
				path = args[0]
			}
			w, err := a.open()
			if err != nil {
				return err
			}
			defer w.Close()
			log, err := w.History(cmd.Context(), path, limit.or(20))
			if err != nil {
				return err
			}
			for _, e := range log.Edits {
				a.out.text(editLine(e) + "\n")
			}
			if log.Skipped > 0 {
				a.err.text(fmt.Sprintf("hashline: %d damaged entries of the history were passed over\n", log.Skipped))
			}
			a.tellDenied(log.Denied)
			return nil
		},
	}
	cmd.Flags().Var(&limit, "limit", "how many edits to list at most, 20 by default")
	noFiles(cmd, "limit")
	return cmd
}

// editLine sums up an edit.
func editLine(e workspace.Record) string {
	var files []string
	for _, f := range e.Files {
		what := fmt.Sprintf("%s (+%d -%d)", f.Path, f.Added, f.Removed)
		switch {
		case e.Tool == commit.SetupTool && f.Old == nil:
			what = fmt.Sprintf("%s (new)", f.Path)
		case e.Tool == commit.SetupTool && f.New == nil:
			what = fmt.Sprintf("%s (removed)", f.Path)
		case e.Tool == commit.SetupTool:
			what = string(f.Path) // it does not count lines
		case e.Of != "":
			what = fmt.Sprintf("%s (left by an interrupted edit)", f.Path)
		case f.Old == nil:
			what = fmt.Sprintf("%s (new, +%d)", f.Path, f.Added)
		case f.New == nil:
			what = fmt.Sprintf("%s (removed, -%d)", f.Path, f.Removed)
		}
		files = append(files, what)
	}
	who := e.Tool
	if e.Session != "" {
		who += " " + e.Session
	}
	return workspace.ShortID(e) + "  " + e.Time.In(time.Local).Format(shownTime) + "  " + who + "  " + strings.Join(files, ", ")
}

// tellDenied says how many changes are not shown.
func (a *app) tellDenied(n int) {
	if n > 0 {
		a.err.text(fmt.Sprintf("hashline: changes of files that the policy denies are left out: %d\n", n))
	}
}

func (a *app) showCommand() *cobra.Command {
	var before string
	cmd := &cobra.Command{
		Use:     "show ID [--before PATH]",
		Short:   "Show an edit of the history as a diff.",
		GroupID: groupFiles,
		Long: `Prints the change that an edit made, as a diff that git apply and patch accept.
ID is the beginning of one that "hashline history" lists.

With --before it prints all of one file as it was before the edit, byte for byte.`,
		Example: `  hashline show 1a2b3c4d
  hashline show 1a2b3c4d | git apply -R
  hashline show 1a2b3c4d --before src/main.go > old.go`,
		Args:              wants(1, 1, "ID"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := a.open()
			if err != nil {
				return err
			}
			defer w.Close()
			if cmd.Flags().Changed("before") {
				data, err := w.Before(cmd.Context(), args[0], before)
				if err == nil {
					a.out.text(string(data))
				}
				return err
			}
			shown, err := w.Show(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if a.out.terminal {
				a.out.text(editLine(shown.Record) + "\n")
			}
			var missing error
			unknown := map[string]bool{}
			for _, u := range shown.Unknown {
				unknown[u.Path] = true
				a.err.text("hashline: " + u.Path + ": there is no diff: " + u.Why + "\n")
				missing = &failure{status: statusRefused}
			}
			a.tellDenied(shown.Denied)
			for _, c := range shown.Changes {
				if unknown[c.Path] {
					continue
				}
				diff, ok := c.Diff()
				if !ok {
					a.err.text(fmt.Sprintf("hashline: %s: the change is too large for a diff, or its lines lie too far apart\n", c.Path))
					missing = &failure{status: statusRefused}
					continue
				}
				a.diff(diff)
			}
			return missing
		},
	}
	cmd.Flags().StringVar(&before, "before", "", "print the file at `PATH` as it was before the edit")
	return cmd
}
