package main

import (
	"context"
	"net"
	"os"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/cmd/hashline/mcpserver"
)

// mcpFlags are the flags of the command mcp.
type mcpFlags struct {
	limit       number
	ignoreRoots bool

	http      string
	stateless bool
	tokenEnv  string
	tokenFile string
}

func (a *app) mcpCommand() *cobra.Command {
	var f mcpFlags
	cmd := &cobra.Command{
		Use:     "mcp [--root DIR] [--http ADDR]",
		Short:   "Serve the tools to agents by the Model Context Protocol.",
		GroupID: groupPrograms,
		Long: `Speaks the protocol on standard input and output as long as a client keeps them
open, or with --http at http://ADDR/mcp until a signal ends it. A client may
confine itself to folders of --root; none can leave it. What an agent was shown is
remembered as long as it is connected and no longer; its edits have the client's
name in the history, or that of --session, which does nothing else here.

ADDR is a loopback address such as 127.0.0.1:7311, or any with a token, which each
request then sends as "Authorization: Bearer TOKEN". A file may hold several
tokens, a line each: then each agent has its own. Port 0 takes a free one.`,
		Example: `  hashline mcp --root ~/project
  hashline mcp --root ~/project --http 127.0.0.1:7311 --token-file ~/.hashline-token`,
		Args: wants(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.http, "http", "", "serve by streamable HTTP at `ADDR`")
	flags.BoolVar(&f.stateless, "stateless", false, "HTTP without sessions: an agent is known by its token")
	flags.StringVar(&f.tokenEnv, "token-env", "", "the environment variable `NAME` holds the token")
	flags.StringVar(&f.tokenFile, "token-file", "", "`FILE` holds tokens, a line each")
	flags.Var(&f.limit, "output-limit", "`BYTES` of an answer at most; else what the client is known to keep")
	flags.BoolVar(&f.ignoreRoots, "ignore-roots", false, "do not ask clients which folders they have open")
	return cmd
}

// minOutput is the least that an answer needs to say something.
const minOutput = 1000

func (a *app) serve(ctx context.Context, f mcpFlags) error {
	tokens, err := f.tokens()
	if err != nil {
		return err
	}
	if n := f.limit.or(minOutput); n < minOutput {
		return usagef("--output-limit %d: it is at least %d", n, minOutput)
	}
	w, err := a.open()
	if err != nil {
		return err
	}
	defer w.Close()
	for _, d := range w.Recovered().Conflicts {
		a.err.text("hashline: " + d.Error() + "\n")
	}
	agent := a.agent.config()
	agent.OutputLimit = f.limit.or(0)
	server := mcpserver.New(mcpserver.Config{
		Workspace: w, Version: moduleVersion(), Agent: agent, IgnoreRoots: f.ignoreRoots,
		Report: func(msg string) { a.err.text("hashline: " + msg + "\n") },
	})
	ctx, stop := held(ctx)
	defer stop()
	ignoreBrokenPipes()
	if f.http == "" {
		if isTerminal(a.stdin) {
			a.err.raw("hashline: speaking the Model Context Protocol, a line a message; programs start this, see hashline help mcp\n")
		}
		// Nothing else may be written there, nor after a write has failed.
		return server.ServeStdio(ctx, a.stdin, os.Stdout)
	}
	l, err := net.Listen("tcp", f.http)
	if err != nil {
		return &failure{statusFailed, "--http " + quoted(f.http) + ": " + err.Error()}
	}
	cfg := mcpserver.HTTPConfig{Tokens: tokens, Stateless: f.stateless}
	if err := cfg.Check(l.Addr()); err != nil {
		_ = l.Close()
		return usagef("--http %s: %s", f.http, err)
	}
	a.err.raw("hashline: serving at http://" + l.Addr().String() + mcpserver.Path + "\n")
	if err := server.ServeHTTP(ctx, l, cfg); err != nil {
		return &failure{statusFailed, err.Error()}
	}
	return nil
}

// tokens reads the tokens where they are kept. They are no arguments, which
// everybody on a machine can see.
func (f *mcpFlags) tokens() ([]string, error) {
	var text, from string
	switch {
	case f.http == "" && (f.stateless || f.tokenEnv != "" || f.tokenFile != ""):
		return nil, usageError("--stateless and tokens are for --http")
	case f.tokenEnv != "" && f.tokenFile != "":
		return nil, usageError("--token-env and --token-file exclude one another")
	case f.tokenEnv != "":
		from, text = "--token-env "+quoted(f.tokenEnv), os.Getenv(f.tokenEnv)
	case f.tokenFile != "":
		from = "--token-file " + quoted(f.tokenFile)
		data, err := os.ReadFile(f.tokenFile)
		if err != nil {
			return nil, usagef("%s: %s", from, reason(err))
		}
		text = string(data)
	default:
		return nil, nil
	}
	tokens, err := mcpserver.ParseTokens(text)
	if err != nil {
		return nil, usagef("%s: %s", from, err)
	}
	return tokens, nil
}
