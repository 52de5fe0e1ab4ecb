package gitignore_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
)

// A world is a folder with a work tree in it and a home of its own, so that
// nothing of the machine's settings plays a part.
type world struct {
	tb   testing.TB
	home string
	repo string
}

// newWorld makes an empty repository without running git. Tests that compare
// with git are skipped, loudly, where there is none.
func newWorld(tb testing.TB, dir string) *world {
	tb.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		tb.Skip("SKIPPED: git is not installed, so nothing was compared with it")
	}
	w := &world{tb: tb, home: filepath.Join(dir, "home"), repo: filepath.Join(dir, "repo")}
	require.NoError(tb, os.MkdirAll(w.home, 0o755))
	w.initRepo(w.repo)
	return w
}

// initRepo makes the least that git takes for a repository.
func (w *world) initRepo(dir string) {
	w.tb.Helper()
	for _, d := range []string{"objects", "refs", "info"} {
		require.NoError(w.tb, os.MkdirAll(filepath.Join(dir, ".git", d), 0o755))
	}
	w.write(filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	w.write(filepath.Join(dir, ".git", "config"), "[core]\n\trepositoryformatversion = 0\n")
}

func (w *world) write(path, content string) {
	w.tb.Helper()
	require.NoError(w.tb, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(w.tb, os.WriteFile(path, []byte(content), 0o644))
}

func (w *world) user() gitignore.User { return gitignore.User{Home: w.home} }

// git runs git in dir and gives its output; exit status 1 is no failure, since
// check-ignore uses it to say "none".
func (w *world) git(dir string, stdin string, args ...string) string {
	w.tb.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(w.repo)}
	cmd.Stdin = strings.NewReader(stdin)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		w.tb.Fatalf("git %v: %v\n%s", args, err, &errors)
	}
	return string(out)
}

// checkIgnore asks git for each path whether it is ignored, and by which
// pattern.
func (w *world) checkIgnore(dir string, paths []string) (ignored map[string]bool, by map[string]string) {
	w.tb.Helper()
	out := w.git(dir, strings.Join(paths, "\x00")+"\x00", "check-ignore", "--no-index", "--stdin", "-z", "-v", "-n")
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	require.Zero(w.tb, len(fields)%4, "answer of check-ignore")
	ignored, by = map[string]bool{}, map[string]string{}
	for i := 0; i < len(fields); i += 4 {
		path := strings.TrimPrefix(fields[i+3], "./")
		pattern := fields[i+2]
		ignored[path] = pattern != "" && pattern[0] != '!'
		by[path] = fields[i] + ":" + fields[i+1] + ":" + pattern
	}
	return ignored, by
}

// walk gives for every entry below dir whether we take it for ignored. Unlike a
// search it also goes through ignored folders, where all is ignored.
func (w *world) walk(dir string) map[string]bool {
	w.tb.Helper()
	root, err := os.OpenRoot(dir)
	require.NoError(w.tb, err)
	defer root.Close()
	got := map[string]bool{}
	w.walkFolder(root, "", gitignore.Open(root, w.user()), false, got)
	return got
}

func (w *world) walkFolder(root *os.Root, prefix string, f *gitignore.Folder, all bool, got map[string]bool) {
	dir, err := root.Open(".")
	require.NoError(w.tb, err)
	entries, err := dir.ReadDir(-1)
	require.NoError(w.tb, err)
	dir.Close()
	for _, e := range entries {
		if e.Name() == ".git" {
			continue
		}
		ignored := all || f.Ignored(e.Name(), e.IsDir())
		got[prefix+e.Name()] = ignored
		if e.IsDir() {
			sub, err := root.OpenRoot(e.Name())
			require.NoError(w.tb, err)
			inside := f
			if !ignored {
				inside = f.Enter(e.Name(), sub)
			}
			w.walkFolder(sub, prefix+e.Name()+"/", inside, ignored, got)
			sub.Close()
		}
	}
}
