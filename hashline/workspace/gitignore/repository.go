package gitignore

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashline-go/hashline/apply/commit/beneath"
)

// A repository is what ignoring needs to know of one.
type repository struct {
	// workTree is the top folder, gitDir holds HEAD, and commonDir the config
	// and info/exclude; the two differ in a linked work tree.
	workTree, gitDir, commonDir string
}

// Open gives the Folder for a root. Inside a repository the rules of its top and
// of the folders between count. That the root itself is ignored does not: it was
// chosen.
func Open(root *os.Root, user User) *Folder {
	abs, err := filepath.Abs(root.Name())
	if err != nil {
		abs = root.Name()
	}
	if repo, ok := findRepository(abs, root); ok {
		return repo.top(user, root)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	for top := abs; top != filepath.Dir(top); {
		top = filepath.Dir(top)
		if f := openBelow(top, abs, root, user); f != nil {
			return f
		}
	}
	return repository{workTree: abs}.top(user, root)
}

// openBelow gives the Folder for a root at abs when the folder top above it is
// that of a repository, else nil.
func openBelow(top, abs string, root *os.Root, user User) *Folder {
	dir, err := os.OpenRoot(top)
	if err != nil {
		return nil
	}
	defer func() { dir.Close() }()
	repo, ok := findRepository(top, dir)
	if !ok {
		return nil
	}
	rel, err := filepath.Rel(top, abs)
	if err != nil {
		return nil
	}
	f := repo.top(user, dir)
	names := strings.Split(filepath.ToSlash(rel), "/")
	for _, name := range names[:len(names)-1] {
		next, err := beneath.Enter(dir, name)
		if err != nil {
			return nil
		}
		dir.Close()
		dir = next
		f = f.inside(filepath.Join(f.abs, name), name, dir)
	}
	return f.inside(abs, names[len(names)-1], root)
}

// top gives the Folder for the top of a repository, opened as dir. The zero
// repository stands for none.
func (r repository) top(user User, dir *os.Root) *Folder {
	s := user.settings(r)
	f := Folder{user: user, fold: s.ignoreCase, abs: r.workTree, room: maxPatterns}
	f.add(readAt(s.excludesFile), 0)
	if r.commonDir != "" {
		f.add(readAt(filepath.Join(r.commonDir, "info", "exclude")), 0)
	}
	return f.with(dir)
}

// findRepository reports whether the folder dir at abs is the top of a repository: whether it has
// a .git that is a folder, or a file that leads to one.
func findRepository(abs string, dir *os.Root) (repository, bool) {
	info, err := dir.Lstat(".git")
	if err != nil {
		return repository{}, false
	}
	git := filepath.Join(abs, ".git")
	if info.Mode()&os.ModeSymlink != 0 {
		if info, err = os.Stat(git); err != nil {
			return repository{}, false
		}
	}
	if info.Mode().IsRegular() {
		target, ok := bytes.CutPrefix(readAt(git), []byte("gitdir: "))
		if !ok {
			return repository{}, false
		}
		git = join(abs, string(bytes.TrimRight(target, "\r\n")))
	}
	common := git
	if to := bytes.TrimRight(readAt(filepath.Join(git, "commondir")), "\r\n"); len(to) > 0 {
		common = join(git, string(to))
	}
	if !isGitDir(git, common) {
		return repository{}, false
	}
	return repository{workTree: abs, gitDir: git, commonDir: common}, true
}

// isGitDir asks what git asks before it takes a folder for a repository.
func isGitDir(git, common string) bool {
	if _, err := os.Lstat(filepath.Join(git, "HEAD")); err != nil {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
