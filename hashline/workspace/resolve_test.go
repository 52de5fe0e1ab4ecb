package workspace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/search"
)

func symlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("SKIPPED: this system makes no symbolic links here: %v", err)
	}
}

func TestResolve(t *testing.T) {
	w := open(t, map[string]string{"a.txt": "a\n", "d/b.txt": "b\n", "d/e/c.txt": "c\n"})
	outside := t.TempDir()
	put(t, filepath.Join(outside, "secret"), "secret\n")
	in := func(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }
	symlink(t, "a.txt", in("link"))
	symlink(t, "../a.txt", in("d/up"))
	symlink(t, in("d/b.txt"), in("absolute"))
	symlink(t, "d", in("folder"))
	symlink(t, "loop2", in("loop1"))
	symlink(t, "loop1", in("loop2"))
	symlink(t, filepath.Join(outside, "secret"), in("leak"))
	symlink(t, outside, in("leakdir"))
	symlink(t, "..", in("above"))
	symlink(t, "gone.txt", in("dangling"))
	symlink(t, "../gone", in("danglingup"))

	for name, want := range map[string]place{
		"a.txt":               {path: "a.txt", real: "a.txt", exists: true},
		"./d/../a.txt":        {path: "a.txt", real: "a.txt", exists: true},
		in("a.txt"):           {path: "a.txt", real: "a.txt", exists: true},
		in("d/../a.txt"):      {path: "a.txt", real: "a.txt", exists: true},
		"link":                {path: "link", real: "a.txt", exists: true},
		"d/up":                {path: "d/up", real: "a.txt", exists: true},
		"absolute":            {path: "absolute", real: "d/b.txt", exists: true},
		"folder/e/c.txt":      {path: "folder/e/c.txt", real: "d/e/c.txt", exists: true},
		"folder/up":           {path: "folder/up", real: "a.txt", exists: true},
		"folder":              {path: "folder", real: "d", exists: true},
		".":                   {path: ".", real: ".", exists: true},
		"dangling":            {path: "dangling", real: "gone.txt"},
		"new/deep/file":       {path: "new/deep/file", real: "new/deep/file"},
		"folder/new/deep.txt": {path: "folder/new/deep.txt", real: "d/new/deep.txt"},
	} {
		got, err := w.resolve(name)
		require.NoError(t, err, name)
		require.Equal(t, want.path, got.path, name)
		require.Equal(t, want.real, got.real, name)
		require.Equal(t, want.exists, got.exists, name)
	}
	for name, code := range map[string]hashline.Code{
		"":                               hashline.BadPath,
		"a\nb":                           hashline.BadPath,
		" a.txt":                         hashline.BadPath,
		"a.txt\t":                        hashline.BadPath,
		"a\x00b":                         hashline.BadPath,
		strings.Repeat("x/", 4000):       hashline.BadPath,
		strings.Repeat("x", 400):         hashline.BadPath,
		"..":                             hashline.OutsideRoot,
		"../a.txt":                       hashline.OutsideRoot,
		"d/../../a.txt":                  hashline.OutsideRoot,
		"/etc/passwd":                    hashline.OutsideRoot,
		w.dir + "-evil/x":                hashline.OutsideRoot,
		in("../x"):                       hashline.OutsideRoot,
		filepath.Join(outside, "secret"): hashline.OutsideRoot,
		"leak":                           hashline.OutsideRoot,
		"leakdir/secret":                 hashline.OutsideRoot,
		"leakdir/new":                    hashline.OutsideRoot,
		"above/" + filepath.Base(w.dir):  hashline.OutsideRoot,
		"danglingup":                     hashline.OutsideRoot,
		"loop1":                          hashline.LinkLoop,
		"loop1/x":                        hashline.LinkLoop,
		"a.txt/b":                        hashline.NotFound,
		"link/b":                         hashline.NotFound,
	} {
		_, err := w.resolve(name)
		require.ErrorIs(t, err, code, name)
	}
}

