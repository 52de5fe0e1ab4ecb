package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// notPassed are the global flags that are not handed on to a server: the root has
// a way of its own, and a server shows no colours.
var notPassed = []string{"root", "color"}

// passed gives the global flags of this command line that are meant for the
// server, sorted by name.
func (a *app) passed(cmd *cobra.Command) []string {
	var args []string
	cmd.Root().PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Changed || slices.Contains(notPassed, f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			switch {
			case f.NoOptDefVal == "":
				args = append(args, "--"+f.Name, v)
			case f.NoOptDefVal == v:
				args = append(args, "--"+f.Name)
			default:
				args = append(args, "--"+f.Name+"="+v)
			}
		}
	})
	return args
}

// serverFlags reads the arguments of a server as it would itself. Nothing is
// started. The error says in one line what it would refuse.
func serverFlags(args []string) (*pflag.FlagSet, error) {
	if len(args) == 0 || args[0] != "mcp" {
		return nil, usageError("they do not begin with mcp")
	}
	root := new(app).command()
	cmd, _, err := root.Find(args[:1])
	if err != nil {
		return nil, usageError(err.Error())
	}
	if err := cmd.ParseFlags(args[1:]); err != nil {
		return nil, usageError(bounded(err.Error()))
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		return nil, usageError(bounded(err.Error()))
	}
	return cmd.Flags(), nil
}

// modest are the flags by which a server reaches no more than without them. What
// is not here a project's file may not decide.
var modest = []string{
	"root", "deny", "read-only", "tags", "no-sync", "output-limit", "require-seen", "require-read", "repeat-read",
}

// immodest says why a server may not be started with arguments that a project's
// file gives, "" where it may: it is to serve what asks by its standard input, and
// nothing outside of the project.
func immodest(args []string, project string) string {
	flags, err := serverFlags(args)
	if err != nil {
		return err.Error()
	}
	why := ""
	flags.Visit(func(f *pflag.Flag) {
		switch {
		case why != "":
		case !slices.Contains(modest, f.Name):
			why = "--" + f.Name + " is not for a project's file to decide"
		case f.Name == "root" && !below(f.Value.String(), project):
			why = "--root " + quoted(f.Value.String()) + " is not in the project"
		}
	})
	return why
}

// below reports a folder that is another or lies in it, also where links lead.
func below(dir, top string) bool {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(top, dir)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	return within(dir, top)
}

// ownServerArgs refuses what the server to be configured would refuse, and what
// lets it answer nobody who starts it.
func ownServerArgs(args []string) error {
	flags, err := serverFlags(args)
	if err != nil {
		return usagef("the server would refuse its arguments: %s", err)
	}
	for _, name := range []string{"http", "stateless", "token-env", "token-file"} {
		if flags.Changed(name) {
			return usagef("with --%s after -- the server would not speak to the client that starts it; start it yourself, and give setup --http URL", name)
		}
	}
	if n := flags.Lookup("output-limit").Value.(*number).or(minOutput); n < minOutput {
		return usagef("--output-limit %d: it is at least %d", n, minOutput)
	}
	return nil
}

// environment names what an entry adds to the environment, sorted.
func environment(env map[string]string) string {
	var names []string
	for name := range env {
		names = append(names, cut(name, 80))
	}
	slices.Sort(names)
	return cut(strings.Join(names, ", "), 300)
}

// within is below for a path without links that need not be there.
func within(real, top string) bool {
	top, err := filepath.EvalSymlinks(top)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(top, real)
	return err == nil && filepath.IsLocal(rel)
}
