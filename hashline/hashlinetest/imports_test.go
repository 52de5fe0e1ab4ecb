package hashlinetest_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

const module = "github.com/hashline-go/hashline/"

// layers lists what each package may import of this module. The vocabulary
// stands below, the command above; nothing imports cmd or fuzz.
var layers = map[string][]string{
	"hashline":                     {},
	"hashline/hashlinetest":        {"hashline"},
	"grammar":                      {"hashline"},
	"snapshot":                     {"hashline"},
	"snapshot/ledger":              {"hashline", "snapshot"},
	"apply":                        {"hashline", "snapshot"},
	"apply/applytest":              {"hashline"},
	"apply/commit/beneath":         {},
	"apply/commit/own":             {"apply/commit/beneath"},
	"apply/commit/history":         {"apply/commit/beneath", "apply/commit/own"},
	"apply/commit":                 {"hashline", "apply/commit/beneath", "apply/commit/history", "apply/commit/own"},
	"hashline/workspace/gitignore": {"apply/commit/beneath"},
	"hashline/workspace/glob":      {"hashline"},
	"hashline/workspace/card":      {"hashline", "grammar", "snapshot", "apply"},
	"hashline/workspace/search":    {"hashline", "snapshot", "apply/commit/beneath", "hashline/workspace/gitignore", "hashline/workspace/glob"},
	"hashline/workspace":           {"hashline", "grammar", "snapshot", "snapshot/ledger", "apply", "apply/commit", "apply/commit/beneath", "apply/commit/history", "hashline/workspace/gitignore", "hashline/workspace/glob", "hashline/workspace/search"},
	"cmd/hashline/mcpserver":       {"hashline", "hashline/workspace", "snapshot/ledger"},
	"cmd/hashline/handshake":       {},
	"cmd/hashline/setup":           {},
	"cmd/hashline/e2e/fakemodel":   {},
	"cmd/hashline/e2e":             {},
	"cmd/hashline":                 {"apply/commit/beneath", "hashline", "grammar", "snapshot", "hashline/workspace", "hashline/workspace/card", "hashline/workspace/gitignore", "hashline/workspace/search", "apply/commit", "apply/commit/history", "cmd/hashline/handshake", "cmd/hashline/mcpserver", "cmd/hashline/setup"},
}

// doors names the one package by which each module of others enters; "/..." stands
// for it and what lies below. Tests may use testify and go-cmp everywhere.
var doors = map[string]string{
	"github.com/alecthomas/participle/v2":    "grammar",
	"github.com/cespare/xxhash/v2":           "snapshot",
	"golang.org/x/sys":                       "apply/commit",
	"github.com/klauspost/compress":          "apply/commit/history",
	"github.com/aymanbagabas/go-udiff":       "hashline/workspace",
	"github.com/spf13/cobra":                 "cmd/hashline",
	"github.com/spf13/pflag":                 "cmd/hashline",
	"github.com/modelcontextprotocol/go-sdk": "cmd/hashline/...",
	"github.com/tailscale/hujson":            "cmd/hashline/setup",
	"github.com/pelletier/go-toml/v2":        "cmd/hashline/setup",
	"github.com/fatih/color":                 "cmd/hashline",
	"github.com/mattn/go-isatty":             "cmd/hashline",
	"golang.org/x/tools":                     "hashline/hashlinetest",
	"github.com/google/go-cmp":               "hashline/hashlinetest",
}

// TestImports asks the go command what imports what, on every platform, and
// holds it against the two tables.
func TestImports(t *testing.T) {
	root := filepath.Dir(hashlinetest.TestdataDir(t))
	for _, platform := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-f", `{{.ImportPath}}{{"\t"}}{{join .Imports " "}}`, "./...")
		cmd.Dir, cmd.Env = root, append(cmd.Environ(), "GOOS="+platform)
		out, err := cmd.Output()
		require.NoError(t, err, "%s", out)
		seen := 0
		for line := range strings.Lines(string(out)) {
			path, imports, _ := strings.Cut(strings.TrimSpace(line), "\t")
			pkg := strings.TrimPrefix(path, module)
			if pkg == "fuzz" {
				continue // it has tests only
			}
			allowed, known := layers[pkg]
			require.True(t, known, "%s: a new package needs a place among the layers", pkg)
			seen++
			for _, imported := range strings.Fields(imports) {
				checkImport(t, pkg, imported, allowed)
			}
		}
		require.Equal(t, len(layers), seen, "a layer that no package has")
	}
}

func checkImport(t *testing.T, pkg, imported string, allowed []string) {
	t.Helper()
	if inside, ok := strings.CutPrefix(imported, module); ok {
		require.Contains(t, allowed, inside, "%s may not import %s", pkg, inside)
		return
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return // the standard library
	}
	for third, door := range doors {
		if imported == third || strings.HasPrefix(imported, third+"/") {
			if above, ok := strings.CutSuffix(door, "/..."); ok {
				require.True(t, pkg == above || strings.HasPrefix(pkg, above+"/"), "%s enters by %s", third, door)
				return
			}
			require.Equal(t, door, pkg, "%s enters by %s", third, door)
			return
		}
	}
	t.Errorf("%s imports %s, which has no door", pkg, imported)
}
