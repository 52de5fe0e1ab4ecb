package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/search"
)

// naiveGlob matches without regard to case, name by name: * within a name, ** for
// any names. It shares no code with package glob.
func naiveGlob(glob, name string) bool {
	glob, name = strings.ToLower(glob), strings.ToLower(name)
	if !strings.Contains(glob, "/") {
		ok, _ := path.Match(glob, path.Base(name))
		return ok
	}
	var match func(g, n []string) bool
	match = func(g, n []string) bool {
		switch {
		case len(g) == 0:
			return len(n) == 0
		case g[0] == "**" && len(g) == 1:
			return len(n) > 0
		case g[0] == "**":
			return match(g[1:], n) || len(n) > 0 && match(g, n[1:])
		case len(n) == 0:
			return false
		}
		ok, _ := path.Match(g[0], n[0])
		return ok && match(g[1:], n[1:])
	}
	return match(strings.Split(strings.TrimPrefix(glob, "/"), "/"), strings.Split(name, "/"))
}

func naiveDenied(deny, allow []string, name string) bool {
	any := func(globs []string, name string) bool {
		return slices.ContainsFunc(globs, func(g string) bool { return naiveGlob(g, name) })
	}
	denied := len(deny) == 0 && len(allow) > 0
	for at := name; at != "."; at = path.Dir(at) {
		denied = denied || any(deny, at)
	}
	return denied && !any(allow, name)
}

// guardedTree is a random tree below a workspace.
type guardedTree struct {
	dir string
	// files holds the content of every file by its path.
	files map[string]string
	// paths are ways to name things, some through links.
	paths []string
}

var treeNames = []string{"a", "b", "secret", "pub"}
var treeFiles = []string{"x.txt", "y.key", ".env", "secret", "Z.KEY", "x2.txt"}

func randomTree(t *testing.T, r *rand.Rand) guardedTree {
	tree := guardedTree{dir: t.TempDir(), files: map[string]string{}}
	folders := []string{"."}
	for range 2 + r.IntN(6) {
		folder := path.Join(folders[r.IntN(len(folders))], treeNames[r.IntN(len(treeNames))])
		if os.Mkdir(filepath.Join(tree.dir, folder), 0o777) == nil {
			folders = append(folders, folder)
		}
	}
	for range 4 + r.IntN(12) {
		name := path.Join(folders[r.IntN(len(folders))], treeFiles[r.IntN(len(treeFiles))])
		at := filepath.Join(tree.dir, name)
		if _, err := os.Lstat(at); err == nil {
			continue
		}
		tree.files[name] = fmt.Sprintf("MARK(%s)%08x\n", name, r.Uint32())
		put(t, at, tree.files[name])
	}
	targets := slices.Concat(folders, slices.Sorted(func(yield func(string) bool) {
		for name := range tree.files {
			if !yield(name) {
				return
			}
		}
	}))
	for i := range r.IntN(8) {
		name := path.Join(folders[r.IntN(len(folders))], fmt.Sprintf("l%d", i))
		target := targets[r.IntN(len(targets))]
		to := filepath.Join(tree.dir, target)
		if r.IntN(2) == 0 {
			var err error
			to, err = filepath.Rel(filepath.Join(tree.dir, path.Dir(name)), to)
			require.NoError(t, err)
		}
		symlink(t, to, filepath.Join(tree.dir, name))
		targets = append(targets, name)
	}
	tree.paths = slices.Clone(targets)
	for range 30 {
		tree.paths = append(tree.paths, path.Join(targets[r.IntN(len(targets))],
			append(treeFiles, "l0", "l1", "gone", "x3.txt", "secret/x.txt", "pub/y.key")[r.IntN(len(treeFiles)+6)]))
	}
	return tree
}

var someGlobs = []string{"*.key", "secret", "/secret", "secret/**", "**/secret/**", ".env", "a/*", "a/**/*.txt", "pub", "x*", "**", "*/b", "l0"}

