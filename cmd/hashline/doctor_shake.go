package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hashline-go/hashline/cmd/hashline/handshake"
)

// shakeTime is how long a server may take to start and answer. Clients wait 10
// seconds and more.
const shakeTime = 10 * time.Second

// ownServer starts this program's server as a client would.
func (d *doctor) ownServer(ctx context.Context) {
	self, err := os.Executable()
	if err != nil {
		return // the program's check has told
	}
	d.shake(ctx, "server", "", handshake.Target{
		Command: self, Args: append([]string{"mcp", "--root", d.where.Project}, d.passed...),
		Dir: d.where.Project, Env: os.Environ(),
	}, "")
}

// shake speaks to a server and tells how it went. fixes are what to do where it
// does not answer, and where it does not take the token.
func (d *doctor) shake(ctx context.Context, check, about string, t handshake.Target, fixes ...string) {
	ctx, stop := context.WithTimeout(ctx, shakeTime)
	defer stop()
	info, err := handshake.Do(ctx, t, moduleVersion())
	what := t.URL
	if what == "" {
		what = strings.Join(append([]string{t.Command}, t.Args...), " ")
	}
	if err != nil {
		fix := fixes[0]
		switch {
		case errors.Is(err, handshake.ErrToken) && len(fixes) > 1:
			fix = fixes[1]
		case errors.Is(err, handshake.ErrTime) && t.URL != "":
			fix = "something is there but does not answer; end it, and start the server anew: hashline mcp --http ADDR"
		}
		d.report(broken, check, about+what+": "+bounded(err.Error()), fix)
		return
	}
	text := fmt.Sprintf("%s%s answers in %d ms: %s %s, protocol %s, %d tools",
		about, what, info.Took.Milliseconds(), info.Name, info.Version, info.Protocol, len(info.Tools))
	switch missing := lacking(info.Tools, "read_file", "edit"); {
	case missing != "":
		d.report(broken, check, text+"; it has no "+missing, "this is not hashline, or one that is too old")
	case info.Version != moduleVersion():
		d.report(doubt, check, text+"; this program is "+moduleVersion(), "remove one of the two")
	default:
		d.report(healthy, check, text, "")
	}
}

// lacking names the first tool that is not there, "" where all are.
func lacking(tools []string, wanted ...string) string {
	for _, name := range wanted {
		if !slices.Contains(tools, name) {
			return name
		}
	}
	return ""
}

// loopback reports an address on this machine.
func loopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
