package commit

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// pouring is the overwriting of a file that is open for reading and writing: of
// the bytes from it becomes the bytes to, with a mode.
//
// With a lease on the file nobody else can change it meanwhile. Without, what
// others do in the instant between the last comparison and the writing, or
// between the last look and the cutting off of what is too long, is lost; all
// else is found out, and what they wrote stays.
type pouring struct {
	t        *transaction
	f        *file
	h        *os.File
	from, to []byte
	mode     fs.FileMode
}

var (
	// errNotPoured: the file is as another writer made it, and nothing of ours is
	// in it.
	errNotPoured = errors.New("the file is not what it was")
	// errMixed: another writer changed the file while it was overwritten, and it
	// holds what came of that.
	errMixed = errors.New("another writer changed the file meanwhile")
)

// run overwrites the file. Errors are the two above and the system's: then the
// file may hold any part of the new bytes, see putBack.
func (p *pouring) run() error {
	p.t.step("compare " + p.f.Path)
	before, err := p.h.Stat()
	if err != nil {
		return errNotPoured
	}
	same, err := p.t.reads(io.NewSectionReader(p.h, 0, int64(len(p.from))+1), bytesOf(p.from))
	if err != nil || !same {
		return errNotPoured
	}
	if now, err := p.h.Stat(); err != nil || !untouched(now, before) {
		return errNotPoured
	}
	if _, err := p.h.WriteAt(p.to, 0); err != nil {
		return err
	}
	p.t.step("poured " + p.f.Path)
	if len(p.to) < len(p.from) {
		if err := p.shorten(); err != nil {
			return err
		}
	}
	if err := p.setMode(); err != nil {
		return err
	}
	if p.t.sync {
		if err := p.h.Sync(); err != nil && !unsupported(err) {
			return err
		}
	}
	p.t.step("verify " + p.f.Path)
	if leaseHolds(p.h) {
		return nil
	}
	// What others added behind is as if they had come later.
	if now, err := p.all(); err != nil || !bytes.HasPrefix(now, p.to) {
		return errMixed
	}
	return nil
}

// shorten cuts off what is left of the old bytes behind the new ones, unless
// others have added to it.
func (p *pouring) shorten() error {
	if !leaseHolds(p.h) {
		now, err := p.all()
		if err != nil || !bytes.HasPrefix(now, p.to) {
			return errMixed
		}
		if !bytes.Equal(now[len(p.to):], p.from[len(p.to):]) {
			if _, err := p.h.WriteAt(p.from[:len(p.to)], 0); err != nil {
				return errMixed
			}
			return errNotPoured
		}
	}
	return p.h.Truncate(int64(len(p.to)))
}

// putBack gives the file the bytes from again, after run failed for the system.
func (p *pouring) putBack() error {
	if !leaseHolds(p.h) {
		// All that may be there is the old bytes with a part of the new ones over
		// their beginning.
		now, err := p.all()
		if err != nil {
			return err
		}
		if n := common(now, p.to); len(now) > max(n, len(p.from)) || len(now) > n && !bytes.Equal(now[n:], p.from[n:]) {
			return errMixed
		}
	}
	if _, err := p.h.WriteAt(p.from, 0); err != nil {
		return err
	}
	if err := p.h.Truncate(int64(len(p.from))); err != nil {
		return err
	}
	if err := p.setMode(); err != nil {
		return err
	}
	if p.t.sync {
		if err := p.h.Sync(); err != nil && !unsupported(err) {
			return err
		}
	}
	return nil
}

// setMode gives the file its mode again: writing takes setuid and setgid away
// from all but root.
func (p *pouring) setMode() error {
	info, err := p.h.Stat()
	if err == nil && info.Mode()&keptBits != p.mode {
		err = p.h.Chmod(p.mode)
	}
	return err
}

// all reads the file, of one that is longer than both versions a byte more than they
// have.
func (p *pouring) all() ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(p.h, 0, int64(max(len(p.from), len(p.to)))+1))
}

// common gives how many bytes two slices begin with in common.
func common(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
