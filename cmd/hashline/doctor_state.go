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
		d.tell(faulty(check, "", err))
		return
	}
	d.tell(d.stateIn(ctx, check, dir))
}

// stateIn looks at a state folder.
func (d *doctor) stateIn(ctx context.Context, check, dir string) finding {
	store, err := commit.Open(dir)
	if err != nil {
		return stateFault(check, dir, err)
	}
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return missingState(check, dir)
	}
	if err == nil {
		err = d.usable(ctx, store, dir)
	}
	if err != nil {
		return stateFault(check, dir, err)
	}
	files, bytes, err := store.Usage()
	text := fmt.Sprintf("%s, %d old versions of files in %s", dir, files, size(bytes))
	switch {
	case err != nil:
		return stateFault(check, dir, err)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return finding{doubt, check, text + "; others may look into it", "chmod 700 " + dir}
	}
	return finding{healthy, check, text, ""}
}

// missingState looks at where a state folder is to be made.
func missingState(check, dir string) finding {
	above := dir
	for above != filepath.Dir(above) && !isFolder(above) {
		above = filepath.Dir(above)
	}
	if err := writable(above); err != nil {
		return finding{broken, check, dir + " cannot be made: " + reason(err), "give yourself the right to write in " + above + ", or set XDG_STATE_HOME"}
	}
	return finding{healthy, check, dir + " is made when it is first needed", ""}
}

// stateFault is what an error of the state folder comes to.
func stateFault(check, dir string, err error) finding {
	f := faulty(check, dir, err)
	if f.Fix == "" {
		f.Fix = "give yourself the right to read and write in it, or name another with XDG_STATE_HOME"
	}
	return f
}

// stateOf gives the state folder of a server with more in its environment, "" where
// that is the one of this program.
func stateOf(env map[string]string) string {
	dir, err := commit.DefaultDirIn(func(name string) string {
		if value, ok := env[name]; ok {
			return value
		}
		return os.Getenv(name)
	})
	if err != nil {
		return ""
	}
	if mine, err := commit.DefaultDir(); err == nil && mine == dir {
		return ""
	}
	return dir
}

// usable tries the locks, which some network file systems do not have.
func (d *doctor) usable(ctx context.Context, store *commit.Store, dir string) error {
	if err := writable(dir); err != nil {
		return err
	}
	if err := openToOthers(dir); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	held, err := store.Lock(ctx, root, []string{"doctor"})
	if err != nil {
		return err
	}
	held.Release()
	if isFolder(filepath.Join(dir, "sessions")) {
		_, err = store.Sessions(root)
	}
	if err == nil {
		_, _, err = store.Journals(root)
	}
	return err
}

// openToOthers finds a folder in the state folder that others can write to: what
// keeps something there would refuse it.
func openToOthers(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	for _, pattern := range []string{"*", "*/*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		for _, name := range names {
			if info, err := os.Lstat(name); err == nil && info.IsDir() && info.Mode().Perm()&0o022 != 0 {
				return &hashline.Diagnostic{Code: hashline.Denied, Msg: name + " can be written by other users", Hint: "chmod -R go-rwx " + dir}
			}
		}
	}
	return nil
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

// faulty is what an error comes to, with its hint.
func faulty(check, about string, err error) finding {
	text, fix := reason(err), ""
	if fault, ok := errors.AsType[*hashline.Diagnostic](err); ok {
		text, fix = fault.Msg, fault.Hint
	}
	if about != "" && !strings.Contains(text, about) {
		text = about + ": " + text
	}
	return finding{broken, check, text, fix}
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
