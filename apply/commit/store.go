package commit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/hashline-go/hashline/apply/commit/own"
	"github.com/hashline-go/hashline/hashline"
)

// Store is the state folder: everything that outlives a process lies in it
// (spec 12). It is safe for concurrent use; the fields are set before the first
// use. Several Stores, in one process or in many, may share a folder.
type Store struct {
	// Wait is how long Lock waits. Optional; 0 stands for 10 seconds.
	Wait time.Duration
	// NoSync leaves the syncs out: a power failure may then cost a file its
	// bytes, old and new. Optional.
	NoSync bool
	// HistoryBytes and HistoryAge bound the history. Optional; 0 stands for
	// [history.MaxBytes] and [history.MaxAge].
	HistoryBytes int64
	HistoryAge   time.Duration

	dir string
	keeping

	mu    sync.Mutex
	gates map[string]*gate

	// step, in tests, is called before the targets are compared, with "", and
	// before each is replaced, with its path.
	step func(path string)
	// noLease, in tests, does without leases: a step that opens the target for
	// writing would wait for its own commit.
	noLease bool
}

// DefaultDir gives the folder that is used where none is configured (spec 13):
// $XDG_STATE_HOME/hashline, by default ~/.local/state/hashline, and on Windows
// %LocalAppData%\hashline. A relative XDG_STATE_HOME does not count.
func DefaultDir() (string, error) { return DefaultDirIn(os.Getenv) }

// DefaultDirIn is [DefaultDir] in another environment, of which getenv gives the
// variables, "" for those that are not set.
func DefaultDirIn(getenv func(name string) string) (string, error) {
	if runtime.GOOS == "windows" {
		if dir := getenv("LocalAppData"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "hashline"), nil
		}
		return "", noHome("set LocalAppData")
	}
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "hashline"), nil
	}
	home := getenv("HOME")
	if home == "" {
		home, _ = os.UserHomeDir() // some systems have one all the same
	}
	if !filepath.IsAbs(home) {
		return "", noHome("set HOME or XDG_STATE_HOME")
	}
	return filepath.Join(home, ".local", "state", "hashline"), nil
}

func noHome(hint string) error {
	return &hashline.Diagnostic{Code: hashline.BadArgument,
		Msg: "there is no home folder to keep locks and state in", Hint: hint + " to an absolute path"}
}

// Open gives the store in the folder dir. The folder need not exist: it is made,
// with mode 0700, when something is first to be stored there. A folder that is
// a symbolic link, belongs to another user or can be written by group or others
// is refused (denied), now and at every later use: whoever can write there could
// make us write for him. So is what is found in it. That others may list the
// folder itself is left as it is, since they may not look into the folders in it.
// On Windows the owner is not checked.
func Open(dir string) (*Store, error) {
	if dir == "" {
		return nil, &hashline.Diagnostic{Code: hashline.BadArgument, Msg: "the state folder has no name"}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, stateFault("cannot find the state folder "+dir, err)
	}
	s := &Store{dir: abs, keeping: usualKeeping, gates: map[string]*gate{}}
	info, err := os.Lstat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		return nil, stateFault("cannot look at the state folder "+abs, err)
	}
	if err := s.trust(info); err != nil {
		return nil, err
	}
	return s, nil
}

// Dir gives the state folder's absolute path.
func (s *Store) Dir() string { return s.dir }

// trust refuses a state folder that another user could have prepared.
func (s *Store) trust(info fs.FileInfo) error {
	why, hint := "", "move it away"
	uid, _ := owner(info)
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		why = "is a symbolic link"
	case !info.IsDir():
		why = "is not a folder"
	case uid != os.Geteuid():
		why, hint = "belongs to another user", "give it and all in it back to yourself (chown -R)"
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0:
		why, hint = "can be written by other users", "give it to yourself alone (chmod 700)"
	default:
		return nil
	}
	return &hashline.Diagnostic{Code: hashline.Denied, Msg: "the state folder " + s.dir + " " + why,
		Hint: hint + ", or name another folder with XDG_STATE_HOME"}
}

// open opens the state folder, making it first where it is missing, and checks
// the very folder that it opened.
func (s *Store) open() (*os.Root, error) {
	if err := s.make(); err != nil {
		// A link to nowhere, for one; what stands there says it better.
		if info, lerr := os.Lstat(s.dir); lerr == nil {
			if terr := s.trust(info); terr != nil {
				return nil, terr
			}
		}
		return nil, stateFault("cannot create the state folder "+s.dir, err)
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, stateFault("cannot open the state folder "+s.dir, err)
	}
	opened, err := root.Stat(".")
	var named fs.FileInfo
	if err == nil {
		named, err = os.Lstat(s.dir)
	}
	if err != nil {
		err = stateFault("cannot look at the state folder "+s.dir, err)
	} else if err = s.trust(named); err == nil && !os.SameFile(opened, named) {
		err = &hashline.Diagnostic{Code: hashline.Denied, Msg: "the state folder " + s.dir + " was replaced while it was opened"}
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// make makes the state folder where it is missing. What is made lasts, as far as
// the folders that it is made in can be synced.
func (s *Store) make() error {
	var missing []string
	for dir := s.dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		missing = append(missing, dir)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil || s.NoSync {
		return err
	}
	for _, dir := range missing {
		// The folder may be one that this user may not read.
		if above, err := os.Open(filepath.Dir(dir)); err == nil {
			_ = above.Sync()
			above.Close()
		}
	}
	return nil
}

// folder opens a folder in the state folder, making both where they are missing.
func (s *Store) folder(name string) (*os.Root, error) {
	state, err := s.open()
	if err != nil {
		return nil, err
	}
	defer state.Close()
	return s.folderIn(state, name)
}

// folderIn is folder in the opened state folder.
func (s *Store) folderIn(state *os.Root, name string) (*os.Root, error) {
	root, err := own.Folder(state, name)
	if err == nil {
		return root, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, stateFault("cannot open a folder in the state folder "+s.dir, err)
	}
	if err := state.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, stateFault("cannot create a folder in the state folder "+s.dir, err)
	}
	if root, err = own.Folder(state, name); err != nil {
		return nil, stateFault("cannot open a folder in the state folder "+s.dir, err)
	}
	return root, nil
}
