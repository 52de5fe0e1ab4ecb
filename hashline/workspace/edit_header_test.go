package workspace

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/snapshot/ledger"
)

// wrongHeaders are headers that are not written as they should be; each hint
// writes them in the right form.
var wrongHeaders = map[string]string{
	"no bracket": "[f.txt#TAG", "bare": "f.txt#TAG", "blank": "[f.txt TAG]", "colon": "[f.txt:TAG]", "bold": "**[f.txt#TAG]**",
	"heading": "### f.txt#TAG", "no-break space": "[f.txt#TAG]\u00a0", "a word": "File: [f.txt#TAG]", "comma behind": "[f.txt#TAG],",
}

// written gives the header that a refusal says to write.
var written = regexp.MustCompile(`write (\[f\.txt#([0-9A-F]{4})\])`)

// Whoever writes a wrong header as the hint says, under a tag that is not live, is
// not told only then that it is stale: the hint has the live tag where the numbers
// mean the same rows under it, and says to read again everywhere else.
func TestTagsOfWrongHeaders(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	for form, header := range wrongHeaders {
		for name, c := range map[string]struct {
			// change is what others do before the document comes.
			change func(d desk)
			// ops name the row seven, mend says whether the hint has the live tag.
			ops  string
			mend bool
			says string
		}{
			"live":             {func(desk) {}, "PUT 7:\n+NEW\n", false, ""},
			"same numbers":     {func(d desk) { d.write(strings.Replace(tenLines, "ten", "TEN", 1)) }, "PUT 7:\n+NEW\n", true, "the lines that the section names are as they were"},
			"an insert":        {func(d desk) { d.write(strings.Replace(tenLines, "ten", "TEN", 1)) }, "PUT <7:\n+NEW\n", true, "are as they were"},
			"moved":            {func(d desk) { d.write("zero\n" + tenLines) }, "PUT 7:\n+NEW\n", false, "first read f.txt again"},
			"the line":         {func(d desk) { d.write(strings.Replace(tenLines, "seven", "SEVEN", 1)) }, "PUT 7:\n+NEW\n", false, "first read f.txt again"},
			"one of two moved": {func(d desk) { d.write(strings.Replace(tenLines, "eight", "8\n8a", 1)) }, "PUT 2:\n+NEW\nCUT 10\n", false, "first read f.txt again"},
			// What the agent read under the old tag moved by its own edit, whose preview
			// shows other rows under the numbers.
			"own edit": {func(d desk) { d.says("edit", "[f.txt#%s]\nPUT <6:\n+a\n+b\n", d.textTag()) }, "PUT 7:\n+NEW\n", false, "first read f.txt again"},
			// Nobody knows which lines an operation names that cannot be read.
			"another fault": {func(d desk) { d.write(strings.Replace(tenLines, "ten", "TEN", 1)) }, "PUT 7:\n+NEW\nCUT 5:\n", false, "first read f.txt again"},
			"never shown":   {func(d desk) { d.Forget("f.txt") }, "PUT 7:\n+NEW\n", false, ""},
		} {
			t.Run(form+"/"+name, func(t *testing.T) {
				d := textDesk(t)
				d.says("read_file", `{"path": "f.txt"}`)
				tag := d.textTag()
				c.change(d)
				live := d.textTag()
				got := d.says("edit", "%s\n%s", strings.ReplaceAll(header, "TAG", tag), c.ops)
				m := written.FindStringSubmatch(got)
				require.NotNil(t, m, got)
				require.Contains(t, got, c.says)
				require.Equal(t, c.mend || tag == live, m[2] == live, got)
				require.Equal(t, tag != live && !c.mend, strings.Contains(got, "but first read f.txt again, and take its tag and the line numbers from there"), got)
				if m[2] == live {
					again := d.says("edit", "%s\n%s", m[1], c.ops)
					require.Regexp(t, `^(PUT|CUT) `, again)
					require.NotContains(t, again, "rejected")
				}
			})
		}
	}
}

// Where nothing is remembered nothing tells that the numbers are the same, and no
// tag is told of what may not be read.
func TestTagsOfWrongHeadersElsewhere(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "f.txt"), tenLines)
	put(t, filepath.Join(dir, "secret.txt"), tenLines)
	w, err := Open(dir, Config{Deny: []string{"secret.txt"}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	for _, s := range []*Session{w.Session(SessionConfig{}), w.Session(SessionConfig{Ledger: ledger.New(nil)})} {
		d := desk{s, t}
		live := d.textTag()
		for _, header := range wrongHeaders {
			got := d.says("edit", "%s\nPUT 7:\n+x\n", strings.ReplaceAll(header, "TAG", "0000"))
			require.Contains(t, got, "write [f.txt#0000]")
			require.Contains(t, got, "but first read f.txt again, and take its tag and the line numbers from there: the")
			require.Contains(t, got, live)
			got = d.says("edit", "%s\nPUT 7:\n+x\n", strings.ReplaceAll(strings.ReplaceAll(header, "TAG", "0000"), "f.txt", "secret.txt"))
			require.NotContains(t, got, live)
			require.NotContains(t, got, "but first read")
		}
	}
}

// A line that may be a row as well is looked at too.
func TestTagsOfHeadersThatMayBeRows(t *testing.T) {
	d := textDesk(t)
	d.says("read_file", `{"path": "f.txt"}`)
	tag := d.textTag()
	d.write("zero\n" + tenLines)
	for _, doc := range []string{"[f#%s]\nPUT 1:\n+x\nf.txt#TAG\nCUT 3\n", "[f#%s]\nPUT 1:\nf.txt#TAG\nCUT 3\n", "so\nf.txt#TAG\nCUT 3\n%.0s", "+[f.txt#TAG]\nCUT 1\n%.0s"} {
		got := d.says("edit", "%s", fmt.Sprintf(strings.ReplaceAll(doc, "TAG", tag), d.tag()))
		require.Contains(t, got, "[f.txt#"+tag+"]")
		require.Contains(t, got, "but first read f.txt again, and take its tag and the line numbers from there: the file is no longer what it was under the tag "+tag+"; its tag is "+d.textTag())
	}
}

// textDesk is a desk with a second file of ten lines, f.txt.
func textDesk(t *testing.T) desk {
	d := atDesk(t, SessionConfig{})
	d.write(tenLines)
	return d
}

func (d desk) write(text string) { put(d.t, filepath.Join(d.dir, "f.txt"), text) }

func (d desk) textTag() string { return tagOf(onDisk(d.t, d.Session, "f.txt")) }
