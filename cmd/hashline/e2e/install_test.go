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

// installWait is how long npm may take for one client.
const installWait = 8 * time.Minute

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

// installNode gives the folder of the node that runs the clients.
func installNode(t *testing.T) string {
	t.Helper()
	return filepath.Join(install(t, "", "node@"+nodeVersion), "node", "bin")
}

// install gives the node_modules folder that has some packages, each with its
// version. They are put there by npm unless an earlier run did.
func install(t *testing.T, node string, packages ...string) string {
	t.Helper()
	cache := cacheDir(t)
	dir := filepath.Join(cache, strings.NewReplacer("@", "_", "/", "_").Replace(strings.Join(packages, "+")))
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules
	}
	npm, err := exec.LookPath("npm")
	require.NoError(t, err, "npm installs the clients; install Node.js")
	require.NoError(t, os.MkdirAll(cache, 0o755))
	fresh, err := os.MkdirTemp(cache, ".new-")
	require.NoError(t, err)
	defer os.RemoveAll(fresh)

	ctx, cancel := context.WithTimeout(t.Context(), installWait)
	defer cancel()
	args := append([]string{"install", "--prefix", fresh, "--no-audit", "--no-fund", "--no-update-notifier"}, packages...)
	cmd := exec.CommandContext(ctx, npm, args...)
	cmd.Dir, cmd.Env = fresh, os.Environ()
	if node != "" {
		cmd.Env = append(cmd.Env, "PATH="+node+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "npm cannot install %s; is there a network?\n%s", strings.Join(packages, " "), out)
	if err := os.Rename(fresh, dir); err != nil {
		// Another run was quicker.
		require.DirExists(t, modules, "%v", err)
	}
	return modules
}
