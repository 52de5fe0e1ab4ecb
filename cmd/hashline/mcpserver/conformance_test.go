package mcpserver

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// These tests run programs of others, which they install by npm. They run where
// HASHLINE_E2E is set. What they install goes to the folder HASHLINE_E2E_CACHE, by
// default one below the user's caches.

// program installs a package of npm and gives the environment to run it in.
func program(t *testing.T, name, pkg string) (path string, env []string) {
	t.Helper()
	if os.Getenv("HASHLINE_E2E") == "" {
		t.Skip("HASHLINE_E2E is not set")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	cache := os.Getenv("HASHLINE_E2E_CACHE")
	if cache == "" {
		user, err := os.UserCacheDir()
		require.NoError(t, err)
		cache = filepath.Join(user, "hashline-e2e")
	}
	node := install(t, cache, "node@22", os.Environ())
	env = append(os.Environ(), "PATH="+filepath.Join(node, "node", "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	return filepath.Join(install(t, cache, pkg, env), ".bin", name), env
}

// install installs a package in a folder of its own, once.
func install(t *testing.T, cache, pkg string, env []string) (modules string) {
	t.Helper()
	dir := filepath.Join(cache, regexp.MustCompile(`[^0-9A-Za-z.]+`).ReplaceAllString(pkg, "-"))
	done := filepath.Join(dir, "installed")
	if _, err := os.Stat(done); err != nil {
		require.NoError(t, os.MkdirAll(dir, 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte("{}"), 0o666))
		cmd := exec.CommandContext(t.Context(), "npm", "install", "--no-audit", "--no-fund", pkg)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.NoError(t, os.WriteFile(done, nil, 0o666))
	}
	return filepath.Join(dir, "node_modules")
}

var (
	scenario = regexp.MustCompile(`(?m)^.*: (\d+) passed, (\d+) failed.*$`)
	ansi     = regexp.MustCompile("\x1b\\[[0-9;]*m")
)

// The official suites, against our guards with the suites' fixtures behind them.
func TestConformance(t *testing.T) {
	for _, suite := range []struct {
		pkg       string
		stateless bool
		args      []string
		// skip are scenarios of extensions that neither we nor the SDK have.
		skip string
		most int // failed checks, all of them skipped ones
	}{
		{"@modelcontextprotocol/conformance@0.1.16", false, []string{"--spec-version", "2025-11-25"}, "", 0},
		{"@modelcontextprotocol/conformance@0.2.0-alpha.12", true, []string{"--requirements", "2026-07-28"}, "tasks-", 0},
	} {
		t.Run(suite.pkg, func(t *testing.T) {
			path, env := program(t, "conformance", suite.pkg)
			server := httptest.NewServer(fixtureServer(t).handlerHTTP(HTTPConfig{Stateless: suite.stateless}))
			defer server.Close()
			args := append([]string{"server", "--url", strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + Path}, suite.args...)
			cmd := exec.CommandContext(t.Context(), path, args...)
			cmd.Dir, cmd.Env = t.TempDir(), env
			out, err := cmd.CombinedOutput()
			text := ansi.ReplaceAllString(string(out), "")
			passed, failed := 0, 0
			for _, m := range scenario.FindAllStringSubmatch(text, -1) {
				p, _ := strconv.Atoi(m[1])
				f, _ := strconv.Atoi(m[2])
				passed += p
				failed += f
			}
			t.Log(err, passed, failed, text)
		})
	}
}
