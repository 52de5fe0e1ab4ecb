package search_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
	"github.com/hashline-go/hashline/hashline/workspace/search"
)

// lengthTag stands in for the real tag: the layouts do not depend on it.
func lengthTag(text []byte) hashline.Tag { return hashline.Tag(len(text)) }

// tree makes a workspace. A name that ends in "/" is a folder.
func tree(tb testing.TB, files map[string]string) *os.Root {
	tb.Helper()
	dir := tb.TempDir()
	for name, content := range files {
		full := filepath.Join(dir, name)
		require.NoError(tb, os.MkdirAll(filepath.Dir(full), 0o755))
		if strings.HasSuffix(name, "/") {
			require.NoError(tb, os.MkdirAll(full, 0o755))
			continue
		}
		require.NoError(tb, os.WriteFile(full, []byte(content), 0o644))
	}
	root, err := os.OpenRoot(dir)
	require.NoError(tb, err)
	tb.Cleanup(func() { root.Close() })
	return root
}

func run(tb testing.TB, root *os.Root, q search.Query) *search.Result {
	tb.Helper()
	r, err := search.Run(context.Background(), root, gitignore.User{}, q, lengthTag, nil)
	require.NoError(tb, err)
	return r
}

func render(tb testing.TB, root *os.Root, q search.Query) string {
	tb.Helper()
	text, _ := run(tb, root, q).Render(0)
	return text
}

// lines joins the rows of an expected text.
func lines(rows ...string) string { return strings.Join(rows, "\n") }

func repeat(n int, format func(i int) string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		b.WriteString(format(i))
	}
	return b.String()
}

