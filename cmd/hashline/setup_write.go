package main

import (
	"context"
	"slices"
	"strings"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/cmd/hashline/setup"
)

// writeTo puts the entry into a file.
func (r *setupRun) writeTo(ctx context.Context, name string) error {
	if note := temporary(r.server.Command); note != "" && !r.force {
		return &failure{statusRefused, note + "; nothing was written"}
	}
	var change setup.Change
	var entry, before setup.Found
	err := r.a.changeConfig(ctx, r.where, name, r.top(), func(c *config) (*commit.Change, commit.Note, error) {
		res, err := r.change(c, r.client.Put)
		if err != nil {
			return nil, commit.Note{}, r.refused(name, c.data, err)
		}
		change, entry, before = res.Change, r.entry(res.Data), r.entry(c.data)
		if change == setup.Unchanged {
			return nil, commit.Note{}, nil
		}
		return &commit.Change{Old: c.data, New: res.Data, Create: !c.exists}, commit.Note{Tool: commit.SetupTool}, nil
	})
	if err != nil {
		return err
	}
	r.say(change, name, " has it already: nothing was changed")
	if gone := slices.DeleteFunc(slices.Clone(before.Args), func(arg string) bool { return slices.Contains(entry.Args, arg) }); len(gone) > 0 {
		r.tell("the entry no longer has the arguments " + strings.Join(gone, " ") + "; give them again to have them back")
	}
	if len(entry.Env) > 0 {
		r.tell("the entry keeps what it had: it sets " + environment(entry.Env) + " for the server; --force makes it anew without that")
	}
	if change != setup.Unchanged {
		r.notes(entry)
	}
	return nil
}

// top is the folder that the file has to lie in. What a project holds may have
// been made by somebody else, links too.
func (r *setupRun) top() string {
	if setup.Scope(r.scope.value) == setup.Project && !r.force {
		return r.where.Project
	}
	return ""
}

// entry reads what a file says of our server.
func (r *setupRun) entry(data []byte) setup.Found {
	all, err := r.client.Servers(data, "")
	i := slices.IndexFunc(all, func(f setup.Found) bool { return f.Name == r.server.Name })
	if err != nil || i < 0 {
		return setup.Found{}
	}
	return all[i]
}

// removeFrom takes the entry out of a file.
func (r *setupRun) removeFrom(ctx context.Context, name string) error {
	var change setup.Change
	err := r.a.changeConfig(ctx, r.where, name, r.top(), func(c *config) (*commit.Change, commit.Note, error) {
		res, err := r.change(c, r.client.Remove)
		if err != nil {
			return nil, commit.Note{}, r.refused(name, c.data, err)
		}
		change = res.Change
		if change == setup.Unchanged {
			return nil, commit.Note{}, nil
		}
		note := commit.Note{Tool: commit.SetupTool}
		switch old, made := r.original(c, res); {
		case made == nil:
		case made.Files[0].Old != nil:
			return &commit.Change{Old: c.data, New: old}, note, nil
		case !c.link:
			for _, folder := range made.Folders {
				note.Empty = append(note.Empty, string(folder))
			}
			return &commit.Change{Old: c.data, Remove: true}, note, nil
		}
		return &commit.Change{Old: c.data, New: res.Data}, note, nil
	})
	if err != nil {
		return err
	}
	r.say(change, name, " has no entry "+r.server.Name+": nothing was changed")
	return nil
}

func (r *setupRun) say(change setup.Change, file, unchanged string) {
	switch change {
	case setup.Added:
		r.a.out.text("added " + r.server.Name + " to " + file + "\n")
	case setup.Replaced:
		r.a.out.text("changed " + r.server.Name + " in " + file + "\n")
	case setup.Removed:
		r.a.out.text("removed " + r.server.Name + " from " + file + "\n")
	default:
		r.a.out.text(file + unchanged + "\n")
	}
}
