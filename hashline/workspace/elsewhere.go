package workspace

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/search"
)

// elsewhere lists up to three files of exactly the name that a path ends in and that
// stand in other folders: those with most of its folders above them first, then
// those that are nearest. Only so many folders are looked into.
func (w *core) elsewhere(name string) []string {
	base := path.Base(name)
	if clean, err := hashline.CleanPath(base); err != nil || clean != base || base == "." || base == ".." {
		return nil
	}
	dir := path.Dir(name)
	real, exists, err := w.follow(dir)
	for err == nil && !exists && dir != "." {
		dir = path.Dir(dir)
		real, exists, err = w.follow(dir)
	}
	if err != nil || !exists || w.inState(real) {
		return nil
	}
	allowed := w.policy.searcher()
	found := search.Near(context.Background(), w.root, w.git, real, base, func(path string, isDir bool) bool {
		return !w.inState(path) && allowed(path, isDir)
	})
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(commonEnd(b, name), commonEnd(a, name)) })
	var shown []string
	for _, p := range found {
		if len(shown) < maxNamesShown && !w.denied(p) {
			shown = append(shown, spelled(p))
		}
	}
	return shown
}

// commonEnd counts the names that two paths end in.
func commonEnd(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < min(len(x), len(y)) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}
