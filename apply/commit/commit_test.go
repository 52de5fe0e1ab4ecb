package commit

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

func TestCommit(t *testing.T) {
	big := strings.Repeat("0123456789abcdef\n", 100_000)
	for _, c := range []struct {
		name    string
		files   map[string]string
		changes []Change
		want    map[string]string
	}{
		{"one file", map[string]string{"a": "1\n"}, []Change{edit("a", "1\n", "2\n")}, map[string]string{"a": "2\n"}},
		{"to empty", map[string]string{"a": "1\n"}, []Change{edit("a", "1\n", "")}, map[string]string{"a": ""}},
		{"from empty", map[string]string{"a": ""}, []Change{edit("a", "", "x")}, map[string]string{"a": "x"}},
		{"any bytes", map[string]string{"a": "\x00\xff"}, []Change{edit("a", "\x00\xff", "\r\xfe")}, map[string]string{"a": "\r\xfe"}},
		{"larger than the buffer", map[string]string{"a": big}, []Change{edit("a", big, big+"x")}, map[string]string{"a": big + "x"}},
		{"several folders", map[string]string{"d/a": "1", "d/e/b": "2", "c": "3"},
			[]Change{edit("d/e/b", "2", "two"), edit("c", "3", "three"), edit("d/a", "1", "one")},
			map[string]string{"d/a": "one", "d/e/b": "two", "c": "three"}},
		{"new file", map[string]string{"a": "1"}, []Change{create("b", "new")}, map[string]string{"a": "1", "b": "new"}},
		{"new empty file", nil, []Change{create("b", "")}, map[string]string{"b": ""}},
		{"new folders", map[string]string{"a/x": "1"}, []Change{create("a/b/c/d", "new"), create("a/b/e", "two")},
			map[string]string{"a/x": "1", "a/b/c/d": "new", "a/b/e": "two"}},
		{"new beside old", map[string]string{"a": "1"}, []Change{create("d/b", "new"), edit("a", "1", "2")},
			map[string]string{"a": "2", "d/b": "new"}},
		{"names that look like something", map[string]string{"-rf": "1", "a b": "2", "ü\n": "3", ".hashline-x.tmp": "4"},
			[]Change{edit("-rf", "1", "one"), edit("a b", "2", "two"), edit("ü\n", "3", "three"), edit(".hashline-x.tmp", "4", "four")},
			map[string]string{"-rf": "one", "a b": "two", "ü\n": "three", ".hashline-x.tmp": "four"}},
		{"nothing", map[string]string{"a": "1"}, nil, map[string]string{"a": "1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := newRoot(t, c.files)
			s := newStore(t)
			s.NoSync = false
			require.NoError(t, commit(s, root, c.changes...))
			same(t, tree(t, newRoot(t, c.want).Name()), tree(t, root.Name()))
		})
	}
}

func TestUnchangedFileIsNotTouched(t *testing.T) {
	root := newRoot(t, map[string]string{"a": "1", "b": "2"})
	before, err := root.Lstat("a")
	require.NoError(t, err)
	require.NoError(t, commit(newStore(t), root, edit("a", "1", "1"), edit("b", "2", "two")))
	after, err := root.Lstat("a")
	require.NoError(t, err)
	if !untouched(before, after) {
		t.Error("a was written")
	}
	same(t, "two", tree(t, root.Name())["b"][len("-rw-r--r-- "):])
}

