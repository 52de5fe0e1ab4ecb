package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline/workspace"
)

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "check [FILE]",
		Short:   "Tell whether a document would apply, without writing.",
		GroupID: groupDocuments,
		Long: `Reads a document from FILE or from standard input and checks it against the files
as they are now. Exit status 0 and a line for each file mean that "hashline edit"
would apply it; 1 means that it would be refused, and why stands on standard error.

"hashline edit --dry-run" makes the same checks and shows the change as a diff.
"hashline fmt" looks at the document alone.`,
		Example: `  hashline check change.txt && hashline edit change.txt`,
		Args:    wants(0, 1, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, _, err := a.document(args)
			if err != nil {
				return err
			}
			res, err := a.call(cmd.Context(), func(ctx context.Context, s *workspace.Session) (*workspace.Result, error) {
				return s.Check(ctx, text)
			})
			if err != nil {
				return err
			}
			a.out.text(verdict(res))
			for _, d := range res.Warnings {
				a.err.text("warning: " + d.Error() + "\n")
			}
			return nil
		},
	}
}

// verdict has a line for each section of a document.
func verdict(res *workspace.Result) string {
	text, changes := "", res.Files
	for _, s := range res.Sections {
		if !s.Changed {
			text += s.Path + ": ok, no change\n"
			continue
		}
		text += fmt.Sprintf("%s: ok, %d line(s) added, %d removed\n", s.Path, changes[0].Added, changes[0].Removed)
		changes = changes[1:]
	}
	return text
}
