package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline/workspace"
)

func (a *app) writeCommand() *cobra.Command {
	var expect, from string
	cmd := &cobra.Command{
		Use:     "write PATH [--expect TAG|absent] [--from FILE]",
		Short:   "Create a file or rewrite a whole file.",
		GroupID: groupFiles,
		Long: `Writes standard input, or what FILE holds, to PATH, exactly, and makes the
folders it needs. With --expect anything else on disk is refused: a tag means that
the file must be the one with this tag, absent that it must not exist.`,
		Example: `  hashline write notes.txt --expect absent < draft.txt
  hashline write notes.txt --expect 1A2B --from draft.txt`,
		Args: wants(1, 1, "PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case from == "":
				return usageError("--from is empty")
			case expect == "" && cmd.Flags().Changed("expect"):
				// A variable that is not set must not take the guard away.
				return usageError("--expect is empty")
			}
			text, err := a.input(from, "the content", workspace.MaxFile)
			if err != nil {
				return err
			}
			return a.show(cmd.Context(), func(ctx context.Context, s *workspace.Session) (*workspace.Result, error) {
				return s.Write(ctx, workspace.WriteArgs{Path: args[0], Content: text, Expect: expect})
			})
		},
	}
	cmd.Flags().StringVar(&expect, "expect", "", "what must be on disk: a `TAG`, or absent")
	cmd.Flags().StringVar(&from, "from", "-", "take the content from `FILE`; - is standard input")
	must(cmd.MarkFlagFilename("from"))
	must(cmd.RegisterFlagCompletionFunc("expect", cobra.FixedCompletions([]string{"absent"}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}
