package gitignore_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	seedFlag  = flag.Uint64("gitignore.seed", 0, "run only the world with this seed")
	casesFlag = flag.Int("gitignore.cases", 5_000, "how many paths to compare with git")
)

// TestRandomWorlds compares with git on random trees with random ignore files in
// many folders, in .git/info/exclude and in the user's own file.
func TestRandomWorlds(t *testing.T) {
	if *seedFlag != 0 {
		randomWorld(t, *seedFlag)
		return
	}
	base := uint64(time.Now().UnixNano())
	cases, ignored := 0, 0
	for n := uint64(0); cases < *casesFlag; n++ {
		c, i := randomWorld(t, base+n)
		cases, ignored = cases+c, ignored+i
		if t.Failed() {
			t.Fatalf("world failed; run it again with -args -gitignore.seed=%d", base+n)
		}
	}
	t.Logf("%d paths compared with git, %d of them ignored", cases, ignored)
	require.Greater(t, ignored, cases/20, "the worlds ignore too little to tell")
	require.Less(t, ignored, cases*19/20, "the worlds ignore too much to tell")
}

func randomWorld(t *testing.T, seed uint64) (cases, ignored int) {
	// Thousands of files are made and removed: in memory where there is a place.
	dir, err := os.MkdirTemp("/dev/shm", "gitignore")
	if err != nil {
		dir, err = os.MkdirTemp("", "gitignore")
	}
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	w := newWorld(t, dir)
	g := &generator{rand.New(rand.NewPCG(seed, 1))}

	folders, paths := g.tree()
	for _, f := range folders {
		require.NoError(t, os.MkdirAll(filepath.Join(w.repo, f), 0o755))
	}
	for _, p := range paths {
		w.write(filepath.Join(w.repo, p), "")
	}
	all := append(slices.Clone(folders), paths...)
	files := map[string]string{}
	for _, f := range append([]string{"."}, folders...) {
		if f == "." || g.IntN(4) == 0 {
			files[filepath.Join(w.repo, f, ".gitignore")] = g.file(below(all, f))
		}
	}
	if g.IntN(3) == 0 {
		files[filepath.Join(w.repo, ".git/info/exclude")] = g.file(all)
	}
	if g.IntN(3) == 0 {
		files[filepath.Join(w.home, ".config/git/ignore")] = g.file(all)
	}
	if g.IntN(3) == 0 {
		files[filepath.Join(w.home, ".gitconfig")] = "[core]\n\tIgnoreCase = true\n"
	}
	for name, content := range files {
		w.write(name, content)
	}

	want, by := w.checkIgnore(w.repo, all)
	got := w.walk(w.repo)
	for _, p := range all {
		if want[p] {
			ignored++
		}
		if got[p] != want[p] {
			t.Errorf("%q: ignored = %v, git says %v by %q", p, got[p], want[p], by[p])
		}
	}
	// ls-files walks as a search does, and must agree with check-ignore.
	var walked []string
	for _, p := range strings.Split(w.git(w.repo, "", "ls-files", "--others", "--ignored", "--exclude-standard", "-z"), "\x00") {
		if p != "" && filepath.Base(p) != ".gitignore" {
			walked = append(walked, p)
		}
	}
	var ours []string
	for _, p := range paths {
		if got[p] {
			ours = append(ours, p)
		}
	}
	slices.Sort(walked)
	slices.Sort(ours)
	if !slices.Equal(walked, slices.Compact(ours)) {
		t.Errorf("ignored files: got %q, ls-files gives %q", ours, walked)
	}
	if t.Failed() {
		for name, content := range files {
			t.Logf("%s: %q", name, content)
		}
	}
	return len(all), ignored
}

// below gives the paths inside folder, relative to it.
func below(paths []string, folder string) []string {
	if folder == "." {
		return paths
	}
	var inside []string
	for _, p := range paths {
		if rel, ok := strings.CutPrefix(p, folder+"/"); ok {
			inside = append(inside, rel)
		}
	}
	return inside
}

type generator struct{ *rand.Rand }

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

var names = []string{
	"a", "b", "ab", "aab", "A", "Foo", "foo", "foo.o", "b.o", "bar", "a b", "é", "x[1]", "#a", "!a", `a\b`, "a ", " a",
	"-", "]", "a*", "^", "a-b", "build", "out", "a.b.c", "[", "?", "\t", "a\rb", "ba\r", "z:", "0", "7x", "**", "\xff",
}

