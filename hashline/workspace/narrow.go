package workspace

import (
	"path"
	"path/filepath"
	"runtime"
	"strings"

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
	hint := only.Reason
	if there := w.inFolders(name); len(there) > 0 {
		hint = "paths are relative to the workspace root: write " + strings.Join(there, " or ")
		if only.Reason != "" {
			hint += "; " + only.Reason
		}
	}
	return fault(hashline.OutsideRoot, name, "the path lies outside of the folders that the client has opened", hint)
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