// TestRootByLink opens the root by a link: absolute paths of either spelling
// name its files.
func TestRootByLink(t *testing.T) {
	real := t.TempDir()
	put(t, filepath.Join(real, "a.txt"), "a\n")
	link := filepath.Join(t.TempDir(), "link")
	symlink(t, real, link)
	w, err := Open(link, Config{State: filepath.Join(t.TempDir(), "state")})
	require.NoError(t, err)
	defer w.Close()
	for _, dir := range []string{real, link, w.Root()} {
		pl, err := w.resolve(filepath.Join(dir, "a.txt"))
		require.NoError(t, err)
		require.Equal(t, "a.txt", pl.path)
	}
}

// TestStateFolderIsOutOfReach keeps the state folder below the root, where every
// tool must refuse it, by whatever way it is named.
func TestStateFolderIsOutOfReach(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a.txt"), "a\n")
	ws, err := Open(dir, Config{State: filepath.Join(dir, "private", "state")})
	require.NoError(t, err)
	defer ws.Close()
	w := ws.Session(SessionConfig{})
	ctx := context.Background()
	_, err = w.Write(ctx, WriteArgs{Path: "b.txt", Content: "b\n"})
	require.NoError(t, err)
	symlink(t, filepath.Join("private", "state"), filepath.Join(dir, "way"))
	found, err := w.Grep(ctx, search.Query{Pattern: ".", IncludeHidden: true})
	require.NoError(t, err)
	require.NotContains(t, found.Content, "private")
	require.NotContains(t, found.Content, "way")
	_, err = w.Grep(ctx, search.Query{Pattern: ".", Path: "private/state"})
	require.ErrorIs(t, err, hashline.Denied)
	for _, name := range []string{"private/state", "private/state/x", "private/state/locks/0", "way/x", "way"} {
		_, err := w.Read(ctx, ReadArgs{Path: name})
		require.ErrorIs(t, err, hashline.Denied, name)
		_, err = w.Write(ctx, WriteArgs{Path: name, Content: "x"})
		require.ErrorIs(t, err, hashline.Denied, name)
		_, err = w.Edit(ctx, "["+name+"#0000]\nPUT 1:\n+x\n")
		require.ErrorIs(t, err, hashline.Denied, name)
	}
}

func TestGitFolderIsNotForWriting(t *testing.T) {
	w := open(t, map[string]string{".git/config": "[core]\n", "sub/.git/x": "x\n", ".github/x": "x\n", ".gitignore": "x\n"})
	symlink(t, filepath.Join(".git", "config"), filepath.Join(w.dir, "cfg"))
	ctx := context.Background()
	for _, name := range []string{".git/config", ".git/new", "sub/.git/x", ".GIT/config", "cfg", ".git"} {
		_, err := w.Write(ctx, WriteArgs{Path: name, Content: "x\n"})
		require.ErrorIs(t, err, hashline.Denied, name)
	}
	for _, name := range []string{".github/x", ".gitignore", "git"} {
		_, err := w.Write(ctx, WriteArgs{Path: name, Content: "y\n"})
		require.NoError(t, err, name)
	}
	_, err := w.Read(ctx, ReadArgs{Path: ".git/config"})
	require.NoError(t, err)
}

func TestNotFoundNamesWhatIsClose(t *testing.T) {
	w := open(t, map[string]string{
		"src/main.go": "x\n", "src/mail.go": "x\n", "src/other.txt": "x\n", "README.md": "x\n",
		"cafe\u0301.txt": "x\n",
	})
	for name, want := range map[string]string{
		"src/mian.go":   "src/main.go",
		"src/Main.GO":   "src/main.go",
		"readme.md":     "README.md",
		"scr/main.go":   "src",
		"caf\u00e9.txt": `"cafe\u0301.txt"`,
	} {
		_, err := w.Read(context.Background(), ReadArgs{Path: name})
		require.ErrorIs(t, err, hashline.NotFound)
		require.Contains(t, err.Error(), want, name)
	}
	_, err := w.Read(context.Background(), ReadArgs{Path: "nothing-like-it.xyz"})
	require.NotContains(t, err.Error(), "close")
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"kitten", "sitting", 3}, {"abc", "abc", 0}, {"abc", "acb", 2},
		{"é", "e\u0301", 2}, {"long name", "x", 4}, {"abcdef", "uvwxyz", 4},
	} {
		require.Equal(t, c.want, distance(c.a, c.b, 3), c)
		require.Equal(t, c.want, distance(c.b, c.a, 3), c)
	}
}