// tree gives folders and files with names that patterns are likely to meet.
func (g *generator) tree() (folders, files []string) {
	kind := map[string]bool{".": true}
	all := []string{"."}
	for range 10 + g.IntN(30) {
		p := filepath.Join(all[g.IntN(len(all))], names[g.IntN(len(names))])
		if _, taken := kind[p]; taken || strings.Count(p, "/") > 5 {
			continue
		}
		kind[p] = true
		all = append(all, p)
		folders = append(folders, p)
	}
	for range 20 + g.IntN(80) {
		p := filepath.Join(all[g.IntN(len(all))], names[g.IntN(len(names))])
		if _, taken := kind[p]; taken {
			continue
		}
		kind[p] = false
		files = append(files, p)
	}
	return folders, files
}

// file writes an ignore file, most of whose patterns are made from paths.
func (g *generator) file(paths []string) string {
	var b strings.Builder
	if g.IntN(12) == 0 {
		b.WriteString("\uFEFF")
	}
	for n := g.IntN(7); n >= 0; n-- {
		b.WriteString(g.pattern(paths))
		b.WriteString(g.pick("\n", "\n", "\n", "\n", "\r\n", " \n", "  \n", "\\ \n", "\t\n", "\n\n", "\r\r\n", "\x00x\n"))
	}
	text := b.String()
	if g.IntN(8) == 0 {
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}

func (g *generator) pattern(paths []string) string {
	var p string
	if len(paths) == 0 || g.IntN(6) == 0 {
		for n := g.IntN(7); n >= 0; n-- {
			p += g.pick("a", "b", "o", ".", "/", "*", "**", "?", "[", "]", "[ab]", "[!a]", `\`, "-", "!", "^", "#", " ", "**/", "/**", "[[:alpha:]]", "F", "A", "[a-", "[[:", ":]]", "\xc3")
		}
	} else {
		parts := strings.Split(paths[g.IntN(len(paths))], "/")
		parts = parts[g.IntN(len(parts)):]
		if g.IntN(3) == 0 {
			parts = parts[:1+g.IntN(len(parts))]
		}
		for i, part := range parts {
			parts[i] = g.vary(part)
		}
		p = strings.Join(parts, "/")
	}
	switch g.IntN(8) {
	case 0, 1:
		p = "/" + p
	case 2:
		p = "**/" + p
	}
	switch g.IntN(10) {
	case 0, 1:
		p += "/"
	case 2:
		p += "/**"
	case 3:
		p += "/*"
	}
	switch g.IntN(12) {
	case 0, 1, 2:
		p = "!" + p
	case 3:
		p = `\` + p
	}
	return p
}

// vary makes a pattern that is likely to match a name, or to just miss it.
func (g *generator) vary(name string) string {
	switch g.IntN(12) {
	case 0:
		return "*"
	case 1:
		return "**"
	case 2:
		return name[:g.IntN(len(name)+1)] + g.pick("*", "**", "***")
	case 3:
		return g.pick("*", "**") + name[g.IntN(len(name)+1):]
	case 4, 5:
		return name
	}
	var b strings.Builder
	for i := range len(name) {
		c := string(name[i])
		switch g.IntN(9) {
		case 0:
			b.WriteString("?")
		case 1:
			b.WriteString(`\` + c)
		case 2:
			b.WriteString(g.set(name[i]))
		case 3:
			b.WriteString(g.pick("*", "*", "**", "") + c)
		case 4:
			b.WriteString(g.pick(strings.ToUpper(c), strings.ToLower(c), "\\"+strings.ToUpper(c), "*", "/"))
		default:
			b.WriteString(c)
		}
	}
	return b.String()
}

// set makes a bracket expression around c.
func (g *generator) set(c byte) string {
	var b strings.Builder
	b.WriteString("[" + g.pick("", "", "", "!", "^", "]", "!]", "^]", "-"))
	for n := g.IntN(3); n >= 0; n-- {
		b.WriteString(g.pick(
			string([]byte{c}), string([]byte{c}), fmt.Sprintf("%c-%c", max(c, 33)-1, min(c, 125)+1), `\`+string([]byte{c}), "a-z", "A-Z", "0-9",
			"[:alpha:]", "[:upper:]", "[:lower:]", "[:space:]", "[:punct:]", "[:digit:]", "[:alnum:]", "[:graph:]", "[:print:]", "[:xdigit:]",
			"[:cntrl:]", "[:blank:]", "[:nope:]", "[:", "[", "-", "--", "!", "^", `\]`, `a-\]`, "/", "z-a", "*-,", ":]",
		))
	}
	b.WriteString(g.pick("]", "]", "]", "]", "]", "]", "-]", `\]`, ""))
	return b.String()
}
