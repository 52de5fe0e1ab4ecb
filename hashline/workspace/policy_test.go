package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/search"
	"github.com/hashline-go/hashline/snapshot"
)

func TestPolicyPaths(t *testing.T) {
	for _, c := range []struct {
		deny, allow string
		denied, not string
	}{
		{"", "", "", "a .env .git/config a/b"},
		{".env", "", ".env a/.env .ENV .env/x", ".envrc a"},
		{"*.pem *.key", "", "a.pem x/y/B.PEM c.key d.pem/x", "pem a.pem.txt"},
		{"secret", "", "secret secret/a secret/b/c x/secret x/Secret/y", "secrets secre"},
		{"/secret", "", "secret secret/a/b", "x/secret x/secret/y"},
		{"secret/**", "", "secret/a secret/a/b", "secret x/secret/a"},
		{"secret/", "", "secret/a secret/a/b", "secret x/secret/a"},
		{"a/{b,c}/*.txt", "", "a/b/x.txt a/c/y.TXT a/b/x.txt/z", "a/b/x.md a/d/x.txt a/b/c/x.txt"},
		{"vendor", "vendor/ours/**", "vendor vendor/x vendor/ours vendor/yours/a x/vendor", "vendor/ours/a vendor/ours/a/b"},
		{"vendor", "vendor/ours/", "vendor/ours vendor/x", "vendor/ours/a"},
		{"vendor", "vendor/ours", "vendor vendor/ours/a", "vendor/ours"},
		{".env*", ".env.example", ".env .env.local x/.env", ".env.example x/.env.example"},
		{"*.key", "src", "src/a.key a.key", "src src/a"},
		{"", "src/** *.md", "a src .env lib/a.go", "src/a src/b/c a.md x/y.md"},
		{"**", "src/**", "a src", "src/a"},
		{"**", "", "a a/b .x", "."},
	} {
		p, err := newPolicy(Config{Deny: strings.Fields(c.deny), Allow: strings.Fields(c.allow)})
		require.NoError(t, err)
		for _, name := range strings.Fields(c.denied) {
			require.True(t, p.denies(name), "deny %q, allow %q: %s", c.deny, c.allow, name)
			require.False(t, p.searcher()(name, false), "deny %q, allow %q: %s", c.deny, c.allow, name)
		}
		for _, name := range strings.Fields(c.not) {
			require.False(t, p.denies(name), "deny %q, allow %q: %s", c.deny, c.allow, name)
			require.False(t, p.hides(name), "deny %q, allow %q: %s", c.deny, c.allow, name)
			require.True(t, p.searcher()(name, false), "deny %q, allow %q: %s", c.deny, c.allow, name)
		}
	}
}

func TestPolicyShortNames(t *testing.T) {
	p, err := newPolicy(Config{Deny: []string{"*.key"}, Allow: []string{"**"}})
	require.NoError(t, err)
	for _, short := range []bool{true, false} {
		p.shortNames = short
		for _, name := range []string{"SECRET~1.TXT", "a/FOLDER~2/b"} {
			require.Equal(t, short, p.denies(name))
		}
		require.Equal(t, !short, p.writes("git~1/config"))
		require.False(t, p.denies("a~b"))
	}
}

func TestPolicyRefusesGlobs(t *testing.T) {
	for _, cfg := range []Config{
		{Deny: []string{"[a"}}, {Allow: []string{"{a"}}, {Deny: []string{""}}, {Deny: []string{"a", "!b"}}, {Allow: []string{"!b"}},
	} {
		cfg.State = filepath.Join(t.TempDir(), "state")
		_, err := Open(t.TempDir(), cfg)
		require.ErrorIs(t, err, hashline.BadPattern)
	}
}

