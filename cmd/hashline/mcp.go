package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/cmd/hashline/mcpserver"
)

func (a *app) mcpCommand() *cobra.Command {
	var limit number
	var session string
	var ignoreRoots bool
	cmd := &cobra.Command{
		Use:     "mcp [--root DIR]",
		Short:   "Serve the tools to an agent by the Model Context Protocol.",
		GroupID: groupPrograms,
		Long: `Speaks the protocol on standard input and output, for as long as a client keeps
them open. A client may confine itself to folders below --root, but not widen it.`,
		Example: `  hashline mcp --root ~/project`,
		Args:    wants(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := a.open()
			if err != nil {
				return err
			}
			defer w.Close()
			cfg := mcpserver.Config{
				Workspace: w, Version: moduleVersion(), Session: session, OutputLimit: limit.or(0), IgnoreRoots: ignoreRoots,
				Report: func(msg string) { a.err.text("hashline: " + msg + "\n") },
			}
			ctx, stop := held(cmd.Context())
			defer stop()
			ignoreBrokenPipes()
			return mcpserver.New(cfg).ServeStdio(ctx, a.stdin, os.Stdout)
		},
	}
	cmd.Flags().Var(&limit, "output-limit", "`BYTES` of an answer at most; default: what the client is known to keep")
	cmd.Flags().StringVar(&session, "session", "", "`NAME` of who edits, in the history; default: the client's")
	cmd.Flags().BoolVar(&ignoreRoots, "ignore-roots", false, "do not ask the client which folders it has open")
	return cmd
}
