package search_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hashline-go/hashline/hashline/workspace/search"
)

func TestGlob(t *testing.T) {
	files := []string{
		"a.go", "a.md", "é.txt", "a,b", "[x]", "src/a.go", "src/b.txt", "src/sub/a.go", "src/sub/deep/c.go", "src/a_test.go", "x/src/a.go", "lib/a.ts",
		"lib/B.TS", "a{b", "-",
	}
	tree0 := map[string]string{}
	for _, f := range files {
		tree0[f] = "x"
	}
	root := tree(t, tree0)
	tests := []struct{ glob, want string }{
		{"*.go", "a.go src/a.go src/a_test.go src/sub/a.go src/sub/deep/c.go x/src/a.go"},
		{"a.go", "a.go src/a.go src/sub/a.go x/src/a.go"},
		{"/a.go", "a.go"},
		{"./a.go", "a.go"},
		{"src/*.go", "src/a.go src/a_test.go"},
		{"src/**/*.go", "src/a.go src/a_test.go src/sub/a.go src/sub/deep/c.go"},
		{"**/src/*.go", "src/a.go src/a_test.go x/src/a.go"},
		{"src/**", "src/a.go src/a_test.go src/b.txt src/sub/a.go src/sub/deep/c.go"},
		{"src/", "src/a.go src/a_test.go src/b.txt src/sub/a.go src/sub/deep/c.go"},
		{"src/**/deep/*", "src/sub/deep/c.go"},
		{"**", "- [x] a,b a.go a.md a{b lib/B.TS lib/a.ts src/a.go src/a_test.go src/b.txt src/sub/a.go src/sub/deep/c.go x/src/a.go é.txt"},
		{"{src,lib}/*.{go,ts}", "lib/a.ts src/a.go src/a_test.go"},
		{"*.{md,t{s,xt}}", "a.md lib/a.ts src/b.txt é.txt"},
		{"{lib/**,a.md}", "a.md lib/B.TS lib/a.ts"},
		{"?.txt", "src/b.txt é.txt"},
		{"[!a].[a-t]*", "src/b.txt src/sub/deep/c.go é.txt"},
		{"[^a].txt", "src/b.txt é.txt"},
		{`\[x]`, "[x]"},
		{"[[]x[]]", "[x]"},
		{`a\{b`, "a{b"},
		{"a,b", "a,b"},
		{"[a-]", "-"},
		{"[[:punct:]]", "-"},
		{"!*.go", "- [x] a,b a.md a{b lib/B.TS lib/a.ts src/b.txt é.txt"},
		{"!src/**", "- [x] a,b a.go a.md a{b lib/B.TS lib/a.ts x/src/a.go é.txt"},
		{"src*.go", ""},
		{"*", "- [x] a,b a.go a.md a{b lib/B.TS lib/a.ts src/a.go src/a_test.go src/b.txt src/sub/a.go src/sub/deep/c.go x/src/a.go é.txt"},
	}
	for _, test := range tests {
		t.Run(test.glob, func(t *testing.T) {
			r := run(t, root, search.Query{Pattern: "x", Glob: test.glob, Mode: search.FilesWithMatches})
			var got []string
			for _, f := range r.Files {
				got = append(got, f.Path)
			}
			if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}
