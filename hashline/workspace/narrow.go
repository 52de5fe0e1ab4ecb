package workspace

import (
	"errors"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
)

// Narrow confines a session to some folders of its workspace (spec 14). It can
// only take away: what the root or the policy keep from agents stays kept.
type Narrow struct {
	// Folders may be reached, and what lies in them: relative to the root, with
	// slashes, without links. None is none.
	Folders []string
	// Reason says why, and what to do about it; it is the hint of refusals.
	Reason string
}

// Inside finds what folders, given by absolute paths, have in common with the
// workspace: those that lie in it, relative to the root. One that holds the whole
// root gives ".", one that lies elsewhere nothing. Links are resolved; what is not
// there yet is taken as it is written.
func (w *Workspace) Inside(dirs []string) (folders []string) {
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			continue
		}
		real := withoutLinks(filepath.Clean(dir))
		if rel, err := filepath.Rel(w.dir, real); err == nil && filepath.IsLocal(rel) {
			folders = append(folders, filepath.ToSlash(rel))
		} else if up, err := filepath.Rel(real, w.dir); err == nil && filepath.IsLocal(up) {
			folders = append(folders, ".")
		}
	}
	return folders
}

// narrowed gives a core that reaches no more than some folders; nil is the whole
// workspace.
func (w *core) narrowed(n *Narrow) *core {
	if n == nil {
		return w
	}
	narrow, policy := *w, *w.policy
	policy.only = n
	narrow.policy = &policy
	return &narrow
}

// beyond reports whether a path lies outside of the folders. The root itself lies
// inside, if any folder does.
func (n *Narrow) beyond(name string) bool {
	if n == nil {
		return false
	}
	for _, folder := range n.Folders {
		if name == "." || lies(name, folder) {
			return false
		}
	}
	return true
}

// above reports whether a folder lies on the way to one that may be reached.
func (n *Narrow) above(name string) bool {
	for _, folder := range n.Folders {
		if lies(folder, name) {
			return true
		}
	}
	return false
}

// lies reports whether a path is a folder or lies in it. Where the system takes
// letters of either case for one, so does this.
func lies(name, folder string) bool {
	if folder = path.Clean(folder); folder == "." {
		return true
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		name, folder = strings.ToLower(name), strings.ToLower(folder)
	}
	return name == folder || strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}

// refusedPath is the fault for a path that the policy keeps; real is where it
// leads.
func (w *core) refusedPath(name, real string) error {
	only := w.policy.only
	if !only.beyond(real) {
		return deniedPath(name)
	}
	return fault(hashline.OutsideRoot, name, "the path lies outside of the folders that the client has opened", only.hint(w.inFolders(name), ""))
}

// hint says which paths to write instead, and why.
func (n *Narrow) hint(instead []string, aim string) string {
	if len(instead) == 0 {
		return n.Reason
	}
	hint := "paths are relative to the workspace root: write " + strings.Join(instead, " or ") + aim
	if n.Reason != "" {
		hint += "; " + n.Reason
	}
	return hint
}

// explained adds what may be reached to the refusal of a path that leads out of the
// root.
func (n *Narrow) explained(err error) error {
	d, ok := errors.AsType[*hashline.Diagnostic](err)
	if n == nil || n.Reason == "" || !ok || d.Code != hashline.OutsideRoot {
		return err
	}
	told := *d
	told.Hint += "; " + n.Reason
	return &told
}

// inFolders gives what stands under a path in the first of the folders that may be
// reached, as if it was relative to them.
func (w *core) inFolders(name string) (there []string) {
	for _, folder := range w.policy.only.Folders[:min(len(w.policy.only.Folders), maxNamesShown)] {
		at := path.Join(folder, name)
		real, exists, err := w.follow(at)
		if err == nil && exists && !w.policy.denies(at) && !w.policy.denies(real) && !w.inState(real) {
			there = append(there, at)
		}
	}
	return there
}

// whereInstead adds to the refusal of a file that is to be written where it would be
// created, if its path was meant relative to one of the folders that may be reached:
// those that have its folder already, if any. It does not depend on what lies outside
// of them.
func (w *core) whereInstead(err error, name string) error {
	only := w.policy.only
	d, ok := errors.AsType[*hashline.Diagnostic](err)
	if !ok || d.Code != hashline.OutsideRoot || only == nil {
		return err
	}
	clean, bad := w.clean(name)
	if bad != nil || !only.beyond(clean) || filepath.IsAbs(name) || path.IsAbs(name) || len(w.inFolders(clean)) > 0 {
		return err
	}
	isFolder := func(name string) bool {
		real, exists, err := w.follow(name)
		if err != nil || !exists {
			return false
		}
		info, err := commit.Inspect(w.root, real)
		return err == nil && info.IsDir()
	}
	var any, sure []string
	for _, folder := range only.Folders[:min(len(only.Folders), maxNamesShown)] {
		at := path.Join(folder, clean)
		real, exists, err := w.follow(at)
		if err != nil || exists || w.policy.denies(at) || w.policy.denies(real) || w.inState(real) || !w.policy.writes(at) || !isFolder(folder) {
			continue
		}
		if any = append(any, at); path.Dir(clean) != "." && isFolder(path.Dir(at)) {
			sure = append(sure, at)
		}
	}
	if len(sure) > 0 {
		any = sure
	}
	mended := *d
	mended.Hint = only.hint(any, " to create it")
	return &mended
}
