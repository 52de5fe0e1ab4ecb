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
	ansi     = regexp.MustCompile("\x1b\\[[0-9;]*m")
	scenario = regexp.MustCompile(`(?m)^\s*[✓✗] (\S+): (\d+) passed, (\d+) failed`)
)

// The official suites, against our guards with the suites' fixtures behind them.
// Tasks are an extension of the protocol that we do not have.
func TestConformance(t *testing.T) {
	for _, suite := range []struct {
		pkg       string
		stateless bool
		args      []string
		passed    int
	}{
		{"@modelcontextprotocol/conformance@0.1.16", false, []string{"--spec-version", "2025-11-25"}, 40},
		{"@modelcontextprotocol/conformance@0.2.0-alpha.12", true, []string{"--requirements", "2026-07-28"}, 150},
	} {
		t.Run(suite.pkg, func(t *testing.T) {
			path, env := program(t, "conformance", suite.pkg)
			server := httptest.NewServer(fixtureServer(t).handlerHTTP(HTTPConfig{Stateless: suite.stateless}))
			defer server.Close()
			url := strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + Path
			cmd := exec.CommandContext(t.Context(), path, append([]string{"server", "--url", url}, suite.args...)...)
			cmd.Dir, cmd.Env = t.TempDir(), env
			out, err := cmd.CombinedOutput()
			text := ansi.ReplaceAllString(string(out), "")
			passed, extension := 0, 0
			for _, m := range scenario.FindAllStringSubmatch(text, -1) {
				ok, _ := strconv.Atoi(m[2])
				failed, _ := strconv.Atoi(m[3])
				if strings.HasPrefix(m[1], "tasks-") {
					extension += failed
					continue
				}
				passed += ok
				if failed > 0 {
					t.Errorf("%s: %d checks failed\n%s", m[1], failed, text)
				}
			}
			require.NoError(t, err, text)
			require.GreaterOrEqual(t, passed, suite.passed, text)
			t.Logf("%d checks passed, none failed, but for %d of tasks, which are an extension", passed, extension)
		})
	}
}
