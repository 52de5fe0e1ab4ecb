package gitignore_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
)

// agree compares what we ignore below dir with what git ignores there, and with
// the list that the test expects.
func (w *world) agree(dir string, want ...string) {
	w.tb.Helper()
	got := w.walk(dir)
	var paths, ours []string
	for p := range got {
		paths = append(paths, p)
	}
	theirs, by := w.checkIgnore(dir, paths)
	for _, p := range paths {
		if got[p] != theirs[p] {
			w.tb.Errorf("%q: ignored = %v, git says %v by %q", p, got[p], theirs[p], by[p])
		}
	}
	w.tb.Helper()
	for _, p := range want {
		if !got[p] {
			w.tb.Errorf("%q is not ignored", p)
		}
	}
	for p, is := range got {
		if is {
			ours = append(ours, p)
		}
	}
	if len(ours) != len(want) {
		w.tb.Errorf("ignored: %q, want %q", ours, want)
	}
}

func TestRepositories(t *testing.T) {
	tests := map[string]func(w *world){
		"exclude file": func(w *world) {
			w.write(w.repo+"/.git/info/exclude", "a\n/sub/b\n")
			w.write(w.repo+"/a", "")
			w.write(w.repo+"/b", "")
			w.write(w.repo+"/sub/b", "")
			w.write(w.repo+"/sub/.gitignore", "!b\n")
			w.agree(w.repo, "a")
		},
		"global excludes file by default": func(w *world) {
			w.write(w.home+"/.config/git/ignore", "a\n")
			w.write(w.repo+"/a", "")
			w.write(w.repo+"/b", "")
			w.agree(w.repo, "a")
		},
		"global excludes file by the home's config": func(w *world) {
			w.write(w.home+"/.config/git/ignore", "a\n")
			w.write(w.home+"/my ignore", "b\n")
			w.write(w.home+"/.gitconfig", "[core]\n\texcludesFile = \"~/my ignore\" ; mine\n")
			w.write(w.repo+"/a", "")
			w.write(w.repo+"/b", "")
			w.agree(w.repo, "b")
		},
		"the home's config wins over the one under .config": func(w *world) {
			w.write(w.home+"/.config/git/config", "[core] excludesfile = ~/one\n[core \"x\"]\nexcludesfile=~/two")
			w.write(w.home+"/.gitconfig", "[user]\nname = x\n")
			w.write(w.home+"/one", "a\n")
			w.write(w.home+"/two", "b\n")
			w.write(w.repo+"/a", "")
			w.write(w.repo+"/b", "")
			w.agree(w.repo, "a")
		},
		"included config, and a value over two lines": func(w *world) {
			w.write(w.home+"/.gitconfig", "[include]\n\tpath = sub/more\n")
			w.write(w.home+"/sub/more", "[Core]\r\n# a comment\r\n\tExcludesFile = ~/o\\\r\nne\r\n")
			w.write(w.home+"/one", "a\n")
			w.write(w.repo+"/a", "")
			w.agree(w.repo, "a")
		},
		"empty value switches it off": func(w *world) {
			w.write(w.home+"/.config/git/ignore", "a\n")
			w.write(w.repo+"/.git/config", "[core]\n\texcludesFile =\n")
			w.write(w.repo+"/a", "")
			w.agree(w.repo)
		},
		"the repository's config, relative to its top": func(w *world) {
			w.write(w.repo+"/.git/config", "[core]\n\texcludesFile = sub/list\n\tignorecase\n")
			w.write(w.repo+"/sub/list", "A\n")
			w.write(w.repo+"/a", "")
			w.agree(w.repo, "a")
		},
		"rules of the folders above the root": func(w *world) {
			w.write(w.repo+"/.gitignore", "*.o\n/x/y/gone\n")
			w.write(w.repo+"/x/.gitignore", "!keep.o\n/z\n")
			w.write(w.repo+"/.git/info/exclude", "x/y/out\n")
			for _, name := range []string{"a.o", "keep.o", "gone", "out", "z", "a.c"} {
				w.write(w.repo+"/x/y/"+name, "")
			}
			w.agree(w.repo+"/x/y", "a.o", "gone", "out")
		},
		"linked work tree": func(w *world) {
			tree := filepath.Join(filepath.Dir(w.repo), "linked")
			w.write(w.repo+"/.git/worktrees/linked/HEAD", "ref: refs/heads/other\n")
			w.write(w.repo+"/.git/worktrees/linked/commondir", "../..\n")
			w.write(w.repo+"/.git/worktrees/linked/gitdir", tree+"/.git\n")
			w.write(w.repo+"/.git/info/exclude", "a\n")
			w.write(w.repo+"/.git/config", "[core]\n\trepositoryformatversion = 1\n\tignoreCase = true\n[extensions]\n\tworktreeConfig = true\n")
			w.write(w.repo+"/.git/worktrees/linked/config.worktree", "[core]\n\texcludesFile = list\n")
			w.write(tree+"/.git", "gitdir: ../repo/.git/worktrees/linked\n")
			w.write(tree+"/list", "b\n")
			w.write(tree+"/A", "")
			w.write(tree+"/b", "")
			w.agree(tree, "A", "b")
		},
		"submodule": func(w *world) {
			w.write(w.repo+"/.gitignore", "*.o\n")
			sub := w.repo + "/sub"
			w.initRepo(filepath.Dir(w.repo) + "/elsewhere")
			require.NoError(w.tb, os.MkdirAll(w.repo+"/.git/modules", 0o755))
			require.NoError(w.tb, os.Rename(filepath.Dir(w.repo)+"/elsewhere/.git", w.repo+"/.git/modules/sub"))
			w.write(w.repo+"/.git/modules/sub/info/exclude", "b\n")
			w.write(sub+"/.git", "gitdir: ../.git/modules/sub\n")
			w.write(sub+"/a.o", "")
			w.write(sub+"/b", "")
			w.agree(sub, "b")
		},
		"a link for a .gitignore is not followed, nor a folder read": func(w *world) {
			w.write(w.home+"/list", "a\n")
			require.NoError(w.tb, os.Symlink(w.home+"/list", w.repo+"/.gitignore"))
			w.write(w.repo+"/a", "")
			require.NoError(w.tb, os.MkdirAll(w.repo+"/sub/.gitignore", 0o755))
			w.write(w.repo+"/sub/a", "")
			w.agree(w.repo)
		},
		"a link to a folder is no folder": func(w *world) {
			w.write(w.repo+"/.gitignore", "x/\n")
			w.write(w.repo+"/real/x/a", "")
			require.NoError(w.tb, os.Symlink("real", w.repo+"/x"))
			w.agree(w.repo, "real/x", "real/x/a")
		},
		"an empty .git is no repository": func(w *world) {
			require.NoError(w.tb, os.MkdirAll(w.repo+"/sub/.git", 0o755))
			w.write(w.repo+"/.gitignore", "a\n")
			w.write(w.repo+"/sub/a", "")
			w.agree(w.repo, "sub/a")
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(newWorld(t, t.TempDir())) })
	}
}

