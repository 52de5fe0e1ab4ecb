package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/hashline/workspace/search"
)

func (a *app) grepCommand() *cobra.Command {
	var q search.Query
	var around, results, perFile number
	var files, count bool
	cmd := &cobra.Command{
		Use:     "grep [flags] [--] PATTERN [PATH]",
		Short:   "Search files for a pattern; the rows can be edited at once.",
		GroupID: groupFiles,
		Long: `Prints exactly what an agent sees: for each file its header [path#TAG], matching
rows N | text and context rows N - text. PATTERN is a regular expression in Go
syntax, matched line by line; one that begins with - needs -- before it. PATH is a
folder or a file, by default the whole workspace. What git would ignore, hidden
files, binaries, links and files over 5 MiB are skipped. No match is a success.`,
		Example: `  hashline grep 'func \w+Handler' src --glob '*.go'
  hashline grep -F 'a[0]' --context 2
  hashline grep -il todo
  hashline grep -- '-x'`,
		Args: wants(1, 2, "PATTERN", "PATH"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 1 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Pattern, q.Path = args[0], "."
			if len(args) > 1 {
				q.Path = args[1]
			}
			switch {
			case files && count:
				return usageError("--files and --count exclude one another")
			case files:
				q.Mode = search.FilesWithMatches
			case count:
				q.Mode = search.Count
			}
			if results.or(1) < 1 || perFile.or(1) < 1 {
				return usageError("--max-results and --max-per-file are at least 1")
			}
			q.Context, q.MaxResults, q.MaxPerFile = around.or(0), results.or(search.DefaultResults), perFile.or(search.DefaultPerFile)
			return a.show(cmd.Context(), func(ctx context.Context, s *workspace.Session) (*workspace.Result, error) {
				return s.Grep(ctx, q)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&q.Glob, "glob", "", "only files whose path matches `GLOB`, such as *.go or src/**/*.ts")
	flags.BoolVarP(&q.Literal, "literal", "F", false, "the pattern is plain text")
	flags.BoolVarP(&q.IgnoreCase, "ignore-case", "i", false, "upper and lower case are the same")
	flags.BoolVar(&q.IncludeHidden, "hidden", false, "search hidden files and folders too")
	flags.VarP(&around, "context", "C", fmt.Sprintf("rows to show before and after each match (default 0, at most %d)", search.MaxContext))
	flags.Var(&results, "max-results", fmt.Sprintf("matching rows to show at most (default %d, at most %d)", search.DefaultResults, search.MaxResults))
	flags.Var(&perFile, "max-per-file", fmt.Sprintf("matching rows to show of one file (default %d, at most %d)", search.DefaultPerFile, search.MaxPerFile))
	flags.BoolVarP(&files, "files", "l", false, "show only the paths of files with a match")
	flags.BoolVarP(&count, "count", "c", false, "show only each file's path and number of matching rows")
	noFiles(cmd, "glob", "context", "max-results", "max-per-file")
	return cmd
}
