package search_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/hashline/workspace/search"
)

// naive gives the numbers of the lines of a text that match, as spec 2 and 8 put
// it.
func naive(text []byte, re *regexp.Regexp) []int {
	var found []int
	all := strings.SplitAfter(strings.TrimPrefix(string(text), "\uFEFF"), "\n")
	for i, line := range all {
		if line == "" {
			continue
		}
		if cut, ok := strings.CutSuffix(line, "\n"); ok {
			line = strings.TrimSuffix(cut, "\r")
		}
		if re.MatchString(line) {
			found = append(found, i+1)
		}
	}
	return found
}

// matching gives the lines with matches of a result's files.
func matching(r *search.Result) map[string][]int {
	found := map[string][]int{}
	for _, f := range r.Files {
		for _, row := range f.Rows {
			if row.Match {
				found[f.Path] = append(found[f.Path], row.Line)
			}
		}
	}
	return found
}

var realPatterns = []string{
	`func`, `^func \w+\(`, `return$`, `^$`, `^\t+//`, `[A-Z]\w+Error\b`, `err != nil|io\.EOF`, `\bi\b.*\bi\b`, `x{2,}`, `é|世`, `[^[:ascii:]]`,
	`(?:Index|Compare)(Byte|Any)?\(`, `"\\n"`, `a.*b.*c`, `(s|sep) string`, `\)$`, `TODO\(.*\):`, `\S{60,}`, `nomatchatall`,
}

// TestRealSource compares with a naive scan, and with the system's grep where it
// knows the pattern, on some of the Go distribution.
func TestRealSource(t *testing.T) {
	src := hashlinetest.GoSource(t)
	for _, folder := range []string{"strings", "unicode/utf8", "regexp/syntax"} {
		dir := filepath.Join(src, folder)
		root, err := os.OpenRoot(dir)
		require.NoError(t, err)
		defer root.Close()
		for _, pattern := range realPatterns {
			for _, fold := range []bool{false, true} {
				expr := pattern
				if fold {
					expr = "(?i:" + pattern + ")"
				}
				compareNaive(t, root, pattern, expr, !fold)
			}
			compareGrep(t, root, dir, pattern)
		}
	}
}

func compareNaive(t *testing.T, root *os.Root, pattern, expr string, caseSensitive bool) {
	t.Helper()
	re := regexp.MustCompile(expr)
	want := map[string][]int{}
	total := 0
	require.NoError(t, fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := root.ReadFile(path)
		if err != nil || bytes.IndexByte(text, 0) >= 0 {
			return err
		}
		if found := naive(text, re); found != nil {
			total += len(found)
			want[path] = found[:min(len(found), 100)]
		}
		return nil
	}))
	r := run(t, root, search.Query{Pattern: pattern, IgnoreCase: !caseSensitive, MaxResults: 1000, MaxPerFile: 100})
	require.Equal(t, []int{total, len(want)}, []int{r.Matches, r.Matched}, "counts for %q", expr)
	got := matching(r)
	if left := 1000; total > left {
		for path := range want {
			if got[path] == nil {
				delete(want, path)
			} else {
				want[path] = want[path][:len(got[path])]
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines for %q (-want +got):\n%s", expr, diff)
	}
}

func compareGrep(t *testing.T, root *os.Root, dir, pattern string) {
	t.Helper()
	// What grep spells otherwise, or sees as characters where we see bytes.
	for _, other := range []string{"(?", "ascii", "é", `\b`, `\S`, `\t`} {
		if strings.Contains(pattern, other) {
			return
		}
	}
	if _, err := exec.LookPath("grep"); err != nil {
		t.Log("SKIPPED: no grep to compare with")
		return
	}
	cmd := exec.Command("grep", "-rcIE", "-e", pattern, ".")
	cmd.Dir = dir
	cmd.Env = []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH")}
	out, _ := cmd.Output()
	want := map[string]int{}
	for line := range strings.Lines(string(out)) {
		colon := strings.LastIndexByte(line, ':')
		var n int
		fmt.Sscan(line[colon+1:], &n)
		if n > 0 {
			want[strings.TrimPrefix(line[:colon], "./")] = n
		}
	}
	got := map[string]int{}
	r := run(t, root, search.Query{Pattern: pattern, MaxResults: 1000, Mode: search.Count, IncludeHidden: true})
	for _, f := range r.Files {
		got[f.Path] = f.Matches
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts of grep for %q (-grep +got):\n%s", pattern, diff)
	}
}

// TestRandomPatterns looks for lines that looking for needles first would miss.
func TestRandomPatterns(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	g := rand.New(rand.NewPCG(seed, 0))
	pick := func(list ...string) string { return list[g.IntN(len(list))] }
	var expr func(depth int) string
	expr = func(depth int) string {
		if depth == 0 || g.IntN(3) == 0 {
			return pick("a", "b", "k", "s", "ab", "sk", "a1", "_k", "é", "K", `\.`, ".", "[ab]", "^", "$", `\b`, `\s`, "(?i)s", "[^a]", "\r", `\w`)
		}
		x, y := expr(depth-1), expr(depth-1)
		switch g.IntN(8) {
		case 0:
			return "(" + x + "|" + y + ")"
		case 1:
			return "(?:" + x + ")" + pick("*", "+", "?", "{2}", "{0,2}", "{1,}")
		case 2:
			return "(?i:" + x + ")" + y
		}
		return x + y
	}
	text := func() string {
		var b strings.Builder
		b.WriteString(pick("", "", "\uFEFF"))
		for range g.IntN(60) {
			b.WriteString(pick("a", "b", "k", "s", "S", "K", "\u212A", "ſ", "é", "É", "1", "_", ".", " ", "\n", "\n", "\r\n", "\r", "ab", "sk"))
		}
		return b.String()
	}
	for range 25 {
		files := map[string]string{}
		for i := range 20 {
			files[fmt.Sprint("f", i)] = text()
		}
		root := tree(t, files)
		for range 25 {
			pattern, fold := expr(3), g.IntN(2) == 0
			full := pattern
			if fold {
				full = "(?i:" + pattern + ")"
			}
			re := regexp.MustCompile(full)
			want := map[string][]int{}
			for name, content := range files {
				if found := naive([]byte(content), re); found != nil {
					want[name] = found
				}
			}
			r := run(t, root, search.Query{Pattern: pattern, IgnoreCase: fold, MaxResults: 1000, MaxPerFile: 100})
			if diff := cmp.Diff(want, matching(r)); diff != "" {
				t.Fatalf("seed %d, pattern %q, fold %v (-want +got):\n%s", seed, pattern, fold, diff)
			}
		}
	}
}

// The result does not depend on how many workers there are, nor on their speed.
func TestDeterministic(t *testing.T) {
	root, err := os.OpenRoot(filepath.Join(hashlinetest.GoSource(t), "net"))
	require.NoError(t, err)
	defer root.Close()
	q := search.Query{Pattern: "err", MaxResults: 50, Context: 1}
	want := render(t, root, q)
	for _, n := range []int{1, 3, 8} {
		before := runtime.GOMAXPROCS(n)
		got := render(t, root, q)
		runtime.GOMAXPROCS(before)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with %d processors:\n%s", n, diff)
		}
	}
	paths := run(t, root, search.Query{Pattern: "package", Mode: search.FilesWithMatches, MaxResults: 1000}).Files
	require.Greater(t, len(paths), 100)
	for i := range paths[1:] {
		require.Less(t, paths[i].Path, paths[i+1].Path)
	}
	require.Equal(t, hashline.Tag(0), paths[0].Tag)
}
