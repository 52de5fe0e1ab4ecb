package hashlinetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Git prepares a run of git in a folder that takes no notice of the user's
// settings, of the machine's, nor of a repository around the folder. It skips
// the test where there is no git.
func Git(tb testing.TB, dir string, args ...string) *exec.Cmd {
	tb.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		tb.Skip("SKIPPED: git is not installed, so nothing was compared with it")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "XDG_")
	})
	cmd.Env = append(cmd.Env,
		"HOME="+filepath.Join(dir, "no-home"), "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=cat")
	return cmd
}
