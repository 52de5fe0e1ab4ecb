package workspace

import (
	"cmp"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// notFound refuses a path and names what stands close to it.
func (w *Workspace) notFound(name string) error {
	d := fault(hashline.NotFound, name, "there is no such file", "")
	if close := w.closeNames(name); len(close) > 0 {
		d.Hint = "close names: " + strings.Join(close, ", ")
	}
	return d
}

const (
	maxNamesSeen  = 10_000
	maxNamesShown = 3
)

// closeNames lists up to three files of the path's own folder whose names
// differ little from the one asked for. The longest folder of the path that
// exists is taken when the last one does not.
func (w *Workspace) closeNames(name string) []string {
	dir, want := path.Split(name)
	real, exists, err := w.follow(path.Clean(dir))
	if err != nil {
		return nil
	}
	if !exists {
		parent := path.Clean(dir)
		if parent == "." {
			return nil
		}
		return w.closeNames(parent)
	}
	if w.inState(real) {
		return nil
	}
	f, err := w.root.Open(filepath.FromSlash(real))
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxNamesSeen)
	type candidate struct {
		name string
		far  int
	}
	var all []candidate
	limit := max(2, len([]rune(want))/3)
	for _, n := range names {
		if _, err := hashline.CleanPath(n); err != nil {
			continue
		}
		if far := distance(strings.ToLower(want), strings.ToLower(n), limit); far <= limit {
			all = append(all, candidate{path.Join(dir, n), far})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.name, b.name))
	})
	var shown []string
	for _, c := range all {
		if len(shown) == maxNamesShown {
			break
		}
		if w.denied(c.name) {
			continue
		}
		text := c.name
		if quoted := strconv.QuoteToASCII(text); len(quoted) > len(text)+2 {
			// Names that look alike may be spelled differently.
			text += " (spelled " + quoted + ")"
		}
		shown = append(shown, text)
	}
	return shown
}

// denied reports whether the policy keeps a path, or what it leads to, from being
// named.
func (w *Workspace) denied(name string) bool {
	if w.policy.empty() {
		return false
	}
	_, err := w.resolve(name)
	return errors.Is(err, hashline.Denied)
}

// distance is the number of runes to insert, remove or change to make one
// string of the other; more than limit is told as limit+1.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d > limit || -d > limit {
		return limit + 1
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		before := row[0]
		row[0] = i + 1
		low := row[0]
		for j := range y {
			swap := before
			if x[i] != y[j] {
				swap++
			}
			before = row[j+1]
			row[j+1] = min(swap, row[j]+1, row[j+1]+1)
			low = min(low, row[j+1])
		}
		if low > limit {
			return limit + 1
		}
	}
	return row[len(y)]
}
