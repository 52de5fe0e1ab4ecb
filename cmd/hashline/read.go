package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline/workspace"
)

func (a *app) readCommand() *cobra.Command {
	var offset, limit number
	var ranges string
	cmd := &cobra.Command{
		Use:     "read PATH [--offset N] [--limit N] [--ranges R]",
		Short:   "Show a file as numbered rows under its header.",
		GroupID: groupFiles,
		Long: `Prints exactly what an agent sees: the header [path#TAG], then rows N:text. A
long file is cut at 48 KiB, and the last line says where to go on.`,
		Example: `  hashline read src/main.go
  hashline read src/main.go --offset 200 --limit 50
  hashline read src/main.go --ranges 10-20,80-95`,
		Args: wants(1, 1, "PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.show(cmd.Context(), func(ctx context.Context, s *workspace.Session) (*workspace.Result, error) {
				return s.Read(ctx, workspace.ReadArgs{Path: args[0], Offset: offset.n, Limit: limit.n, Ranges: ranges})
			})
		},
	}
	cmd.Flags().Var(&offset, "offset", "first row to show, from 1")
	cmd.Flags().Var(&limit, "limit", "how many rows to show at most")
	cmd.Flags().StringVar(&ranges, "ranges", "", "show the runs of rows `R` instead, such as 10-20,80-95")
	noFiles(cmd, "offset", "limit", "ranges")
	return cmd
}

// show runs a call and prints its answer, exactly as an agent sees it.
func (a *app) show(ctx context.Context, f func(context.Context, *workspace.Session) (*workspace.Result, error)) error {
	res, err := a.call(ctx, f)
	if err != nil {
		return err
	}
	a.out.text(res.Content + "\n")
	return nil
}
