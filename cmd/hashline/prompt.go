package main

import (
	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline/workspace"
)

func (a *app) promptCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "prompt",
		Short:   "Print a system prompt that teaches the tools and the format.",
		GroupID: groupPrograms,
		Long: `Prints, in Markdown, what a model needs to know of the tools and the format: for
programs that put it into the system prompt, and offer the tools by "hashline call".
By the Model Context Protocol the same text comes with the tools.`,
		Example: `  hashline prompt >> system-prompt.md`,
		Args:    wants(0, 0),
		RunE: func(*cobra.Command, []string) error {
			a.out.raw(workspace.Prompt())
			return nil
		},
	}
}
