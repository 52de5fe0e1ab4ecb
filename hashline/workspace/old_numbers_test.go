package workspace

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A document with an old number that is also of a wrong form does not pass with
// that number once its form is mended: that the rows stood in the refusal does not
// tell that the number was taken from there.
func TestMendedFormKeepsOldNumbersOut(t *testing.T) {
	for name, broken := range map[string]string{
		"no bracket":        "[f#TAG\nPUT 7:\n+NEW\n",
		"no tag":            "[f]\nPUT 7:\n+NEW\n",
		"the file twice":    "[f#TAG]\nPUT 7:\n+NEW\n[f#TAG]\nPUT 7:\n+NEW\n",
		"no colon":          "[f#TAG]\nPUT 7\n+NEW\n",
		"a row without +":   "[f#TAG]\nPUT 7:\nNEW\n",
		"another operation": "[f#TAG]\nPUT 7:\n+NEW\nCUT 9:\n",
		"another file":      "[g#0000\nPUT 1:\n+x\n[f#TAG]\nPUT 7:\n+NEW\n",
	} {
		t.Run(name, func(t *testing.T) {
			d := atDesk(t, SessionConfig{})
			d.read()
			require.Contains(t, d.says("edit", "[f#%s]\nPUT <2:\n+i1\n+i2\n", d.tag()), "[old line 2 is now 4")
			tag := d.tag()
			require.Contains(t, d.says("edit", "%s", strings.ReplaceAll(broken, "TAG", tag)), "\n7:five\n")
			require.Contains(t, d.says("edit", "[f#%s]\nPUT 7:\n+NEW\n", tag), "moved_line: line 7 is not the row that was last shown as line 7, which is line 9 now")
			// It can be insisted on.
			require.Contains(t, d.says("edit", "[f#%s]\nPUT 7:\n+NEW\n", tag), "\n7:NEW\n")
		})
	}
}

// Rows that nobody had under another number count as shown in such a refusal.
func TestRowsOfAMalformedDocumentCount(t *testing.T) {
	d := atDesk(t, SessionConfig{RequireSeen: Enforce})
	require.Contains(t, d.says("edit", "[f]\nPUT 7:\n+NEW\n"), "\n7:seven\n")
	require.Contains(t, d.says("edit", "[f#%s]\nPUT 7:\n+NEW\n", d.tag()), "\n7:NEW\n")
}

// What an undo brings back stands where it stood: equal lines are not taken for
// one another.
func TestUndoKnowsEqualLines(t *testing.T) {
	for _, c := range []struct{ text, edit, back string }{
		{"function a()\n  x()\nend\nfunction b()\n  y()\nend\nend\nend\n", "PUT 2:\n+  x1()\n+  x2()\nPUT >$:\n+end\n", "[old line 3 is now 3, and so on to the end]"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n\t\n\n", "PUT >3:\n+a\n+b\n+c\n+d\n+e\nCUT 8\nPUT >$:\n+ \n", "[old line 4 is now 4, and so on to the end]"},
	} {
		d := atDesk(t, SessionConfig{})
		d.put(c.text)
		d.read()
		tag := d.tag()
		require.Contains(t, d.says("edit", "[f#%s]\n%s", tag, c.edit), "[old line")
		again := d.says("undo", `{}`)
		require.Contains(t, again, c.back)
		require.Equal(t, 1, strings.Count(again, "old line"), again)
		require.Equal(t, c.text, onDisk(t, d.Session, "f"))
	}
}

// A number whose row others removed is void: silence would say that it stays.
func TestRemovedByOthersIsVoid(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	d := atDesk(t, SessionConfig{})
	d.read()
	d.put(strings.Replace(tenLines, "six\n", "", 1))
	require.Contains(t, d.says("read_file", `{"path": "f", "limit": 3}`), "3:three\n")
	require.Contains(t, d.says("edit", "[f#%s]\nPUT <2:\n+i\n", d.tag()), "[the number of old line 6 is void; ")
	// The session's own removal needs no word.
	d = atDesk(t, SessionConfig{})
	d.read()
	require.NotContains(t, d.says("edit", "[f#%s]\nCUT 6\n", d.tag()), "void")
}