// Inside a nested repository the outer one's rules end. git itself, run in the
// outer one, does not look inside.
func TestNestedRepository(t *testing.T) {
	w := newWorld(t, t.TempDir())
	w.write(w.repo+"/.gitignore", "a\n")
	w.write(w.repo+"/a", "")
	inner := w.repo + "/inner"
	w.initRepo(inner)
	w.write(inner+"/.git/info/exclude", "/b\n")
	w.write(inner+"/a", "")
	w.write(inner+"/b", "")
	w.agree(inner, "b")
	want := map[string]bool{".gitignore": false, "a": true, "inner": false, "inner/a": false, "inner/b": true}
	if diff := cmp.Diff(want, w.walk(w.repo)); diff != "" {
		t.Errorf("ignored (-want +got):\n%s", diff)
	}
}

// Without a repository the root counts as the top of one.
func TestNoRepository(t *testing.T) {
	w := newWorld(t, t.TempDir())
	require.NoError(t, os.RemoveAll(w.repo+"/.git"))
	w.write(w.repo+"/.gitignore", "/a\n")
	w.write(w.home+"/.config/git/ignore", "b\n")
	w.write(w.repo+"/a", "")
	w.write(w.repo+"/sub/a", "")
	w.write(w.repo+"/sub/b", "")
	want := map[string]bool{".gitignore": false, "a": true, "sub": false, "sub/a": false, "sub/b": true}
	if diff := cmp.Diff(want, w.walk(w.repo)); diff != "" {
		t.Errorf("ignored (-want +got):\n%s", diff)
	}
}

// A root that is ignored itself was chosen all the same.
func TestIgnoredRoot(t *testing.T) {
	w := newWorld(t, t.TempDir())
	w.write(w.repo+"/.gitignore", "build/\n*.o\n")
	w.write(w.repo+"/build/a", "")
	w.write(w.repo+"/build/b.o", "")
	want := map[string]bool{"a": false, "b.o": true}
	if diff := cmp.Diff(want, w.walk(w.repo+"/build")); diff != "" {
		t.Errorf("ignored (-want +got):\n%s", diff)
	}
}

func TestUserFrom(t *testing.T) {
	tests := []struct {
		name string
		env  map[string]string
		want gitignore.User
	}{
		{"nothing set", nil, gitignore.User{System: "/etc/gitconfig"}},
		{"as usual", map[string]string{"HOME": "/h"}, gitignore.User{Home: "/h", System: "/etc/gitconfig"}},
		{"all set", map[string]string{
			"HOME": "/h", "XDG_CONFIG_HOME": "/x", "GIT_CONFIG_GLOBAL": "/g", "GIT_CONFIG_SYSTEM": "/s",
		}, gitignore.User{Home: "/h", ConfigHome: "/x", Global: "/g", System: "/s"}},
		{"no system file", map[string]string{"HOME": "/h", "GIT_CONFIG_NOSYSTEM": "1"}, gitignore.User{Home: "/h"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := gitignore.UserFrom(func(name string) string { return test.env[name] })
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("user (-want +got):\n%s", diff)
			}
		})
	}
}
