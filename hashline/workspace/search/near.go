package search

import (
	"context"
	"os"
	"path"
	"time"

	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
)

// What [Near] may take: folders to look into, entries to look at, levels below a
// folder that it begins at, and files to find.
const (
	nearFolders = 300
	nearEntries = 20_000
	nearDepth   = 5
	nearFound   = 20
	nearTime    = time.Second
)

// Near finds files of exactly the given name in other folders than dir: those below
// it, then those below the folder above it, and so on up to the root, nearest first.
// dir is a clean path below root, without links. It passes over what [Run] passes
// over, but a hidden file that is asked for by its name, and what allow refuses; user
// and allow are as there. It looks at some hundred folders at most and then gives
// what it has.
func Near(ctx context.Context, root *os.Root, user gitignore.User, dir, name string, allow func(path string, isDir bool) bool) []string {
	ctx, cancel := context.WithTimeout(ctx, nearTime)
	defer cancel()
	n := &near{
		walker: walker{ctx: ctx, plan: &plan{}, allow: allow, entries: nearEntries},
		root:   root, user: user, name: name, seen: map[string]bool{},
	}
	for n.below(dir) && dir != "." {
		dir = path.Dir(dir)
	}
	return n.found
}

type near struct {
	walker
	root  *os.Root
	user  gitignore.User
	name  string
	seen  map[string]bool
	found []string
}

// below looks into a folder and those below it, level by level. It reports false
// when the search is to end.
func (n *near) below(dir string) bool {
	level := []string{dir}
	for depth := 0; depth <= nearDepth && len(level) > 0; depth++ {
		var next []string
		for _, p := range level {
			if n.seen[p] {
				continue
			}
			if len(n.seen) == nearFolders || len(n.found) >= nearFound || n.full || n.ctx.Err() != nil {
				return false
			}
			n.seen[p] = true
			next = append(next, n.look(p)...)
		}
		level = next
	}
	return true
}

// look finds the file in one folder, and gives the folders in it.
func (n *near) look(dir string) (folders []string) {
	at, err := locate(n.root, n.user, dir, n.allow)
	if err != nil {
		return nil
	}
	defer at.dir.done()
	if at.file != "" {
		return nil
	}
	for _, e := range n.list(at.dir.root) {
		name, isDir := e.Name(), e.IsDir()
		p := path.Join(dir, name)
		switch {
		case n.ctx.Err() != nil:
			return nil
		case !isDir && name != n.name, isDir && name[0] == '.', !n.wants(e, p), at.ignore.Ignored(name, isDir), !nameable(p, isDir):
		case isDir:
			folders = append(folders, p)
		default:
			n.found = append(n.found, p)
		}
	}
	return folders
}