func randomGlobs(r *rand.Rand, most int) []string {
	var globs []string
	for range r.IntN(most + 1) {
		globs = append(globs, someGlobs[r.IntN(len(someGlobs))])
	}
	return globs
}

// realOf gives the path that a path leads to, as the system sees it, "" where
// nothing is there.
func (tree guardedTree) realOf(name string) string {
	real, err := filepath.EvalSymlinks(filepath.Join(tree.dir, name))
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(tree.dir, real)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

// TestNothingDeniedIsTold: with any policy, on any tree, no answer of any tool
// holds the content of a denied file or names it unasked, none of them changes,
// and what is not denied is read, by each of its names.
func TestNothingDeniedIsTold(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	read, hidden := 0, 0
	// Trees differ in how much of them is denied.
	for n := 0; n < 7 || n < 50 && (read <= 30 || hidden <= 10); n++ {
		tree := randomTree(t, r)
		cfg := Config{Deny: randomGlobs(r, 3), Allow: randomGlobs(r, 2), State: filepath.Join(t.TempDir(), "state")}
		ws, err := Open(tree.dir, cfg)
		require.NoError(t, err)
		w := ws.Session(SessionConfig{})
		w.store.NoSync = true
		// Allow tells case apart where the system does; the trees have it both ways.
		denied := func(name string) bool { return w.policy.denies(name) }
		for name := range tree.files {
			if strings.ToLower(name) == name {
				require.Equal(t, naiveDenied(cfg.Deny, cfg.Allow, name), denied(name), "deny %q, allow %q: %s", cfg.Deny, cfg.Allow, name)
			}
		}
		for _, name := range tree.paths {
			real := tree.realOf(name)
			text, isFile := tree.files[real]
			res, err := w.Read(context.Background(), ReadArgs{Path: name})
			switch {
			case denied(name) || real != "" && denied(real):
				require.ErrorIs(t, err, hashline.Denied, name)
			case isFile:
				require.NoError(t, err, "deny %q, allow %q: %s", cfg.Deny, cfg.Allow, name)
				require.Contains(t, res.Content, "\n1:"+strings.TrimSpace(text))
				read++
			default:
				require.Error(t, err, name)
			}
		}
		answers, why := tree.ask(r, w)
		for name, text := range tree.files {
			if !denied(name) {
				continue
			}
			hidden++
			for i, answer := range answers {
				require.NotContains(t, answer, strings.TrimSpace(text), "deny %q, allow %q: %s", cfg.Deny, cfg.Allow, why[i])
				for _, close := range closeIn(answer) {
					require.NotEqual(t, name, tree.realOf(close), "deny %q, allow %q: %s", cfg.Deny, cfg.Allow, why[i])
				}
			}
			require.Equal(t, text, onDisk(t, w, name))
		}
		require.NoError(t, ws.Close())
	}
	t.Logf("%d reads, %d denied files", read, hidden)
	require.Greater(t, read, 30)
	require.Greater(t, hidden, 10)
}

var closeNamesIn = regexp.MustCompile(`close names: (.*)`)

func closeIn(answer string) []string {
	m := closeNamesIn.FindStringSubmatch(answer)
	if m == nil {
		return nil
	}
	return strings.Split(m[1], ", ")
}

// ask makes calls of every tool on every path and gives all texts that came back,
// those for hosts included, and what each was an answer to.
func (tree guardedTree) ask(r *rand.Rand, w *Session) (answers, why []string) {
	ctx := context.Background()
	take := func(what string, res *Result, err error) {
		text := textOf(res, err)
		if err == nil {
			for _, f := range success(res).Files {
				text += "\n" + f.Path + "\n" + f.Diff
			}
		}
		answers, why = append(answers, text), append(why, what)
	}
	for _, name := range tree.paths {
		res, err := w.Read(ctx, ReadArgs{Path: name})
		take("read "+name, res, err)
		res, err = w.Grep(ctx, search.Query{Pattern: "MARK", Path: name, IncludeHidden: true})
		take("grep "+name, res, err)
		other := tree.paths[r.IntN(len(tree.paths))]
		for _, doc := range []string{
			"[" + name + "#0000]\nPUT 1:\n+x\n",
			"[" + name + "#0000]\nPUT 1:\nx\n",
			"[" + other + "#0000]\nPUT 1:\n+x\n[" + name + "#" + tagOf(tree.files[name]) + "]\nPUT 9:\n+x\n",
			"[" + name + "#" + tagOf(tree.files[tree.realOf(name)]) + "]\nCUT 9\n",
		} {
			res, err = w.Edit(ctx, doc)
			take("edit "+doc, res, err)
			res, err = w.Check(ctx, doc)
			take("check "+doc, res, err)
		}
		res, err = w.Write(ctx, WriteArgs{Path: name, Content: "x\n", Expect: "0000"})
		take("write "+name, res, err)
		res, err = w.Write(ctx, WriteArgs{Path: name, Content: "x\n", Expect: expectAbsent})
		take("write absent "+name, res, err)
	}
	// Last, what succeeds and so changes the tree.
	for _, name := range tree.paths {
		res, err := w.Edit(ctx, "["+name+"#"+tagOf(tree.files[tree.realOf(name)])+"]\nPUT <1:\n+x\n")
		take("edit "+name, res, err)
		if _, isFile := tree.files[tree.realOf(name)]; isFile {
			res, err = w.Write(ctx, WriteArgs{Path: name, Content: "x\n"})
			take("write "+name, res, err)
		}
	}
	return answers, why
}

// TestLinkSwappedIntoADeniedPlace swaps a folder for a link to a denied one, to
// and fro, while it is read and searched: no answer holds what is denied.
func TestLinkSwappedIntoADeniedPlace(t *testing.T) {
	w := guarded(t, map[string]string{"pub/d/x.txt": "shown\n", "secret/d/x.txt": "hidden\n"}, Config{Deny: []string{"secret"}})
	in := func(name string) string { return filepath.Join(w.dir, name) }
	symlink(t, "secret", in("link"))
	done := make(chan struct{})
	swapped := make(chan int)
	go func() {
		n := 0
		for ; ; n++ {
			select {
			case <-done:
				swapped <- n
				return
			default:
			}
			_ = os.Rename(in("pub"), in("away"))
			_ = os.Rename(in("link"), in("pub"))
			_ = os.Rename(in("pub"), in("link"))
			_ = os.Rename(in("away"), in("pub"))
		}
	}()
	ctx := context.Background()
	shown := 0
	for start := time.Now(); time.Since(start) < time.Second || shown == 0 && time.Since(start) < time.Minute; {
		for _, f := range []func() (*Result, error){
			func() (*Result, error) { return w.Read(ctx, ReadArgs{Path: "pub/d/x.txt"}) },
			func() (*Result, error) { return w.Edit(ctx, "[pub/d/x.txt#0000]\nPUT 1:\n+x\n") },
			func() (*Result, error) {
				return w.Write(ctx, WriteArgs{Path: "pub/d/x.txt", Content: "x\n", Expect: "0000"})
			},
			func() (*Result, error) { return w.Grep(ctx, search.Query{Pattern: "hidden|shown", Path: "pub"}) },
		} {
			text := textOf(f())
			require.NotContains(t, text, "hidden")
			if strings.Contains(text, "shown") {
				shown++
			}
		}
	}
	close(done)
	n := <-swapped
	t.Logf("%d swaps, shown %d times", n, shown)
	require.Positive(t, shown)
	data, err := os.ReadFile(in("secret/d/x.txt"))
	require.NoError(t, err)
	require.Equal(t, "hidden\n", string(data))
	require.NoError(t, filepath.WalkDir(in("secret"), func(name string, d fs.DirEntry, err error) error {
		require.NotContains(t, name, "tmp.")
		return err
	}))
}
