package workspace

import (
	"slices"
	"strings"

	"github.com/hashline-go/hashline/apply/commit"
)

// leftFolders gives the folders above files that go which earlier undos were to
// remove, had they been empty.
func (w *core) leftFolders(list []pending) (folders []string) {
	if !slices.ContainsFunc(list, func(p pending) bool { return p.remove && strings.Contains(p.place.real, "/") }) {
		return nil
	}
	_, _ = w.store.Records(w.root, func(r commit.Record) bool {
		for _, dir := range r.Emptied {
			folders = append(folders, string(dir.Path))
		}
		return true
	})
	return folders
}

// emptied keeps the folders above the files that go, parents first.
func emptied(folders []string, list []pending) []string {
	above := map[string]bool{}
	for _, p := range list {
		if p.remove {
			for i, c := range p.place.real {
				if c == '/' {
					above[p.place.real[:i]] = true
				}
			}
		}
	}
	folders = slices.DeleteFunc(folders, func(dir string) bool { return !above[dir] })
	slices.Sort(folders)
	return slices.Compact(folders)
}
