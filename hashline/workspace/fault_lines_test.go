package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// However many sections a document has for one file, its refusal says so once, with
// the places; all faults are there for programs.
func TestManySectionsOfOneFile(t *testing.T) {
	for _, n := range []int{2, 3, 20, 21, 500} {
		for name, spell := range map[string]func(i int) string{
			"one path":  func(int) string { return "f" },
			"spellings": func(i int) string { return strings.Repeat("./", i%3) + "f" },
		} {
			d := atDesk(t, SessionConfig{})
			put(t, filepath.Join(d.dir, "other"), tenLines)
			var doc strings.Builder
			for i := range n {
				fmt.Fprintf(&doc, "[%s#%s]\nCUT %d\n", spell(i), d.tag(), i%10+1)
			}
			fmt.Fprintf(&doc, "[other#%s]\nCUT 1\n[other#%s]\nCUT 2\n", d.tag(), d.tag())
			got := d.Call(t.Context(), "edit", fmt.Appendf(nil, `{"input": %q}`, doc.String()))
			require.Equal(t, hashline.DuplicatePath, got.Code)
			text := got.Content
			head, _, _ := strings.Cut(text, "\n\nLive snapshot")
			files := strings.Split(strings.TrimPrefix(head, "edit rejected, nothing was written\n"), "\n")
			require.Len(t, got.Faults, n, "%d %s", n, name)
			require.Len(t, files, 2, "%d %s: %s", n, name, head)
			switch {
			case n == 2:
				require.Contains(t, files[0], "the document has two sections for this file, the first at line 1")
			case n <= maxDoubled:
				require.Contains(t, files[0], fmt.Sprintf("the document has %d sections for this file, at lines 1, 3, 5", n))
				require.Contains(t, files[0], fmt.Sprintf(", %d; write one section a file", 2*n-1))
			default:
				require.Contains(t, files[0], fmt.Sprintf("the document has %d sections for this file, at lines 1, 3, 5, 7", n))
				require.Contains(t, files[0], fmt.Sprintf("37, 39, … +%d more; write one section a file", n-maxDoubled))
			}
			require.Contains(t, text, "Live snapshot to retry from:\n[f#")
		}
	}
}

// A file that many names lead to is told of once, with the names.
func TestManyNamesOfOneFile(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	var doc strings.Builder
	for i := range 5 {
		name := fmt.Sprint("link", i)
		require.NoError(t, os.Symlink("f", filepath.Join(d.dir, name)))
		fmt.Fprintf(&doc, "[%s#%s]\nCUT %d\n", name, d.tag(), i+1)
	}
	got := d.says("edit", "%s", doc.String())
	require.Contains(t, got, "link1: duplicate_path: the document has 5 sections for this file, at lines 1, 3, 5 as link2, 7 as link3, 9 as link4; write one section a file")
	require.Equal(t, 1, strings.Count(got, "duplicate_path"))
}
