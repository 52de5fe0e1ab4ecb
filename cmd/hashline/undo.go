package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline/workspace"
)

func (a *app) undoCommand() *cobra.Command {
	var steps number
	cmd := &cobra.Command{
		Use:     "undo [PATH] [--steps N]",
		Short:   "Take back the last edit, in all files it changed.",
		GroupID: groupFiles,
		Long: `Takes back the last edit of this root that was made with hashline, with --session
NAME the last of that session, or the last edit of PATH, whoever made it: every file
becomes what it was, byte for byte, and a file that the edit created is removed. A
file that is no longer what the edit left is not touched, nor is any other then.
What "hashline setup" wrote is taken back only by its PATH.

An undo is an edit: "hashline undo" right after it does again what it took back.
To go further back give --steps. "hashline history" lists the edits.`,
		Example: `  hashline undo
  hashline undo src/main.go --steps 3`,
		Args: wants(0, 1, "PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			undo := workspace.UndoArgs{Steps: steps.n}
			if len(args) > 0 {
				undo.Path = args[0]
			}
			return a.show(cmd.Context(), func(ctx context.Context, s *workspace.Session) (*workspace.Result, error) {
				return s.Undo(ctx, undo)
			})
		},
	}
	cmd.Flags().Var(&steps, "steps", "how many edits to take back")
	noFiles(cmd, "steps")
	return cmd
}
