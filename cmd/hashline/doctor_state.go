package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

// program looks at this program, and at what PATH leads to.
func (d *doctor) program() {
	const check = "program"
	self, err := os.Executable()
	if err != nil {
		d.report(doubt, check, "it is not known where this program lies: "+reason(err), "")
		return
	}
	text := moduleVersion() + ", " + self
	found, err := exec.LookPath("hashline")
	switch {
	case temporary(self) != "":
		d.report(doubt, check, text+" was built for this run only", "install hashline (go install) before you tell clients of it")
	case err != nil:
		d.report(doubt, check, text+", which PATH does not lead to", "put its folder into PATH, or let clients start it by its path")
	case !sameFile(found, self):
		d.report(doubt, check, text+"; but PATH leads to "+found, "remove one of the two")
	default:
		d.report(healthy, check, text, "")
	}
}

// state looks at the state folder.
func (d *doctor) state(ctx context.Context) {
	const check = "state folder"
	dir, err := commit.DefaultDir()
	if err != nil {
		d.fault(broken, check, "", err)
		return
	}
	store, err := commit.Open(dir)
	if err != nil {
		d.fault(broken, check, dir, err)
		return
	}
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		d.missingState(check, dir)
		return
	}
	if err == nil {
		err = d.usable(ctx, store, dir)
	}
	if err != nil {
		d.fault(broken, check, dir, err)
		return
	}
	files, bytes, err := store.Usage()
	text := fmt.Sprintf("%s, %d old versions of files in %s", dir, files, size(bytes))
	switch {
	case err != nil:
		d.fault(broken, check, dir, err)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		d.report(doubt, check, text+"; others may look into it", "chmod 700 "+dir)
	default:
		d.report(healthy, check, text, "")
	}
}

// missingState looks at where the state folder is to be made.
func (d *doctor) missingState(check, dir string) {
	above := dir
	for above != filepath.Dir(above) && !isFolder(above) {
		above = filepath.Dir(above)
	}
	if err := writable(above); err != nil {
		d.report(broken, check, dir+" cannot be made: "+reason(err), "give yourself the right to write in "+above+", or set XDG_STATE_HOME")
		return
	}
	d.report(healthy, check, dir+" is made when it is first needed", "")
}

// usable tries the locks, which some network file systems do not have.
func (d *doctor) usable(ctx context.Context, store *commit.Store, dir string) error {
	if err := writable(dir); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	held, err := store.Lock(ctx, root, []string{"doctor"})
	if err == nil {
		held.Release()
	}
	return err
}

// writable makes a file in a folder and takes it away again.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".hashline-doctor-")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// fault reports an error with its hint.
func (d *doctor) fault(v outcome, check, about string, err error) {
	text, fix := reason(err), ""
	if fault, ok := errors.AsType[*hashline.Diagnostic](err); ok {
		text, fix = fault.Msg, fault.Hint
	}
	if about != "" && !strings.Contains(text, about) {
		text = about + ": " + text
	}
	d.report(v, check, text, fix)
}

// size is a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