// guarded opens a workspace with a policy.
func guarded(t *testing.T, files map[string]string, cfg Config) *Session {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	cfg.State = filepath.Join(t.TempDir(), "state")
	w, err := Open(dir, cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w.Session(SessionConfig{})
}

func textOf(res *Result, err error) string {
	if err != nil {
		return err.(*Refusal).Content
	}
	return res.Content
}

func tagOf(text string) string { return snapshot.XXH64.Tag([]byte(text)).String() }

// TestDeniedInEveryTool asks every tool for what is denied, by its name and by
// links, there or not. The refusal is the same and says nothing of the file.
func TestDeniedInEveryTool(t *testing.T) {
	const text = "the hidden text\n"
	w := guarded(t, map[string]string{"pub.txt": "a\n", "secret/a.txt": text, "secret/b/c.txt": text, "x/my.key": text},
		Config{Deny: []string{"secret", "*.key"}})
	in := func(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }
	symlink(t, "secret/a.txt", in("link"))
	symlink(t, in("secret"), in("folder"))
	symlink(t, "link", in("x/../chain"))
	symlink(t, "secret/gone", in("dangling"))
	symlink(t, "../pub.txt", in("secret/way"))
	symlink(t, "/etc/passwd", in("secret/out"))
	symlink(t, "secret/out", in("tout"))
	symlink(t, "loop", in("secret/loop"))
	ctx := context.Background()
	tag := tagOf(text)
	for _, name := range []string{
		"secret/a.txt", "secret", "secret/b", "SECRET/a.txt", "secret/gone.txt", "secret/a.txt/x", "x/my.key", "x/other.key", in("secret/a.txt"),
		"./x/../secret/a.txt", "link", "folder", "folder/a.txt", "folder/b/c.txt", "folder/gone", "folder/a.txt/x", "chain", "dangling", "secret/way",
		"folder/out", "tout", "folder/loop", "secret/x\x01",
	} {
		clean, err := w.clean(name)
		require.NoError(t, err)
		want := deniedPath(clean).Error()
		require.Contains(t, want, ": denied: the policy of this workspace allows neither reading nor writing here; do without this file")
		for tool, f := range map[string]func() (*Result, error){
			"read_file": func() (*Result, error) { return w.Read(ctx, ReadArgs{Path: name}) },
			"grep":      func() (*Result, error) { return w.Grep(ctx, search.Query{Pattern: "h", Path: name}) },
			"edit": func() (*Result, error) {
				return w.Edit(ctx, "["+name+"#"+tag+"]\nPUT 1:\n+x\n")
			},
			"edit, stale": func() (*Result, error) { return w.Edit(ctx, "["+name+"#0000]\nPUT 1:\n+x\n") },
			"check":       func() (*Result, error) { return w.Check(ctx, "["+name+"#"+tag+"]\nPUT 1:\n+x\n") },
			"write":       func() (*Result, error) { return w.Write(ctx, WriteArgs{Path: name, Content: "x\n"}) },
			"write, tag":  func() (*Result, error) { return w.Write(ctx, WriteArgs{Path: name, Content: "x\n", Expect: "0000"}) },
			"write, absent": func() (*Result, error) {
				return w.Write(ctx, WriteArgs{Path: name, Content: "x\n", Expect: expectAbsent})
			},
		} {
			_, err := f()
			require.ErrorIs(t, err, hashline.Denied, "%s of %s", tool, name)
			head, rest, _ := strings.Cut(textOf(nil, err), "\n")
			require.Contains(t, head, "rejected")
			require.Equal(t, want, strings.Replace(rest, "line 1, column 1: ", "", 1), "%s of %s", tool, name)
		}
	}
	require.Equal(t, text, onDisk(t, w, "secret/a.txt"))
	require.Equal(t, text, onDisk(t, w, "x/my.key"))
	_, err := os.Lstat(in("secret/gone.txt"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestDeniedInRefusals: a refusal of a document shows the files that may be read
// and of the others only that they are denied.
func TestDeniedInRefusals(t *testing.T) {
	w := guarded(t, map[string]string{"a.txt": "shown\n", "b.key": "hidden\n", "c.txt": "also shown\n"}, Config{Deny: []string{"*.key"}})
	symlink(t, "b.key", filepath.Join(w.dir, "link"))
	ctx := context.Background()
	for _, denied := range []string{"b.key", "link"} {
		for _, doc := range []string{
			"[a.txt#0000]\nPUT 1:\n+x\n[" + denied + "#0000]\nPUT 1:\n+x\n[c.txt#0000]\nCUT 1\n",
			"[a.txt#" + tagOf("shown\n") + "]\nPUT 9:\n+x\n[" + denied + "#" + tagOf("hidden\n") + "]\nPUT 1:\n+x\n[c.txt#0000]\nCUT 1\n",
			"[a.txt#0000]\nPUT 1:\nx\n[" + denied + "#0000]\nPUT 1:\n+x\n[c.txt#0000]\nCUT 1\n", // does not parse
		} {
			_, err := w.Edit(ctx, doc)
			got := textOf(nil, err)
			require.Contains(t, got, "\n1:shown")
			require.Contains(t, got, "\n1:also shown")
			require.NotContains(t, got, "hidden")
			require.NotContains(t, got, tagOf("hidden\n")+"]")
		}
		// All or none: the denied section keeps the other from being written.
		_, err := w.Edit(ctx, "[a.txt#"+tagOf("shown\n")+"]\nPUT 1:\n+x\n["+denied+"#"+tagOf("hidden\n")+"]\nPUT 1:\n+x\n")
		require.ErrorIs(t, err, hashline.Denied)
		require.Contains(t, textOf(nil, err), "\nvalid: a.txt")
		require.Equal(t, "shown\n", onDisk(t, w, "a.txt"))
	}
}

// TestDeniedIsNotNamed: what is denied is not among the close names of a file
// that is not found, nor is a link to it.
func TestDeniedIsNotNamed(t *testing.T) {
	files := map[string]string{"key1.txt": "x", "key2.txt": "x", "key3.txt": "x", "key4.txt": "x", "secret/a.txt": "x", "keyA.txt": "x"}
	w := guarded(t, files, Config{Deny: []string{"key[1-4].txt", "secret"}})
	symlink(t, "key1.txt", filepath.Join(w.dir, "keyB.txt"))
	ctx := context.Background()
	for _, name := range []string{"key0.txt", "key.txt", "secre/a.txt", "secrets"} {
		_, err := w.Read(ctx, ReadArgs{Path: name})
		require.ErrorIs(t, err, hashline.NotFound)
		hint := faultsOf(err)[0].Hint
		if strings.HasPrefix(name, "key") {
			require.Equal(t, "close names: keyA.txt", hint)
		} else {
			require.Empty(t, hint)
		}
	}
}

func TestDeniedIsNotSearched(t *testing.T) {
	files := map[string]string{
		"a.txt": "x\n", "b.key": "x\n", "secret/a.txt": "x\n", "secret/pub/b.txt": "x\n", "src/c.go": "x\n", "src/.env": "x\n", ".env": "x\n", "bin.key": "\x00",
	}
	for _, c := range []struct{ deny, allow, path, want string }{
		{"*.key secret .env", "", "", "a.txt: 1\nsrc/c.go: 1\n\n[2 matches in 2 files]"},
		{"*.key secret .env", "secret/pub/**", "", "a.txt: 1\nsecret/pub/b.txt: 1\nsrc/c.go: 1\n\n[3 matches in 3 files]"},
		{"*.key secret .env", "secret/pub/**", "secret", "secret/pub/b.txt: 1\n\n[1 matches in 1 files]"},
		{"*.key secret .env", "secret/pub/**", "secret/pub", "secret/pub/b.txt: 1\n\n[1 matches in 1 files]"},
		{"", "src/**", "", ".env"},
		{"", "src/*.go", "", "src/c.go: 1\n\n[1 matches in 1 files]"},
		{"", "src/*.go", "src", "src/c.go: 1\n\n[1 matches in 1 files]"},
		{"", "*.go", "", "src/c.go: 1\n\n[1 matches in 1 files]"},
		{"**", "", "", "[0 matches in 0 files]"},
	} {
		w := guarded(t, files, Config{Deny: strings.Fields(c.deny), Allow: strings.Fields(c.allow)})
		res, err := w.Grep(context.Background(), search.Query{Pattern: "x", Path: c.path, Mode: search.Count, IncludeHidden: true})
		require.NoError(t, err)
		if c.want == ".env" {
			c.want = "src/.env: 1\nsrc/c.go: 1\n\n[2 matches in 2 files]"
		}
		require.Equal(t, c.want, res.Content, "deny %q, allow %q, path %q", c.deny, c.allow, c.path)
	}
}

func TestReadOnlyWorkspace(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a.txt"), "a\n")
	state := filepath.Join(t.TempDir(), "state")
	ws, err := Open(dir, Config{State: state, ReadOnly: true})
	require.NoError(t, err)
	defer ws.Close()
	w := ws.Session(SessionConfig{})
	ctx := context.Background()
	for _, doc := range []string{"[a.txt#" + tagOf("a\n") + "]\nPUT 1:\n+x\n", "[a.txt#0000]\nCUT 1\n", "no document"} {
		_, err := w.Edit(ctx, doc)
		require.ErrorIs(t, err, hashline.ReadOnly)
		require.Equal(t, "edit rejected, nothing was written\nread_only: the workspace is read-only; only reading and searching is possible here", textOf(nil, err))
		_, err = w.Check(ctx, doc)
		require.ErrorIs(t, err, hashline.ReadOnly)
	}
	for _, args := range []WriteArgs{{Path: "a.txt", Content: "x"}, {Path: "new/b.txt"}, {Path: "../c"}} {
		_, err := w.Write(ctx, args)
		require.ErrorIs(t, err, hashline.ReadOnly)
	}
	res, err := w.Read(ctx, ReadArgs{Path: "a.txt"})
	require.NoError(t, err)
	require.Contains(t, res.Content, "\n1:a")
	_, err = w.Grep(ctx, search.Query{Pattern: "a"})
	require.NoError(t, err)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	_, err = os.Lstat(state)
	require.ErrorIs(t, err, os.ErrNotExist, "nothing is stored either")
}

func TestAllowGit(t *testing.T) {
	w := guarded(t, map[string]string{".git/config": "x\n", "sub/.git/config": "x\n"}, Config{AllowGit: true})
	for _, name := range []string{".git/config", "sub/.git/config", ".git/new"} {
		_, err := w.Write(context.Background(), WriteArgs{Path: name, Content: "y\n"})
		require.NoError(t, err)
		require.Equal(t, "y\n", onDisk(t, w, name))
	}
	w = guarded(t, map[string]string{".git/config": "x\n"}, Config{AllowGit: true, Deny: []string{".git"}})
	_, err := w.Write(context.Background(), WriteArgs{Path: ".git/config", Content: "y\n"})
	require.ErrorIs(t, err, hashline.Denied)
}