// TestDistanceAgainstNaive compares with the plain recursion of the textbooks.
func TestDistanceAgainstNaive(t *testing.T) {
	var naive func(a, b string) int
	naive = func(a, b string) int {
		switch {
		case a == "" || b == "":
			return len(a) + len(b)
		case a[0] == b[0]:
			return naive(a[1:], b[1:])
		}
		return 1 + min(naive(a[1:], b), naive(a, b[1:]), naive(a[1:], b[1:]))
	}
	rng := rand.New(rand.NewPCG(3, 4))
	word := func() string {
		b := make([]byte, rng.IntN(7))
		for i := range b {
			b[i] = byte('a' + rng.IntN(3))
		}
		return string(b)
	}
	for range 3000 {
		a, b, limit := word(), word(), rng.IntN(5)
		require.Equal(t, min(naive(a, b), limit+1), distance(a, b, limit), "%q %q %d", a, b, limit)
	}
}

// TestCloseNamesAreCheap asks for many files that are not there in a folder of
// many long names that are nearly alike.
func TestCloseNamesAreCheap(t *testing.T) {
	files := map[string]string{}
	for i := range 2000 {
		files[fmt.Sprintf("%s%06d", strings.Repeat("n", 200), i)] = ""
	}
	w := open(t, files)
	var doc strings.Builder
	for i := range 300 {
		fmt.Fprintf(&doc, "[%s%03d#0000]\nCUT 1\n", strings.Repeat("n", 203), i)
	}
	start := time.Now()
	_, err := w.Edit(context.Background(), doc.String())
	require.ErrorIs(t, err, hashline.NotFound)
	require.Equal(t, maxNamed, strings.Count(err.Error(), "close names: "))
	require.Less(t, time.Since(start), 20*time.Second)
}

// TestLinkChangedWhileWaiting points a link elsewhere while an edit through it
// waits for its lock: the file that it then leads to must be locked too.
func TestLinkChangedWhileWaiting(t *testing.T) {
	w := open(t, map[string]string{"f0": "a\n", "f1": "a\n", "f2": "a\n"})
	link := filepath.Join(w.dir, "link")
	symlink(t, "f0", link)
	ctx := context.Background()
	first, err := w.lock(ctx, "f0")
	require.NoError(t, err)
	other := "f1"
	short, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	second, err := w.lock(short, other)
	if err != nil { // the two files happen to share a lock
		other = "f2"
		second, err = w.lock(ctx, other)
	}
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() {
		_, err := w.Edit(ctx, hashline.Header("link", w.scheme.Tag([]byte("a\n")))+"\nPUT 1:\n+b\n")
		done <- err
	}()
	time.Sleep(50 * time.Millisecond)
	require.NoError(t, os.Remove(link))
	symlink(t, other, link)
	first.Release()
	select {
	case err := <-done:
		t.Fatalf("the edit did not wait for the second lock: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	require.Equal(t, "a\n", onDisk(t, w, other))
	second.Release()
	require.NoError(t, <-done)
	require.Equal(t, "b\n", onDisk(t, w, other))
	require.Equal(t, "a\n", onDisk(t, w, "f0"))
}

func TestOpenRefusesWhatIsNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, "x")
	for _, dir := range []string{file, file + "-gone"} {
		_, err := Open(dir, Config{State: filepath.Join(t.TempDir(), "state")})
		require.Error(t, err)
	}
	_, err := Open(t.TempDir(), Config{State: filepath.Join(t.TempDir(), "s"), Scheme: "md5"})
	require.True(t, errors.Is(err, hashline.BadArgument))
}
