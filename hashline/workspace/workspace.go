// Package workspace is what an agent calls: it reads, searches, edits and
// writes files below one root folder and answers with the text that the agent
// sees (spec 4, 7, 8).
//
// A refused call changes nothing and returns a [*Refusal], whose text carries
// what is needed to try again. errors.Is finds the [hashline.Code] of each
// fault in it.
package workspace

import (
	"os"
	"path/filepath"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
	"github.com/hashline-go/hashline/snapshot"
)

// Config says how a workspace behaves. The zero value is good for most uses.
type Config struct {
	// Scheme makes the tags. Optional; the default is [snapshot.XXH64].
	Scheme snapshot.Scheme
	// State is the folder for locks, journals, the history and what sessions were
	// shown. Optional; the default is what [commit.DefaultDir] names. Calls that
	// write are refused where it cannot be used.
	State string
	// HardLinks says what becomes of files that cannot be replaced. Optional;
	// the default is [RefuseHardLinks].
	HardLinks HardLinks
	// NoSync leaves syncing out: changes are faster, and a power failure may
	// cost a changed file its bytes, old and new. Optional.
	NoSync bool
	// OnCommit is called after each change of a file, by the goroutine that
	// made it and while the file is still locked: it must return soon and not
	// change files of this workspace. Optional.
	OnCommit func(Event)
	// Deny keeps paths from every tool, for reading and writing alike: globs as
	// grep takes them, without "!" (see package glob). A path is denied when one
	// matches it or a folder above it, in either case of letters; so is a link
	// to such a path. What is denied is never read, shown or searched, nor
	// named by us. Optional.
	//
	// Names decide: another hard link of a denied file is another file. On macOS
	// write accented letters as they are on disk, or as "?".
	Deny []string
	// Allow makes exceptions from Deny: a path that one of these globs matches,
	// itself and not only by a folder above it, is not denied. To except what
	// lies in a folder write "folder/". With Allow and without Deny everything
	// else is denied. Optional.
	Allow []string
	// ReadOnly refuses edit, check, write and undo (read_only). Optional.
	ReadOnly bool
	// AllowGit lets files in folders named .git be written. Optional.
	AllowGit bool
	// Git says where the user's settings of git lie, which name files that grep
	// skips; see [gitignore.UserFrom]. Optional; the zero value reads none.
	Git gitignore.User
}

// Workspace is a root folder and the rules for what may be done below it. Agents
// act through its sessions. It may be used by several goroutines at once.
type Workspace struct{ *core }

// core is what a workspace and its sessions share.
type core struct {
	root *os.Root
	// dir is the root's absolute path without links, given the one it was
	// opened by.
	dir, given string
	scheme     snapshot.Scheme
	// store is nil where no state folder is to be had; noStore says why.
	store   *commit.Store
	noStore error
	// state is the state folder's path without links.
	state  string
	policy *policy

	hardLinks HardLinks
	streaming streaming
	git       gitignore.User
	onCommit  func(Event)
	recovered *recoveries
}

// Open opens the workspace whose root is the folder dir. Nothing above it can
// be reached through the workspace (spec 12). The caller closes it. Errors are
// *[hashline.Diagnostic].
func Open(dir string, cfg Config) (*Workspace, error) {
	given, err := filepath.Abs(dir)
	if err != nil {
		return nil, fault(hashline.IO, "", "the root cannot be found: "+reason(err), "")
	}
	real, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, fault(hashline.IO, "", "the root "+given+" cannot be opened: "+reason(err), "")
	}
	scheme := cfg.Scheme
	if scheme == "" {
		scheme = snapshot.XXH64
	}
	if scheme, err = snapshot.ParseScheme(string(scheme)); err != nil {
		return nil, err
	}
	policy, err := newPolicy(cfg, real, given)
	if err != nil {
		return nil, err
	}
	hardLinks := cfg.HardLinks
	switch hardLinks {
	case "":
		hardLinks = RefuseHardLinks
	case RefuseHardLinks, ReplaceHardLinks, InPlace:
	default:
		return nil, fault(hashline.BadArgument, "", "hard links are not to be treated as "+cut(string(cfg.HardLinks), 80), "refuse, replace or in_place")
	}
	store, state, noStore := openStore(cfg.State)
	if store != nil {
		store.NoSync = cfg.NoSync
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, fault(hashline.IO, "", "the root cannot be opened: "+reason(err), "")
	}
	w := &core{
		root: root, dir: real, given: given, scheme: scheme,
		store: store, noStore: noStore, state: state, policy: policy,
		hardLinks: hardLinks, streaming: usualStreaming, onCommit: cfg.OnCommit, git: cfg.Git, recovered: new(recoveries),
	}
	w.recoverFirst()
	return &Workspace{w}, nil
}

// openStore opens the state folder. Reading needs none, so that what is wrong
// with it is told by the first call that does.
func openStore(dir string) (store *commit.Store, state string, err error) {
	if dir == "" {
		if dir, err = commit.DefaultDir(); err != nil {
			return nil, "", err
		}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, "", fault(hashline.IO, "", "the state folder cannot be found: "+reason(err), "")
	}
	store, err = commit.Open(dir)
	return store, withoutLinks(dir), err
}

// Close releases the root. Calls that are under way may fail.
func (w *Workspace) Close() error { return w.root.Close() }

// Root gives the root's absolute path, symbolic links resolved.
func (w *core) Root() string { return w.dir }

// fault makes a diagnostic about one path.
func fault(code hashline.Code, path, msg, hint string) *hashline.Diagnostic {
	return &hashline.Diagnostic{Code: code, Path: path, Msg: msg, Hint: hint}
}