func TestLayout(t *testing.T) {
	root := tree(t, map[string]string{
		"b.txt":     "one\ntwo needle\nthree\nfour\nfive\nsix needle\nseven\n",
		"a/b.txt":   "needle\r\n\r\nneedle\r\n",
		"a.txt":     "\uFEFFneedle",
		"a-z.txt":   "Needle\n",
		"empty.txt": "",
		"many.txt":  strings.Repeat("needle needle\n", 12),
	})
	tests := []struct {
		name string
		q    search.Query
		want string
	}{
		{"content", search.Query{Pattern: "needle"}, lines(
			"[a.txt#0009]", "1 | needle", "",
			"[a/b.txt#0012]", "1 | needle", "3 | needle", "",
			"[b.txt#0030]", "2 | two needle", "6 | six needle", "",
			"[many.txt#00A8]",
			"1 | needle needle", "2 | needle needle", "3 | needle needle", "4 | needle needle", "5 | needle needle",
			"6 | needle needle", "7 | needle needle", "8 | needle needle", "9 | needle needle", "10 | needle needle",
			"... +2 more in this file", "",
			"[15 of 17 matches in 4 files; narrow the pattern, path or glob]")},
		{"no match", search.Query{Pattern: "absent"}, "[0 matches in 0 files]"},
		{"without regard to case", search.Query{IgnoreCase: true, Pattern: "^NEEDLE$"}, lines(
			"[a-z.txt#0007]", "1 | Needle", "",
			"[a.txt#0009]", "1 | needle", "",
			"[a/b.txt#0012]", "1 | needle", "3 | needle", "",
			"[4 matches in 3 files]")},
		{"context, one stretch for each", search.Query{Pattern: "needle", Path: "b.txt", Context: 1}, lines(
			"[b.txt#0030]", "1 - one", "2 | two needle", "3 - three", "--", "5 - five", "6 | six needle", "7 - seven", "",
			"[2 matches in 1 files]")},
		{"context that meets", search.Query{Pattern: "needle", Path: "b.txt", Context: 2}, lines(
			"[b.txt#0030]", "1 - one", "2 | two needle", "3 - three", "4 - four", "5 - five", "6 | six needle", "7 - seven", "",
			"[2 matches in 1 files]")},
		{"context that overlaps", search.Query{Pattern: "needle", Path: "b.txt", Context: 20}, lines(
			"[b.txt#0030]", "1 - one", "2 | two needle", "3 - three", "4 - four", "5 - five", "6 | six needle", "7 - seven", "",
			"[2 matches in 1 files]")},
		{"context stops before a match that is not shown", search.Query{Pattern: "o|seven", Path: "b.txt", Context: 5, MaxPerFile: 2}, lines(
			"[b.txt#0030]", "1 | one", "2 | two needle", "3 - three", "... +2 more in this file", "",
			"[2 of 4 matches in 1 files; narrow the pattern, path or glob]")},
		{"results end inside a file", search.Query{Pattern: "needle", Glob: "[ab].txt", MaxResults: 2, Context: 1}, lines(
			"[a.txt#0009]", "1 | needle", "",
			"[a/b.txt#0012]", "1 | needle", "2 - ", "... +1 more in this file", "",
			"[2 of 5 matches in 3 files; narrow the pattern, path or glob]")},
		{"files", search.Query{Pattern: "needle", Mode: search.FilesWithMatches}, lines(
			"a.txt", "a/b.txt", "b.txt", "many.txt", "", "[17 matches in 4 files]")},
		{"files, limited", search.Query{Pattern: "needle", Mode: search.FilesWithMatches, MaxResults: 2}, lines(
			"a.txt", "a/b.txt", "", "[3 of 17 matches in 4 files; narrow the pattern, path or glob]")},
		{"count", search.Query{IgnoreCase: true, Pattern: "needle", Mode: search.Count}, lines(
			"a-z.txt: 1", "a.txt: 1", "a/b.txt: 2", "b.txt: 2", "many.txt: 12", "", "[18 matches in 5 files]")},
		{"a folder", search.Query{Pattern: "^$", Path: "a/"}, lines("[a/b.txt#0012]", "2 | ", "", "[1 matches in 1 files]")},
		{"literal", search.Query{Pattern: ".", Literal: true}, "[0 matches in 0 files]"},
		{"anchors are those of the line", search.Query{Pattern: `\Atwo needle\z`}, lines("[b.txt#0030]", "2 | two needle", "", "[1 matches in 1 files]")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, render(t, root, test.q)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSkips(t *testing.T) {
	root := tree(t, map[string]string{
		".gitignore":    "build/\n*.log\n!keep.log\n",
		".git/HEAD":     "x\n",
		"sub/.git/HEAD": "x\n",
		"a.txt":         "x\n",
		".hidden":       "x\n",
		".dir/a":        "x\n",
		"build/a":       "x\n",
		"a.log":         "x\n",
		"keep.log":      "x\n",
		"bin":           "x\x00\n",
		"late":          strings.Repeat("x\n", 8<<10) + "\x00",
		"big":           strings.Repeat("x", 5<<20) + "y",
		"fits":          "x" + strings.Repeat("\n", 5<<20-1),
		"latin1":        "x\xe9\n",
		"utf16":         "\xff\xfex\x00",
		"utf16 cut off": "\xff\xfex",
	})
	must := func(err error) { require.NoError(t, err) }
	must(root.Symlink("a.txt", "link"))
	must(root.Symlink("build", "folder link"))
	must(root.Symlink("loop", "loop"))
	must(root.Symlink("/etc/passwd", "out"))
	for _, name := range []string{"line\nbreak", "blank ", "\xff"} {
		must(root.WriteFile(name, []byte("x\n"), 0o644))
	}
	files := search.Query{Pattern: "x", Mode: search.Count}
	if diff := cmp.Diff(lines("a.txt: 1", "fits: 1", "keep.log: 1", "utf16: 1", "",
		"[4 matches in 4 files; skipped: 2 binary, 1 too large, 2 not UTF-8, 3 bad name]"), render(t, root, files)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	files.IncludeHidden = true
	if diff := cmp.Diff(lines(".dir/a: 1", ".hidden: 1", "a.txt: 1", "fits: 1", "keep.log: 1", "utf16: 1", "",
		"[6 matches in 6 files; skipped: 2 binary, 1 too large, 2 not UTF-8, 3 bad name]"), render(t, root, files)); diff != "" {
		t.Errorf("with hidden files (-want +got):\n%s", diff)
	}
	named := map[string]string{
		"a.log":      "a.log: 1\n\n[1 matches in 1 files]",
		".hidden":    ".hidden: 1\n\n[1 matches in 1 files]",
		".git/HEAD":  ".git/HEAD: 1\n\n[1 matches in 1 files]",
		".dir":       ".dir/a: 1\n\n[1 matches in 1 files]",
		"build":      "build/a: 1\n\n[1 matches in 1 files]",
		"bin":        "[0 matches in 0 files; skipped: 1 binary]",
		"big":        "[0 matches in 0 files; skipped: 1 too large]",
		"latin1":     "[0 matches in 0 files; skipped: 1 not UTF-8]",
		".gitignore": "[0 matches in 0 files]",
	}
	for path, want := range named {
		if diff := cmp.Diff(want, render(t, root, search.Query{Pattern: "x", Path: path, Glob: "*", Mode: search.Count})); diff != "" {
			t.Errorf("path %s (-want +got):\n%s", path, diff)
		}
	}
	// One who finds nothing is told what was not looked at.
	want := "[0 matches in 0 files; skipped: 3 hidden, 2 ignored]"
	require.NoError(t, os.RemoveAll(root.Name()+"/latin1"))
	q := search.Query{Pattern: "absent", Glob: "{.*,*.log,*.txt,*a}"}
	if diff := cmp.Diff(want, render(t, root, q)); diff != "" {
		t.Errorf("nothing found (-want +got):\n%s", diff)
	}
}

// What is denied leaves no trace.
func TestAllow(t *testing.T) {
	root := tree(t, map[string]string{"a": "x", "secret/a": "x\x00", "b/secret": "x", "b/c": "x"})
	allow := func(path string, isDir bool) bool { return filepath.Base(path) != "secret" }
	r, err := search.Run(context.Background(), root, gitignore.User{}, search.Query{Pattern: "x", Mode: search.Count}, lengthTag, allow)
	require.NoError(t, err)
	text, _ := r.Render(0)
	require.Equal(t, lines("a: 1", "b/c: 1", "", "[2 matches in 2 files]"), text)
	for _, path := range []string{"secret", "secret/a", "b/secret"} {
		_, err := search.Run(context.Background(), root, gitignore.User{}, search.Query{Pattern: "x", Path: path}, lengthTag, allow)
		require.ErrorIs(t, err, hashline.Denied, path)
	}
}

func TestFaults(t *testing.T) {
	root := tree(t, map[string]string{"a.txt": "x", "sub/b": "x"})
	require.NoError(t, root.Symlink("a.txt", "link"))
	require.NoError(t, root.Symlink("sub", "folder"))
	tests := []struct {
		name string
		q    search.Query
		want hashline.Code
	}{
		{"empty pattern", search.Query{}, hashline.BadArgument},
		{"open bracket", search.Query{Pattern: "a["}, hashline.BadPattern},
		{"look-ahead", search.Query{Pattern: "(?=a)b"}, hashline.BadPattern},
		{"unbalanced, but not when wrapped", search.Query{Pattern: "a)|(b"}, hashline.BadPattern},
		{"not UTF-8", search.Query{Pattern: "\xff", Literal: true}, hashline.BadPattern},
		{"line break", search.Query{Pattern: "a\nb", Literal: true}, hashline.BadPattern},
		{"needs a line break", search.Query{Pattern: `a\nb`}, hashline.BadPattern},
		{"too long", search.Query{Pattern: strings.Repeat("a", 5000)}, hashline.BadPattern},
		{"too complex", search.Query{Pattern: `((a{100}){10}|b{900}){900}`}, hashline.BadPattern},
		{"too complex in pieces", search.Query{Pattern: strings.Repeat(`\pL{1000}`, 50)}, hashline.BadPattern},
		{"open bracket in a glob", search.Query{Pattern: "a", Glob: "a["}, hashline.BadPattern},
		{"open brace in a glob", search.Query{Pattern: "a", Glob: "{a,b"}, hashline.BadPattern},
		{"backslash at the end of a glob", search.Query{Pattern: "a", Glob: `a\`}, hashline.BadPattern},
		{"range in a glob", search.Query{Pattern: "a", Glob: "[z-a]"}, hashline.BadPattern},
		{"mode", search.Query{Pattern: "a", Mode: "lines"}, hashline.BadArgument},
		{"negative context", search.Query{Pattern: "a", Context: -1}, hashline.BadArgument},
		{"context", search.Query{Pattern: "a", Context: 21}, hashline.BadArgument},
		{"results", search.Query{Pattern: "a", MaxResults: 1001}, hashline.BadArgument},
		{"negative results", search.Query{Pattern: "a", MaxResults: -1}, hashline.BadArgument},
		{"results a file", search.Query{Pattern: "a", MaxPerFile: 101}, hashline.BadArgument},
		{"out of the root", search.Query{Pattern: "a", Path: "../x"}, hashline.OutsideRoot},
		{"absolute", search.Query{Pattern: "a", Path: "/etc"}, hashline.OutsideRoot},
		{"missing", search.Query{Pattern: "a", Path: "no/such"}, hashline.NotFound},
		{"below a file", search.Query{Pattern: "a", Path: "a.txt/x"}, hashline.NotFound},
		{"link", search.Query{Pattern: "a", Path: "link"}, hashline.NotRegular},
		{"below a link", search.Query{Pattern: "a", Path: "folder/b"}, hashline.NotRegular},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := search.Run(context.Background(), root, gitignore.User{}, test.q, lengthTag, nil)
			require.ErrorIs(t, err, test.want)
			var d *hashline.Diagnostic
			require.True(t, errors.As(err, &d))
			if strings.Contains(d.Msg, "\n") {
				t.Errorf("message of several lines: %q", d.Msg)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	root := tree(t, map[string]string{"a": "x"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := search.Run(ctx, root, gitignore.User{}, search.Query{Pattern: "x"}, lengthTag, nil)
	require.ErrorIs(t, err, hashline.Cancelled)
}

// A panic of a callback reaches the caller, on the caller's goroutine.
func TestPanics(t *testing.T) {
	root := tree(t, map[string]string{"a": "x", "b": "x"})
	require.PanicsWithValue(t, "tag", func() {
		search.Run(context.Background(), root, gitignore.User{}, search.Query{Pattern: "x"}, func([]byte) hashline.Tag { panic("tag") }, nil)
	})
	require.PanicsWithValue(t, "allow", func() {
		search.Run(context.Background(), root, gitignore.User{}, search.Query{Pattern: "x"}, lengthTag, func(string, bool) bool { panic("allow") })
	})
}
