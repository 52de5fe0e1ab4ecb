package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/snapshot/ledger"
)

// A document whose header is wrong but names a file, or that has two sections for
// it, is refused with the live rows around the lines that it names, which count as
// shown.
func TestUnreadHeaders(t *testing.T) {
	rest := "\nPUT 6:\n+SIX\n"
	for name, doc := range map[string]string{
		"no tag":             "[f]" + rest,
		"empty tag":          "[f#]" + rest,
		"short tag":          "[f#58A]" + rest,
		"long tag":           "[f#58A4B]" + rest,
		"no hex":             "[f#TAGX]" + rest,
		"no bracket":         "[f.txt#58A4" + rest,
		"cut off in the tag": "[f.txt#58" + rest,
		"cut off at the tag": "[f.txt#" + rest,
		"bare":               "f.txt#58A4" + rest,
		"twice":              "[f#58A4]\nCUT 5\n[f#58A4]\nCUT 7\n",
		"twice, as ./f":      "[f#58A4]\nCUT 5\n[./f#58A4]\nCUT 7\n",
		"twice, by a link":   "[f#58A4]\nCUT 5\n[f.txt#58A4]\nCUT 7\n",
		"behind a good one":  "[other#58A4]\nCUT 1\n[f]" + rest,
	} {
		t.Run(name, func(t *testing.T) {
			d := atDesk(t, SessionConfig{RequireSeen: Enforce})
			require.NoError(t, os.Symlink("f", filepath.Join(d.dir, "f.txt")))
			got := d.says("edit", "%s", doc)
			header := "[f#" + d.tag() + "]"
			if strings.Contains(doc, "f.txt") && !strings.Contains(name, "twice") {
				header = "[f.txt#" + d.tag() + "]"
			}
			require.Contains(t, got, "edit rejected, nothing was written\n")
			require.Equal(t, 1, strings.Count(got, "\n\nLive snapshot to retry from:\n"+header+"\n"), got)
			require.Equal(t, 1, strings.Count(got, "\n6:six\n"), got)
			if !strings.Contains(name, "twice") {
				require.NotContains(t, got, "\n3:three")
			}
			require.Contains(t, d.says("edit", "%s", header+rest), "PUT 6: (1 → 1 line(s))")
		})
	}
}

// What a wrong header names is not shown where it may not be read, where it is not
// there, or where the line may be a row.
func TestUnreadHeadersShowNothing(t *testing.T) {
	for name, doc := range map[string]string{
		"denied":    "[secret]\nCUT 1\n",
		"a link":    "[link#1]\nCUT 1\n",
		"outside":   "[../x]\nCUT 1\n",
		"not there": "[gone]\nCUT 1\n",
		"twice":     "[secret#1111]\nCUT 1\n[secret#1111]\nCUT 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, filepath.Join(dir, "secret"), "hidden\n")
			require.NoError(t, os.Symlink("secret", filepath.Join(dir, "link")))
			w, err := Open(dir, Config{Deny: []string{"secret"}})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, w.Close()) })
			d := desk{w.Session(SessionConfig{Ledger: ledger.New(nil)}), t}
			got := d.says("edit", "%s", doc)
			require.NotContains(t, got, "hidden")
			require.NotContains(t, got, "Live snapshot")
		})
	}
	d := atDesk(t, SessionConfig{})
	require.NotContains(t, d.says("edit", "[gone#1234]\nPUT 1:\n+row\nf\n+row\n"), "Live snapshot")
}
