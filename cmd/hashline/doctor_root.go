package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

// root looks at the root and its file system, and reports whether there is one.
func (d *doctor) root(ctx context.Context) bool {
	const check = "root"
	dir := d.where.Project
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		d.report(broken, check, dir+": "+reason(err), "name a folder that is there with --root")
		return false
	case !info.IsDir():
		d.report(broken, check, dir+" is no folder", "name one with --root")
		return false
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		d.report(broken, check, dir+": "+reason(err), "give yourself the right to read it, or name another folder with --root")
		return false
	}
	defer root.Close()
	can, err := commit.Probe(root)
	switch {
	case err != nil && d.a.readOnly:
		d.report(healthy, check, dir+", for reading only", "")
	case err != nil:
		f := faulty(check, "no file can be made in "+dir, err)
		if errors.Is(err, hashline.NotFound) {
			f.Text = "no file can be made in " + dir
		}
		f.Fix = "name a folder that you may write to with --root, or let agents only read (--read-only)"
		d.tell(f)
	case sameFile(dir, d.where.Home) || filepath.Dir(dir) == dir:
		d.report(doubt, check, dir+": an agent would reach everything in it", "start in a project's folder, or name one with --root")
	default:
		d.report(healthy, check, dir, "")
	}
	if err == nil {
		d.fileSystem(can)
	}
	d.journals(root)
	return true
}

// fileSystem tells what the root's file system can.
func (d *doctor) fileSystem(can commit.Abilities) {
	var has, lacks []string
	for _, a := range []struct {
		can        bool
		what, lack string
	}{
		{can.Exchange, "exchanges names", "exchange of names: what another program writes in the moment of a change can be lost"},
		{can.Lease, "has leases", "leases: a program that has a file open for writing is not noticed"},
		{can.FolderSync, "syncs folders", "sync of folders: a power failure can take a change back"},
	} {
		if a.can {
			has = append(has, a.what)
		} else {
			lacks = append(lacks, "no "+a.lack)
		}
	}
	v := healthy
	if !can.Exchange {
		v = doubt
	}
	d.report(v, "file system", strings.Join(append(has, lacks...), ", "), "")
}

// journals tells of edits that were interrupted.
func (d *doctor) journals(root *os.Root) {
	const check = "interrupted edits"
	dir, err := commit.DefaultDir()
	if err != nil {
		return // the state folder's check has told
	}
	store, err := commit.Open(dir)
	if err != nil {
		return
	}
	switch waiting, aside, err := store.Journals(root); {
	case err != nil:
		d.tell(stateFault(check, dir, err))
	case waiting > 0:
		d.report(doubt, check, fmt.Sprintf("%d in this root", waiting), "hashline read of any file here brings them to their end")
	case aside > 0:
		d.report(doubt, check, fmt.Sprintf("%d could not be brought to their end and were set aside", aside),
			"hashline history has what can be had back; the journals themselves are in "+filepath.Join(dir, "journals"))
	default:
		d.report(healthy, check, "none", "")
	}
}
