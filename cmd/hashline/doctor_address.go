package main

import (
	"context"
	"os"

	"github.com/hashline-go/hashline/cmd/hashline/handshake"
	"github.com/hashline-go/hashline/cmd/hashline/setup"
)

// address speaks to a server that is to be running. A project's file could send
// any variable anywhere: it is believed for this machine only, and for the
// variable that the command line names.
func (d *doctor) address(ctx context.Context, c *setup.Client, about string, scope setup.Scope, file string, e setup.Found) {
	if scope == setup.Project && !loopback(e.URL) {
		d.report(doubt, about, file+" names "+e.URL+", to which nothing was sent: a project's file is not trusted with that", ownFile(c))
		return
	}
	if scope == setup.Project && e.TokenEnv != "" && e.TokenEnv != d.tokenEnv {
		d.report(doubt, about, file+" would have "+cut(e.TokenEnv, 80)+" of your environment sent to "+e.URL+
			", to which nothing was sent: a project's file is not trusted with that", "if it is the server's token: hashline doctor --token-env VARIABLE")
		return
	}
	token := ""
	if e.TokenEnv != "" {
		if token = os.Getenv(e.TokenEnv); token == "" {
			d.report(broken, about, file+" takes the token from "+e.TokenEnv+", which is not set", "export "+e.TokenEnv+" where the client is started")
			return
		}
	}
	d.shake(ctx, about, file+": ", handshake.Target{URL: e.URL, Token: token}, "start it: hashline mcp --http ADDR", tokenFix(e.TokenEnv))
}

// tokenFix is what to do where the server does not take the token in a variable.
func tokenFix(variable string) string {
	if variable == "" {
		return "it wants a token: hashline setup CLIENT --http URL --token-env VARIABLE --write"
	}
	return "what " + variable + " holds is no token of this server; export the one that it was started with"
}
