package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/cmd/hashline/setup"
	"github.com/hashline-go/hashline/hashline"
)

// config is a client's file, locked.
type config struct {
	store  *commit.Store
	root   *os.Root
	path   string // below root
	data   []byte
	exists bool
	// link says that the name that the client knows is a symbolic link, or is
	// reached by one.
	link bool
}

// configTries is how often a change is made anew because another program wrote
// the file meanwhile.
const configTries = 5

// changeConfig changes a client's file as hashline changes all files: locked
// against its own kind, compared before it is replaced, all of it or nothing. edit
// gives the change, without its path, or nil for none, and is called again for
// what another program left. A file that really lies outside of the folder top is
// refused, where top is not "".
func (a *app) changeConfig(ctx context.Context, where setup.Where, name, top string, edit func(*config) (*commit.Change, commit.Note, error)) error {
	c := &config{}
	base, err := c.locate(where, name)
	if err != nil {
		return err
	}
	if real := filepath.Join(base, filepath.FromSlash(c.path)); top != "" && !within(real, top) {
		return &failure{statusRefused, fmt.Sprintf("%s is a link to %s, which is not in the project; --force means it all the same; nothing was written", name, real)}
	}
	if c.root, err = os.OpenRoot(base); err != nil {
		return &failure{statusFailed, base + ": " + reason(err)}
	}
	defer c.root.Close()
	dir, err := commit.DefaultDir()
	if err != nil {
		return err
	}
	if c.store, err = commit.Open(dir); err != nil {
		return err
	}
	c.store.NoSync = a.noSync
	ctx, done := a.hold(ctx)
	defer done()
	report, err := c.store.Recover(ctx, c.root)
	if err != nil {
		return err
	}
	for _, d := range report.Conflicts {
		a.err.text("hashline: " + d.Error() + "\n")
	}
	for try := 1; ; try++ {
		err := a.tryConfig(ctx, c, name, edit)
		if try == configTries || !retriable(err) {
			return err
		}
	}
}

func (a *app) tryConfig(ctx context.Context, c *config, name string, edit func(*config) (*commit.Change, commit.Note, error)) error {
	held, err := c.store.Lock(ctx, c.root, []string{c.path})
	if err != nil {
		return err
	}
	defer held.Release()
	if err := c.read(name); err != nil {
		return err
	}
	change, note, err := edit(c)
	if err != nil || change == nil {
		return err
	}
	if info, err := commit.Inspect(c.root, c.path); err == nil && info.ReadOnly {
		return &failure{statusRefused, name + ": the file is read-only; nothing was written"}
	}
	change.Path, change.InPlace = c.path, true
	warnings, err := c.store.CommitNoted(ctx, c.root, note, []commit.Change{*change})
	for _, d := range warnings {
		a.err.text("hashline: warning: " + d.Error() + "\n")
	}
	return err
}

// locate finds where a file really lies, and the folder whose history tells of
// it. A symbolic link stays one.
func (c *config) locate(where setup.Where, name string) (base string, err error) {
	real, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, lerr := os.Lstat(name); lerr == nil {
			return "", &failure{statusRefused, name + ": the symbolic link leads nowhere; nothing was written"}
		}
		real, err = withoutLinks(name)
	}
	if _, serr := os.Stat(name); errors.Is(serr, syscall.ELOOP) {
		return "", &failure{statusRefused, name + ": its symbolic links lead in a circle; put them right, or remove them; nothing was written"}
	}
	if err != nil {
		return "", &failure{statusFailed, name + ": " + reason(err) + "; nothing was written"}
	}
	for _, dir := range []string{where.Project, where.Home, filepath.Dir(name)} {
		// The same folder each time, also once folders were made below it.
		if dir, err = filepath.EvalSymlinks(dir); err != nil {
			continue
		}
		if rel, err := filepath.Rel(dir, real); err == nil && filepath.IsLocal(rel) {
			base = dir
			break
		}
	}
	if base == "" {
		for base = filepath.Dir(real); !isFolder(base) && base != filepath.Dir(base); {
			base = filepath.Dir(base)
		}
	}
	rel, err := filepath.Rel(base, real)
	if err != nil {
		return "", &failure{statusFailed, name + ": " + err.Error()}
	}
	c.path = filepath.ToSlash(rel)
	info, err := os.Lstat(name)
	c.link = err == nil && info.Mode()&fs.ModeSymlink != 0
	return base, nil
}

// withoutLinks resolves the links in what there is of a path.
func withoutLinks(name string) (string, error) {
	dir, rest := filepath.Dir(name), filepath.Base(name)
	for {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return "", err
		}
		dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest)
	}
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// read reads the file anew.
func (c *config) read(name string) error {
	c.data, c.exists = nil, false
	f, size, err := openRegular(filepath.Join(c.root.Name(), filepath.FromSlash(c.path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &failure{statusRefused, name + ": " + reason(err) + "; nothing was written"}
	}
	defer f.Close()
	text, err := read(f, size, setup.MaxFile)
	if err != nil {
		return &failure{statusFailed, name + ": " + reason(err)}
	}
	if len(text) > setup.MaxFile {
		return &failure{statusRefused, fmt.Sprintf("%s: the file is larger than %d MiB; nothing was written", name, setup.MaxFile>>20)}
	}
	c.data, c.exists = []byte(text), true
	return nil
}

// retriable reports that another program wrote the file just then.
func retriable(err error) bool {
	return errors.Is(err, hashline.ChangedDuringEdit) || errors.Is(err, hashline.Exists)
}
