package setup

import (
	"fmt"
	"slices"
	"strings"
)

// Client is a program that agents run in.
type Client struct {
	// Name is how it is called on the command line, Title how people call it.
	Name, Title string
	// Writes says that its files are written for the user: it is one that this
	// was tried with.
	Writes bool
	// Scopes lists where it can be told of a server, what is best for most
	// first.
	Scopes []Scope

	aliases []string
	// table is the name of the table of servers in the configuration.
	table string
	toml  bool
	// files names the files of a scope, what to make if none is there first.
	files func(where Where, scope Scope) []string
	// stdio and http make the entry of a server.
	stdio, http func(s Server) object
	// shared are the forms for a project, whose file other clients read too; nil
	// where they are those for a user.
	shared *forms
	// types are the words for the type of an entry that it takes, "" for none;
	// nil where it takes any.
	types *types
	// noTools says that it skips an entry of an address that names tools.
	noTools bool
	// first says that of the files of a scope it reads only the first that is
	// there.
	first bool
	// trust is how the entry says that the tools may run unasked; nil where it
	// cannot.
	trust *member
	// folder stands for the workspace's folder in arguments; "" where the
	// client has no such word.
	folder string
	// notes are told with the configuration.
	notes []note
	// literal says that it takes a token only as it is, from no variable.
	literal bool
}

// Scope is who a configuration is for.
type Scope string

// The scopes: one project, or all that the user does.
const (
	Project Scope = "project"
	User    Scope = "user"
)

// forms make the entry of a server.
type forms struct{ stdio, http func(s Server) object }

// types are words for the type of an entry.
type types struct{ stdio, http []string }

// For gives the client as it is told of servers in a scope.
func (c *Client) For(scope Scope) *Client {
	if scope != Project || c.shared == nil {
		return c
	}
	in := *c
	in.stdio, in.http = c.shared.stdio, c.shared.http
	return &in
}

// ReadsFirst reports that of the files of a scope the client reads only the first
// that is there.
func (c *Client) ReadsFirst() bool { return c.first }

// Flaw says why the client would not take an entry, "" where it does.
func (c *Client) Flaw(f Found) string {
	if c.types == nil {
		return ""
	}
	known := c.types.stdio
	if f.URL != "" {
		known = c.types.http
	}
	switch {
	case !slices.Contains(known, f.Type) && f.Type == "":
		return "it takes an address only with a type"
	case !slices.Contains(known, f.Type):
		return fmt.Sprintf("it knows no type %.80q for this", f.Type)
	case c.noTools && f.URL != "" && f.Tools:
		return "it takes no names under tools"
	}
	return ""
}

// Folder gives the word for the workspace's folder that the client replaces in
// arguments, "" where it has none.
func (c *Client) Folder() string { return c.folder }

// note is what a user should know.
type note struct {
	// scope is the one that it is about, "" for both.
	scope Scope
	// untrusted says that it is for servers that are not trusted.
	untrusted bool
	// member is the one of the entry that it is about, "" for all.
	member string
	text   string
}

// Notes gives what the user should know of a server and its entry, a sentence
// each.
func (c *Client) Notes(s Server, entry Found, scope Scope) []string {
	var notes []string
	for _, n := range c.notes {
		if (n.scope == "" || n.scope == scope) && !(n.untrusted && s.Trust) && (n.member == "" || slices.Contains(entry.Members, n.member)) {
			notes = append(notes, n.text)
		}
	}
	if s.TokenEnv != "" && c.literal {
		notes = append(notes, "Put the token itself in the place of <"+s.TokenEnv+">: "+c.Title+" takes it from no variable.")
	}
	return notes
}

// CanTrust reports that the configuration can say what [Server.Trust] does.
func (c *Client) CanTrust() bool { return c.trust != nil }

// entry is what the table of servers says about a server.
func (c *Client) entry(s Server) object {
	make := c.stdio
	if s.URL != "" {
		make = c.http
	}
	o := make(s)
	if s.Trust && c.trust != nil {
		o = append(o, *c.trust)
	}
	return o
}

// settled is what a new entry says that one of ours which is there already need
// not: those are the user's by then. A type that the client takes is left alone, and
// what it does not take goes.
func (c *Client) settled(entry object, gone []string, old any, name string) (object, []string) {
	f := found(name, old)
	url := slices.ContainsFunc(entry, func(m member) bool { return m.key == "url" })
	typed := c.types != nil && url == (f.URL != "") && (slices.Contains(c.types.http, f.Type) && url || slices.Contains(c.types.stdio, f.Type) && !url)
	entry = slices.DeleteFunc(slices.Clone(entry), func(m member) bool {
		if m.key == "type" && typed {
			return true
		}
		return !slices.Contains(owned, m.key) && (c.trust == nil || m.key != c.trust.key)
	})
	if all, ok := old.(map[string]any); ok && c.noTools && url && equal(all["tools"], []any{"*"}) {
		// All tools are what the others offer without it, too.
		gone = append(gone, "tools")
	}
	return entry, gone
}

// owned lists the members that say how the server is reached: what an entry no
// longer says of these goes from it.
var owned = []string{
	"type", "command", "args", "url", "httpUrl", "headers", "bearer_token_env_var", "oauth",
}

// Print gives the configuration as a file of its own would have it.
func (c *Client) Print(s Server) string {
	entry := c.entry(s)
	if c.toml {
		return tomlTable([]string{c.table, s.Name}, entry, "\n")
	}
	whole := object{{c.table, object{{s.Name, entry}}}}
	return layout{unit: "  ", eol: "\n"}.json(whole) + "\n"
}

// Clients lists all clients. The table is new each time.
func Clients() []*Client { return clients() }

// Find gives the client of a name or one of its synonyms, nil where there is
// none.
func Find(name string) *Client {
	name = strings.NewReplacer(" ", "", "-", "", "_", "", ".", "").Replace(strings.ToLower(name))
	for _, c := range clients() {
		if c.Name == name || slices.Contains(c.aliases, name) {
			return c
		}
	}
	return nil
}

// Names lists the names of all clients.
func Names() []string {
	var names []string
	for _, c := range clients() {
		names = append(names, c.Name)
	}
	return names
}
