package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/cmd/hashline/setup"
)

// setupRun is one run of setup.
type setupRun struct {
	a      *app
	client *setup.Client
	where  setup.Where
	server setup.Server
	scope  choice

	write, remove, force bool
}

func (a *app) setupCommand() *cobra.Command {
	r := &setupRun{a: a, scope: choice{"", []string{string(setup.Project), string(setup.User)}}}
	s := &r.server
	cmd := &cobra.Command{
		Use:     "setup CLIENT [--write | --remove] [--scope project|user] [-- ARGUMENT...]",
		Short:   "Tell a client such as Claude Code or Codex of the MCP server.",
		GroupID: groupPrograms,
		Long: `Prints the configuration by which CLIENT starts "hashline mcp", and on standard
error the file it belongs in. CLIENT is one of
` + strings.Join(setup.Names(), ", ") + `.

With --write it is put into that file, for all but the last three: everything else
in the file stays as it is, comments too. In an entry of ours the command, or the
address, is brought up to date; another server of that name is left alone. With
--force an entry is made anew. With --remove it goes again.

--root DIR is the project and becomes an argument of the server; so do the other
global flags, and what stands after "--". Where no root is given the client starts
the server in the project's folder. With --http the client speaks to a server that
is running; the token stays in the environment.`,
		Example: `  hashline setup claude
  hashline setup codex --write
  hashline setup gemini --write --scope user --deny 'secrets/'
  hashline setup opencode --http http://127.0.0.1:7311/mcp --token-env HASHLINE_TOKEN
  hashline setup codex --remove`,
		ValidArgsFunction: firstOf(setup.Names()...),
		Args:              setupArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.prepare(cmd, args); err != nil {
				return err
			}
			return r.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&r.write, "write", false, "put the entry into the client's file")
	flags.BoolVar(&r.remove, "remove", false, "take the entry out of the client's file")
	flags.Var(&r.scope, "scope", "for one project or for all; the default is the client's own")
	flags.StringVar(&s.Name, "name", "hashline", "`NAME` of the server in the client")
	flags.StringVar(&s.URL, "http", "", "`URL` of a server that is running")
	flags.StringVar(&s.TokenEnv, "token-env", "", "`VARIABLE` with the bearer token for --http")
	flags.BoolVar(&s.Trust, "trust", false, "let the client run the tools unasked (gemini, qwen)")
	flags.BoolVar(&r.force, "force", false, "replace or remove what is there, ours or not")
	noFiles(cmd, "name", "http", "token-env")
	must(cmd.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions(r.scope.words, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

// setupArgs wants one client before "--", and anything behind it.
func setupArgs(cmd *cobra.Command, args []string) error {
	n := len(args)
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		n = dash
	}
	return wants(1, 1, "CLIENT")(cmd, args[:n])
}

// prepare reads the command line.
func (r *setupRun) prepare(cmd *cobra.Command, args []string) error {
	r.client = setup.Find(args[0])
	if r.client == nil {
		return usagef("there is no client %s; the clients are %s", quoted(args[0]), strings.Join(setup.Names(), ", "))
	}
	if err := r.flags(); err != nil {
		return err
	}
	var err error
	if r.where, err = r.a.places(); err != nil {
		return err
	}
	if r.scope.value == "" {
		r.scope.value = string(r.client.Scopes[0])
	}
	r.client = r.client.For(setup.Scope(r.scope.value))
	passed := r.a.passed(cmd)
	if r.server.URL != "" {
		if extra := append(passed, args[1:]...); len(extra) > 0 {
			return usagef("%s is for the server that --http names, and can be given only where that is started", quoted(extra[0]))
		}
		return nil
	}
	r.server.Args = []string{"mcp"}
	switch {
	case cmd.Flags().Changed("root"):
		r.server.Args = append(r.server.Args, "--root", r.where.Project)
	case r.client.Folder() != "":
		r.server.Args = append(r.server.Args, "--root", r.client.Folder())
	}
	r.server.Args = append(append(r.server.Args, passed...), args[1:]...)
	if err := ownServerArgs(r.server.Args); err != nil {
		return err
	}
	r.server.Command, err = ownCommand()
	return err
}

// flags refuses flags that make no sense together.
func (r *setupRun) flags() error {
	s := r.server
	switch {
	case r.write && r.remove:
		return usageError("--write and --remove are not for one run")
	case (r.write || r.remove) && !r.client.Writes:
		return usagef("the files of %s are not written; put what setup prints into the file it names", r.client.Title)
	case !isName(s.Name, "-"):
		return usagef("--name %s: letters, digits, - and _, at most 64", quoted(s.Name))
	case s.TokenEnv != "" && s.URL == "":
		return usageError("--token-env is for --http")
	case s.TokenEnv != "" && !isName(s.TokenEnv, ""):
		return usagef("--token-env %s is no name of a variable", quoted(s.TokenEnv))
	case s.Trust && !r.client.CanTrust():
		return usagef("--trust is nothing that the configuration of %s can say", r.client.Title)
	}
	if s.URL != "" {
		return httpURL(s.URL)
	}
	return nil
}

// isName reports a name of letters, digits, "_" and what else is allowed.
func isName(s, allowed string) bool {
	for _, c := range s {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && !strings.ContainsRune(allowed, c) {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// places says where the user's files lie, and the project's.
func (a *app) places() (setup.Where, error) {
	project, err := filepath.Abs(a.root)
	if err != nil {
		return setup.Where{}, &failure{statusFailed, "the current folder: " + reason(err)}
	}
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return setup.Where{}, &failure{statusUsage, "there is no home folder; set HOME to an absolute path"}
	}
	return setup.Where{Home: home, Project: project, Getenv: os.Getenv, OS: runtime.GOOS}, nil
}

// run prints the configuration, or changes the file.
func (r *setupRun) run(ctx context.Context) error {
	if project := r.where.Project; !isFolder(project) && (r.write || r.remove && r.scope.value == string(setup.Project)) {
		return &failure{statusRefused, project + ": there is no such folder; name the project with --root; nothing was written"}
	}
	if r.remove {
		for _, file := range r.files() {
			if err := r.removeFrom(ctx, file); err != nil {
				return err
			}
		}
		return nil
	}
	file := r.file()
	if r.write {
		return r.writeTo(ctx, file)
	}
	text := r.client.Print(r.server)
	r.a.out.text(text)
	verb := "goes into"
	if _, err := os.Lstat(file); err == nil {
		verb = "is to be merged into"
	}
	r.tell(fmt.Sprintf("this %s %s (%s, %s)", verb, file, r.client.Title, r.scope.value))
	r.notes(r.entry([]byte(text)))
	return nil
}
