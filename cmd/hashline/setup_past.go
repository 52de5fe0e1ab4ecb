package main

import (
	"bytes"
	"errors"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/cmd/hashline/setup"
)

// original finds, in the history, what the file was before setup put the entry
// in: then every byte can be as it was, also where an entry in an empty table
// cannot tell. It goes back as long as nobody else changed the file, and counts
// only where it says what the file is to say now. made is the record of the run
// after it, nil where there is none; that of a file which setup made has no old
// version.
func (r *setupRun) original(c *config, without setup.Result) (old []byte, made *history.Record) {
	now := c.data
	_, err := c.store.Records(c.root, func(rec history.Record) bool {
		f, of := fileOf(rec, c.path)
		if !of {
			return true
		}
		if rec.Tool != commit.SetupTool || f.New == nil || *f.New != history.Sum(now) {
			return false
		}
		if f.Old == nil {
			if without.Empty {
				made = &rec
			}
			return false
		}
		before, err := c.store.Image(*f.Old)
		if err != nil {
			return false
		}
		if r.client.Same(bytes.Clone(before), without.Data) {
			old, made = before, &rec
			return false
		}
		now = before
		return true
	})
	if err != nil {
		return nil, nil
	}
	return old, made
}

// wrote reports that the history tells of setup putting in what stands under the
// name now. What another program replaced is not known; then it reports false.
func (r *setupRun) wrote(c *config) bool {
	wrote := false
	_, err := c.store.Records(c.root, func(rec history.Record) bool {
		f, of := fileOf(rec, c.path)
		if !of || rec.Tool != commit.SetupTool || f.New == nil {
			return true
		}
		after, before := c.data, []byte(nil)
		var err error
		if *f.New != history.Sum(c.data) {
			if after, err = c.store.Image(*f.New); err != nil {
				return true
			}
		}
		if f.Old != nil {
			if before, err = c.store.Image(*f.Old); err != nil {
				return true
			}
		}
		wrote = r.client.Wrote(before, after, c.data, r.server.Name)
		return !wrote
	})
	return err == nil && wrote
}

// change puts the entry in or takes it out. An entry that looks like another's is
// ours where the history says so.
func (r *setupRun) change(c *config, do func(data []byte, s setup.Server, force bool) (setup.Result, error)) (setup.Result, error) {
	res, err := do(c.data, r.server, r.force)
	if errors.Is(err, setup.ErrForeign) && r.wrote(c) {
		ours := r.server
		ours.Written = true
		return do(c.data, ours, false)
	}
	return res, err
}

// fileOf gives what a record tells of a file, where it tells of that alone.
func fileOf(rec history.Record, path string) (history.File, bool) {
	if len(rec.Files) != 1 || string(rec.Files[0].Real) != path {
		return history.File{}, false
	}
	return rec.Files[0], true
}