// A refusal leaves every file as it was, to its time, and nothing else.
func TestRefusals(t *testing.T) {
	files := map[string]string{"a": "1", "b": "2", "d/c": "3"}
	for _, c := range []struct {
		name    string
		changes []Change
		want    []hashline.Code
	}{
		{"other bytes", []Change{edit("b", "2", "x"), edit("a", "7", "x")}, []hashline.Code{hashline.ChangedDuringEdit}},
		{"other length", []Change{edit("b", "2", "x"), edit("a", "12", "x")}, []hashline.Code{hashline.ChangedDuringEdit}},
		{"all faults", []Change{edit("a", "7", "x"), edit("d/c", "3", "x"), edit("b", "8", "x")},
			[]hashline.Code{hashline.ChangedDuringEdit, hashline.ChangedDuringEdit}},
		{"missing", []Change{edit("b", "2", "x"), edit("nope", "1", "x")}, []hashline.Code{hashline.ChangedDuringEdit}},
		{"missing folder", []Change{edit("b", "2", "x"), edit("nope/a", "1", "x")}, []hashline.Code{hashline.ChangedDuringEdit}},
		{"folder", []Change{edit("b", "2", "x"), edit("d", "1", "x")}, []hashline.Code{hashline.ChangedDuringEdit}},
		{"exists", []Change{create("n/e/w", "x"), create("a", "x")}, []hashline.Code{hashline.Exists}},
		{"folder exists", []Change{create("new", "x"), create("d", "x")}, []hashline.Code{hashline.Exists}},
		{"below a file", []Change{create("n/e/w", "x"), create("a/b/c", "x")}, []hashline.Code{hashline.Exists}},
		{"edit below a file", []Change{edit("a/b", "1", "x")}, []hashline.Code{hashline.Exists}},
		{"out of the root", []Change{create("n/e/w", "x"), create("../x", "x")}, []hashline.Code{hashline.BadPath}},
		{"absolute", []Change{create("/x", "x")}, []hashline.Code{hashline.BadPath}},
		{"not clean", []Change{edit("./a", "1", "x")}, []hashline.Code{hashline.BadPath}},
		{"root", []Change{create(".", "x")}, []hashline.Code{hashline.BadPath}},
		{"empty path", []Change{create("", "x")}, []hashline.Code{hashline.BadPath}},
		{"name too long", []Change{create("n/e/w", "x"), create(strings.Repeat("n", 300), "x")}, []hashline.Code{hashline.IO}},
		{"one file twice", []Change{edit("b", "2", "x"), edit("a", "1", "x"), edit("a", "1", "y")}, []hashline.Code{hashline.ChangedDuringEdit}},
		{"one new file twice", []Change{edit("b", "2", "x"), create("n/e/w", "x"), create("n/e/w", "y")}, []hashline.Code{hashline.Exists}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := newRoot(t, files)
			before := stamped(t, root.Name())
			err := commit(newStore(t), root, c.changes...)
			same(t, c.want, codes(err))
			same(t, before, stamped(t, root.Name()))
		})
	}
}

func TestLinksAreRefused(t *testing.T) {
	for _, to := range []string{"real", "../outside"} {
		base := t.TempDir()
		put(t, filepath.Join(base, "outside/f"), "1")
		put(t, filepath.Join(base, "in/real/f"), "1")
		require.NoError(t, os.Symlink(to, filepath.Join(base, "in/d")))
		require.NoError(t, os.Symlink("real/f", filepath.Join(base, "in/f")))
		root := openRoot(t, filepath.Join(base, "in"))
		before := stamped(t, base)
		s := newStore(t)
		for _, c := range []Change{edit("d/f", "1", "x"), create("d/g", "x"), create("d/new/g", "x"), edit("f", "1", "x")} {
			_, err := s.Commit(context.Background(), root, []Change{c})
			same(t, []hashline.Code{hashline.ChangedDuringEdit}, codes(err))
			if to[0] == '.' && c.Path != "f" {
				_, err = s.Lock(context.Background(), root, []string{c.Path})
				same(t, []hashline.Code{hashline.OutsideRoot}, codes(err))
			}
		}
		same(t, []hashline.Code{hashline.Exists}, codes(commit(s, root, create("f", "x"))))
		same(t, before, stamped(t, base))
	}
}

func TestCancel(t *testing.T) {
	root := newRoot(t, map[string]string{"a": "1", "b": "2"})
	before := stamped(t, root.Name())
	changes := []Change{edit("a", "1", "x"), edit("b", "2", "x"), create("n/e/w", "x")}
	s := newStore(t)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := s.Commit(ctx, root, changes)
	same(t, []hashline.Code{hashline.Cancelled}, codes(err))
	same(t, before, stamped(t, root.Name()))

	late, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	_, err = s.Commit(late, root, changes)
	same(t, []hashline.Code{hashline.Timeout}, codes(err))
	same(t, before, stamped(t, root.Name()))

	// After every new version is written, but before the first rename.
	ctx, cancel = context.WithCancel(context.Background())
	s.step = func(path string) {
		if path == "" {
			cancel()
		}
	}
	_, err = s.Commit(ctx, root, changes)
	same(t, []hashline.Code{hashline.Cancelled}, codes(err))
	same(t, before, stamped(t, root.Name()))

	// After the first rename nothing stops it.
	ctx, cancel = context.WithCancel(context.Background())
	s.step = func(path string) {
		if path == "b" {
			cancel()
		}
	}
	_, err = s.Commit(ctx, root, changes)
	require.NoError(t, err)
	require.Error(t, ctx.Err())
	same(t, map[string]string{"a": "x", "b": "x", "n/e/w": "x"}, contents(t, root.Name()))
}

// contents is what a reader of the files sees.
func contents(t testing.TB, dir string) map[string]string {
	all := tree(t, dir)
	for name, what := range all {
		mode, content, _ := strings.Cut(what, " ")
		if mode[0] == 'd' {
			delete(all, name)
		} else {
			all[name] = content
		}
	}
	return all
}
