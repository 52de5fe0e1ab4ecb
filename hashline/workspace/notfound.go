package workspace

import (
	"cmp"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

// notFound refuses a path. What stands close to it is looked up when the
// refusal is written, after any locks are given back: see nameClose.
func notFound(name string) *hashline.Diagnostic {
	return fault(hashline.NotFound, name, "there is no such file", "")
}

const (
	// maxNamed is how many files of one refusal get close names.
	maxNamed      = 3
	maxNamesSeen  = 10_000
	maxNamesShown = 3
	// maxFar is how many characters a close name may differ in.
	maxFar = 6
)

// useWrite is the hint for a document that names a file which is not there.
const useWrite = "an edit changes files that there are; to create it use write"

// nameClose adds to the first files that were not found what stands close to
// them.
func (w *core) nameClose(faults hashline.Diagnostics) {
	named := 0
	for _, d := range faults {
		if d.Code != hashline.NotFound || d.Hint != "" && d.Hint != useWrite {
			continue
		}
		if named++; named > maxNamed {
			return
		}
		if p := w.pathOfHeader(d.Path); p != "" {
			d.Hint = withoutTag(p)
			continue
		}
		close := append(w.elsewhere(d.Path), w.closeNames(d.Path)...)
		if close = close[:min(len(close), maxNamesShown)]; len(close) > 0 {
			names := "close names: " + strings.Join(close, ", ")
			if d.Hint != "" {
				names += "; "
			}
			d.Hint = names + d.Hint
		}
	}
}

// pathOfHeader gives the path of a file that a header names which was taken for a
// path, such as "[a.txt#A6E6]" and "a.txt#A6E6"; "" where it is none, or there is no
// such file.
func (w *core) pathOfHeader(name string) string {
	inner := strings.TrimSpace(name)
	if bare, ok := strings.CutPrefix(inner, "["); ok {
		inner = strings.TrimSuffix(bare, "]")
	}
	if i := strings.LastIndexByte(inner, '#'); i >= 0 {
		inner = inner[:i]
	}
	if inner = strings.TrimSpace(inner); inner == "" || inner == name {
		return ""
	}
	if pl, err := w.resolve(inner); err == nil && pl.exists {
		return pl.path
	}
	return ""
}

// withoutTag is the hint for a header that was taken for the path p.
func withoutTag(p string) string { return "the path is " + p + ", without #TAG and brackets" }

// headerAsPath refuses to create a file whose path is the header of another.
func headerAsPath(name string, args WriteArgs) error {
	if args.Expect != "" {
		return nil
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	p, _, ok := hashline.ParseHeader("[" + inner + "]")
	if !ok {
		return nil
	}
	return fault(hashline.BadPath, name, "this is the header of a file, not a path",
		withoutTag(p)+"; if a new file of just this name is meant, give expect: absent")
}

// closeNames lists up to three files of the path's own folder whose names
// differ little from the one asked for. The longest folder of the path that
// exists is taken when the last one does not.
func (w *core) closeNames(name string) []string {
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
	entries, _ := f.ReadDir(maxNamesSeen)
	type candidate struct {
		name string
		far  int
	}
	var all []candidate
	limit := min(max(2, utf8.RuneCountInString(want)/3), maxFar)
	for _, e := range entries {
		n := e.Name()
		if _, err := hashline.CleanPath(n); err != nil || !e.Type().IsRegular() && !e.IsDir() {
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
		if !w.denied(c.name) {
			shown = append(shown, spelled(c.name))
		}
	}
	return shown
}

// spelled is a path as it is shown: names that look alike may be spelled
// differently.
func spelled(name string) string {
	if quoted := strconv.QuoteToASCII(name); len(quoted) > len(name)+2 {
		return name + " (spelled " + quoted + ")"
	}
	return name
}

// denied reports whether the policy keeps a path, or what it leads to, from being
// named.
func (w *core) denied(name string) bool {
	if w.policy.empty() {
		return false
	}
	_, err := w.resolve(name)
	return errors.Is(err, hashline.Denied)
}

// distance is the number of runes to insert, remove or change to make one
// string of the other; more than limit is told as limit+1. Only what can still
// come to at most limit is computed, so that it takes time in proportion to
// limit and the shorter string.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d > limit || -d > limit {
		return limit + 1
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = min(j, limit+1)
	}
	for i := range x {
		first, last := max(0, i-limit), min(len(y), i+limit+1)
		before := row[first]
		row[first] = limit + 1
		if first == 0 {
			row[0] = min(i+1, limit+1)
		}
		low := row[first]
		for j := first; j < last; j++ {
			swap := before
			if x[i] != y[j] {
				swap++
			}
			before = row[j+1]
			row[j+1] = min(swap, row[j]+1, before+1, limit+1)
			low = min(low, row[j+1])
		}
		if low > limit {
			return limit + 1
		}
	}
	return row[len(y)]
}
