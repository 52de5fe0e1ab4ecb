package workspace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// longAgo is a desk whose agent read fifty lines, before which others have put
// three since.
func longAgo(t *testing.T, alike bool) (d desk, old string) {
	d = atDesk(t, SessionConfig{})
	var text strings.Builder
	for n := range 50 {
		if alike {
			n %= 2 // no line stands once, so that nothing is corrected
		}
		fmt.Fprintf(&text, "line %d\n", n+1)
	}
	d.put(text.String())
	d.read()
	old = d.tag()
	d.put("new a\nnew b\nnew c\n" + text.String())
	return d, old
}

// refuses requires that a document is refused for moved lines.
func (d desk) refuses(format string, args ...any) {
	d.t.Helper()
	require.Contains(d.t, d.says("edit", format, args...), "moved_line: ")
}

// A refusal that spells out a document opens the lines of it for that document
// alone: a number that falls among them by chance is still an old one.
func TestOldNumberInsideACorrectedDocument(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	d, old := longAgo(t, false)
	got := d.says("edit", "[f#%s]\nPUT 12.=40:\n+x\nCUT 45\n", old)
	require.Contains(t, got, fmt.Sprintf("Corrected document:\n[f#%s]\nPUT 15.=43:\n+x\nCUT 48", d.tag()))
	tag := d.tag()
	d.refuses("[f#%s]\nCUT 24\n", tag)          // 24 of the old view
	d.refuses("[f#%s]\nPUT 30:\n+y\n", tag)     // and another, after a refusal for it
	d.refuses("[f#%s]\nCUT 12.=40\n", tag)      // the old numbers under the new tag
	d.refuses("[f#%s]\nCUT 15.=43\n", tag)      // not what was spelt out
	d.refuses("[f#%s]\nPUT 20.=43:\n+x\n", tag) // nor is this
	before := onDisk(t, d.Session, "f")
	require.Contains(t, before, "line 24\n")
	// One of its operations, with another body.
	require.Contains(t, d.says("edit", "[f#%s]\nPUT 15.=43:\n+z\n", tag), "PUT 15.=43: (29 → 1 line(s))")
	require.Contains(t, onDisk(t, d.Session, "f"), "line 11\nz\nline 41\n")
}

// So does one that says where lines are.
func TestOldNumberAmongLinesOfARefusal(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	d, old := longAgo(t, true)
	got := d.says("edit", "[f#%s]\nCUT 12.=40\n", old)
	require.Contains(t, got, "; its lines now: 12.=40 → 15.=43;")
	require.NotContains(t, got, "Corrected document")
	d.refuses("[f#%s]\nCUT 24\n", d.tag())
	require.Contains(t, d.says("edit", "[f#%s]\nCUT 15.=43\n", d.tag()), "CUT 15.=43 (29 lines)")

	d, _ = longAgo(t, true)
	d.read()
	d.says("edit", "[f#%s]\nPUT <1:\n+a\n+b\n", d.tag())
	got = d.says("edit", "[f#%s]\nCUT 10.=35\n", d.tag())
	require.Contains(t, got, "moved_line: lines 10 to 35 are not the rows that were last shown under these numbers, which are lines 12 to 37 now;")
	d.refuses("[f#%s]\nCUT 24\n", d.tag())
	d.refuses("[f#%s]\nCUT 13.=37\n", d.tag())
	require.Contains(t, d.says("edit", "[f#%s]\nCUT 12.=37\n", d.tag()), "CUT 12.=37 (26 lines)")
}

// Sending a document again opens nothing for another.
func TestOldNumberAfterInsisting(t *testing.T) {
	d, _ := longAgo(t, true)
	d.read()
	d.says("edit", "[f#%s]\nPUT <1:\n+a\n+b\n", d.tag())
	doc := "[f#" + d.tag() + "]\nCUT 10.=35\n"
	d.refuses("%s", doc)
	d.refuses("[f#%s]\nCUT 24\n", d.tag())
	require.Contains(t, d.says("edit", "%s", doc), "CUT 10.=35 (26 lines)")
}

// Rows that are only named are no rows that stand above.
func TestStubsOfNamedRows(t *testing.T) {
	d, old := longAgo(t, false)
	d.stubs = true
	d.says("edit", "[f#%s]\nPUT 12.=40:\n+x\n", old)
	require.NotContains(t, d.says("read_file", `{"path": "f", "offset": 15, "limit": 20}`), "unchanged")
}

// What is spelt out for one file is so for that file.
func TestOffersOfSeveralFiles(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	d, old := longAgo(t, false)
	put(t, d.dir+"/g", onDisk(t, d.Session, "f"))
	d.says("read_file", `{"path": "g", "limit": 3}`)
	resp := d.Call(t.Context(), "edit", fmt.Appendf(nil, `{"input": %q}`, "[f#"+old+"]\nCUT 12.=40\n[g#"+d.tag()+"]\nCUT 2\n"))
	require.Equal(t, hashline.StaleTag, resp.Code)
	require.Contains(t, resp.Content, "Corrected document:\n[f#"+d.tag()+"]\nCUT 15.=43\n[g#"+d.tag()+"]\nCUT 2")
	got := d.says("edit", "[g#%s]\nCUT 15.=43\n", d.tag())
	require.Contains(t, got, "lines 15 to 43 were edited without having been shown in this session")
}
