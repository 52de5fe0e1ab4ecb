package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline/workspace"
)

func (a *app) editCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:     "edit [FILE] [--dry-run]",
		Short:   "Apply a document to the files it names.",
		GroupID: groupFiles,
		Long: `Reads a document from FILE, or from standard input without one or with -. All
its operations in all its files apply, or none does. "hashline help format" shows
how a document is written.

On a terminal the answer is the change as a coloured diff; elsewhere it is exactly
what an agent sees: a summary and the new header and rows of each file.

With --dry-run nothing is written, and the answer is always the diff, which git
apply and patch accept. Where only the verdict matters, use "hashline check".`,
		Example: `  hashline edit change.txt
  hashline edit --dry-run change.txt
  printf '[notes.txt#1A2B]\nPUT >$:\n+one more line\n' | hashline edit`,
		Args: wants(0, 1, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, _, err := a.document(args)
			if err != nil {
				return err
			}
			res, err := a.call(cmd.Context(), func(ctx context.Context, s *workspace.Session) (*workspace.Result, error) {
				if dryRun {
					return s.Check(ctx, text)
				}
				return s.Edit(ctx, text)
			})
			if err != nil {
				return err
			}
			if !dryRun && !a.out.terminal {
				a.out.text(res.Content + "\n")
				return nil
			}
			a.changes(res, dryRun)
			return nil
		},
	}
	cmd.Flags().BoolVarP(&dryRun, "dry-run", "n", false, "show what would change as a diff, write nothing")
	return cmd
}

// changes shows what a call changed, or would change, as diffs; on a terminal a
// line that sums it up follows. Where the output is a diff for a program, all
// else goes to standard error.
func (a *app) changes(res *workspace.Result, dryRun bool) {
	added, removed := 0, 0
	for _, f := range res.Files {
		added, removed = added+f.Added, removed+f.Removed
		diff, ok := f.Diff()
		if !ok {
			a.err.text(fmt.Sprintf("hashline: %s: the change is too large for a diff, or its lines lie too far apart\n", f.Path))
			continue
		}
		a.diff(diff)
	}
	for _, d := range res.Warnings {
		a.err.text("warning: " + d.Error() + "\n")
	}
	if !a.out.terminal {
		return
	}
	verb := "changed"
	if dryRun {
		a.out.raw("dry run, nothing was written: ")
		verb = "would change"
	}
	a.out.raw(fmt.Sprintf("%s %s, %d line(s) added, %d removed\n", files(len(res.Files)), verb, added, removed))
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}
