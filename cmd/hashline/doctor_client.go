package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/hashline-go/hashline/cmd/hashline/handshake"
	"github.com/hashline-go/hashline/cmd/hashline/setup"
)

// clients looks at the configurations of those that are named, or of all.
func (d *doctor) clients(ctx context.Context, names []string) {
	found := false
	for _, c := range setup.Clients() {
		named := slices.ContainsFunc(names, func(name string) bool { return setup.Find(name).Name == c.Name })
		if len(names) > 0 && !named {
			continue
		}
		entries := d.client(ctx, c)
		found = found || entries
		if named && !entries {
			d.report(broken, c.Title, "no configuration has an entry that starts hashline", "hashline setup "+c.Name)
		}
	}
	if !found && len(names) == 0 {
		d.report(doubt, "clients", "none is told of hashline", "hashline setup CLIENT, with CLIENT one of "+strings.Join(setup.Names(), ", "))
	}
}

// client looks at the files of one, and reports whether one has an entry.
func (d *doctor) client(ctx context.Context, c *setup.Client) bool {
	found := false
	for _, scope := range c.Scopes {
		first := ""
		for _, file := range c.Files(d.where, scope) {
			data, err := configBytes(file)
			switch {
			case errors.Is(err, os.ErrNotExist):
				continue
			case err != nil:
				d.report(doubt, c.Title, file+": "+reason(err), "")
				continue
			}
			entries, err := c.Servers(data, d.where.Project)
			if err != nil {
				d.report(broken, c.Title, file+": "+err.Error(), "put it right: "+c.Title+" cannot read it either")
				continue
			}
			shadowed := first != "" && c.ReadsFirst()
			first = file
			for _, e := range entries {
				if e.Ours() && shadowed {
					d.report(doubt, c.Title+", "+e.Name, file+" has it, but is not read where there is another file of the project",
						"hashline setup "+c.Name+" --scope "+string(scope)+" --write")
				} else if e.Ours() {
					found = true
					d.entry(ctx, c, scope, file, e)
				}
			}
		}
	}
	return found
}

// configBytes reads a client's file.
func configBytes(file string) ([]byte, error) {
	f, size, err := openRegular(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := read(f, size, setup.MaxFile)
	return []byte(text), err
}

// entry looks at an entry of ours, and speaks to the server that it names.
func (d *doctor) entry(ctx context.Context, c *setup.Client, scope setup.Scope, file string, e setup.Found) {
	about := c.Title + ", " + e.Name
	again := "hashline setup " + c.Name + " --write"
	if !c.Writes {
		again = "hashline setup " + c.Name
	}
	if e.Disabled {
		d.report(doubt, about, file+" has it, but disabled", "enable it there")
		return
	}
	if flaw := c.Flaw(e); flaw != "" {
		d.report(broken, about, file+" has it in a form that "+c.Title+" skips: "+flaw, again)
		return
	}
	if e.URL != "" {
		d.address(ctx, about, scope, file, e)
		return
	}
	program, err := exec.LookPath(e.Command)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		d.report(broken, about, fmt.Sprintf("%s starts %s: %s", file, e.Command, lookReason(err)), again)
		return
	}
	if !d.known(program) {
		d.report(doubt, about, file+" starts "+program+", which is neither this program nor the one of PATH, and was not started", again)
		return
	}
	if scope == setup.Project && len(e.Env) > 0 {
		d.report(doubt, about, file+" changes the environment of the server, so that it was not started: a project's file is not trusted with that", "")
		return
	}
	t := handshake.Target{Command: program, Dir: d.where.Project, Env: os.Environ()}
	for _, arg := range e.Args {
		t.Args = append(t.Args, c.Expand(arg, d.where.Project))
	}
	if scope == setup.Project {
		if why := immodest(t.Args, d.where.Project); why != "" {
			d.report(doubt, about, file+" was not started: its arguments are "+bounded(strings.Join(t.Args, " "))+"; "+why, "")
			return
		}
	}
	for k, v := range e.Env {
		t.Env = append(t.Env, k+"="+v)
	}
	d.shake(ctx, about, file+": ", t, again)
}

// address speaks to a server that is to be running. A project's file could send
// any variable anywhere: it is believed for this machine only, and for the
// variable that the command line names.
func (d *doctor) address(ctx context.Context, about string, scope setup.Scope, file string, e setup.Found) {
	if scope == setup.Project && !loopback(e.URL) {
		d.report(doubt, about, file+" names "+e.URL+", to which nothing was sent: a project's file is not trusted with that", "")
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
	d.shake(ctx, about, file+": ", handshake.Target{URL: e.URL, Token: token}, "start it: hashline mcp --http ADDR")
}

// known reports this program, or the hashline of PATH.
func (d *doctor) known(program string) bool {
	self, err := os.Executable()
	if err == nil && sameFile(program, self) {
		return true
	}
	found, err := exec.LookPath("hashline")
	return err == nil && sameFile(program, found)
}

func lookReason(err error) string {
	if fault, ok := errors.AsType[*exec.Error](err); ok {
		return reason(fault.Err)
	}
	return reason(err)
}
