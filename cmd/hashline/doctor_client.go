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
		entries := d.client(ctx, c, named)
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
func (d *doctor) client(ctx context.Context, c *setup.Client, named bool) bool {
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
				found = true // for all that is known
				d.report(broken, c.Title, file+": "+err.Error(), "put it right by hand")
				continue
			}
			shadowed := first != "" && c.ReadsFirst()
			first = file
			for _, e := range entries {
				if !e.Ours() {
					continue
				}
				about := c.Title + ", " + e.Name
				if shadowed {
					d.report(doubt, about, file+" has it, but is not read where there is another file of the project", again(c, scope))
					continue
				}
				found = true
				if flaw := c.Flaw(e); flaw != "" && !e.Disabled {
					v := broken
					if !named && otherTakes(d.where, c, scope, file, e) {
						v = doubt // perhaps this client is not even there
					}
					d.report(v, about, file+" has it in a form that "+c.Title+" skips: "+flaw, again(c, scope))
					continue
				}
				d.entry(ctx, c, scope, file, e)
			}
		}
	}
	return found
}

// again is the command that puts an entry right.
func again(c *setup.Client, scope setup.Scope) string {
	command := "hashline setup " + c.Name
	if scope != c.Scopes[0] {
		command += " --scope " + string(scope)
	}
	if c.Writes {
		command += " --write"
	}
	return command
}

// otherTakes reports that another client reads a file, and takes an entry of it.
func otherTakes(where setup.Where, c *setup.Client, scope setup.Scope, file string, e setup.Found) bool {
	return slices.ContainsFunc(setup.Clients(), func(other *setup.Client) bool {
		return other.Name != c.Name && slices.Contains(other.Files(where, scope), file) && other.Flaw(e) == ""
	})
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
	fix := again(c, scope)
	if e.Disabled {
		d.report(doubt, about, file+" has it, but disabled", "enable it there")
		return
	}
	if e.URL != "" {
		d.address(ctx, c, about, scope, file, e)
		return
	}
	program, err := exec.LookPath(e.Command)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		d.report(broken, about, fmt.Sprintf("%s starts %s: %s", file, e.Command, lookReason(err)), fix)
		return
	}
	if !d.known(program) {
		d.report(doubt, about, file+" starts "+program+", which is neither this program nor the one of PATH, and was not started", fix)
		return
	}
	if scope == setup.Project && len(e.Env) > 0 {
		d.report(doubt, about, file+" changes the environment of the server, so that it was not started: a project's file is not trusted with that", ownFile(c))
		return
	}
	if dir := stateOf(e.Env); dir != "" {
		if f := d.stateIn(ctx, about, dir); f.Outcome == broken {
			f.Text = file + " sets the state folder of the server: " + f.Text
			d.tell(f)
			return
		}
	}
	t := handshake.Target{Command: program, Dir: d.where.Project, Env: os.Environ()}
	for _, arg := range e.Args {
		t.Args = append(t.Args, c.Expand(arg, d.where.Project))
	}
	if scope == setup.Project {
		if _, err := serverFlags(t.Args); err != nil {
			d.report(broken, about, file+": its arguments are "+bounded(strings.Join(t.Args, " "))+", with which no server starts: "+err.Error(), fix)
			return
		}
		if why := immodest(t.Args, d.where.Project); why != "" {
			d.report(doubt, about, file+" was not started: its arguments are "+bounded(strings.Join(t.Args, " "))+"; "+why, ownFile(c))
			return
		}
	}
	for k, v := range e.Env {
		t.Env = append(t.Env, k+"="+v)
	}
	d.shake(ctx, about, file+": ", t, fix)
}

// ownFile is what to do about what a project's file is not trusted with.
func ownFile(c *setup.Client) string {
	return "if you mean it, have it in your own file: hashline setup " + c.Name + " --scope user"
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
