//go:build unix

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Clients want a newer Node than many systems have; npm would silently take older
// versions of them.
const nodeVersion = "22.23.3"

// fetchWait is how long npm may take for one client.
const fetchWait = 8 * time.Minute

// cacheDir is where clients are installed, outside of the tree.
func cacheDir(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("HASHLINE_E2E_CACHE"); dir != "" {
		dir, err := filepath.Abs(dir)
		require.NoError(t, err)
		return dir
	}
	dir, err := os.UserCacheDir()
	require.NoError(t, err)
	return filepath.Join(dir, "hashline-e2e")
}

// fetchNode gives the folder of the node that runs the clients.
func fetchNode(t *testing.T) string {
	t.Helper()
	return filepath.Join(fetch(t, "", "node@"+nodeVersion), "node", "bin")
}

// fetch gives the node_modules folder that has a package of some version. npm puts
// it there unless an earlier run did; once more, since networks fail for a moment.
func fetch(t *testing.T, node, pkg string) string {
	t.Helper()
	cache := cacheDir(t)
	dir := filepath.Join(cache, strings.NewReplacer("@", "_", "/", "_").Replace(pkg))
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules
	}
	npm, err := exec.LookPath("npm")
	require.NoError(t, err, "npm is to fetch %s; install Node.js", pkg)
	require.NoError(t, os.MkdirAll(cache, 0o755))
	ctx, cancel := context.WithTimeout(t.Context(), fetchWait)
	defer cancel()
	var out []byte
	for try := range 2 {
		time.Sleep(time.Duration(try) * 10 * time.Second)
		fresh, err := os.MkdirTemp(cache, ".new-")
		require.NoError(t, err)
		defer os.RemoveAll(fresh)
		cmd := exec.CommandContext(ctx, npm, "install", "--prefix", fresh, "--no-audit", "--no-fund", "--no-update-notifier", pkg)
		cmd.Dir, cmd.Env = fresh, os.Environ()
		if node != "" {
			cmd.Env = append(cmd.Env, "PATH="+node+string(os.PathListSeparator)+os.Getenv("PATH"))
		}
		if out, err = cmd.CombinedOutput(); err != nil {
			continue
		}
		if err := os.Rename(fresh, dir); err != nil {
			require.DirExists(t, modules, "%v", err) // else another run was quicker
		}
		return modules
	}
	t.Fatalf("npm cannot fetch %s; is there a network?\n%s", pkg, out)
	return ""
}
