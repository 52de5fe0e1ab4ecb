package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/search"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// desk is an agent with a ledger, in a workspace with one file of ten lines.
type desk struct {
	*Session
	t *testing.T
}

const tenLines = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n"

func atDesk(t *testing.T, cfg SessionConfig) desk {
	t.Helper()
	w := &Workspace{open(t, map[string]string{"f": tenLines}).core}
	cfg.Ledger = ledger.New(nil)
	return desk{w.Session(cfg), t}
}

// says gives the text of an answer, whatever it is.
func (d desk) says(tool, format string, args ...any) string {
	d.t.Helper()
	var input string
	switch tool {
	case "edit":
		input = fmt.Sprintf(`{"input": %q}`, fmt.Sprintf(format, args...))
	default:
		input = fmt.Sprintf(format, args...)
	}
	return d.Call(d.t.Context(), tool, []byte(input)).Content
}

func (d desk) read() { d.says("read_file", `{"path": "f"}`) }

func (d desk) tag() string { return tagOf(onDisk(d.t, d.Session, "f")) }

func (d desk) put(text string) { put(d.t, filepath.Join(d.dir, "f"), text) }

func want(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The commonest wrong edit: the tag of the last answer over the numbers of the
// view before it.
func TestFreshTagWithOldNumbers(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	d.read()
	got := d.says("edit", "[f#%s]\nPUT >2:\n+new a\n+new b\n", d.tag())
	want(t, got, `PUT >2: (+2 line(s))
[f#`+d.tag()+`]
1:one
2:two
3:new a
4:new b
5:three
6:four
7:five

[rows 1-7 of 12, around the change; read_file shows the others]

[old line 3 is now 5, and so on to the end]`)
	old := onDisk(t, d.Session, "f")
	doc := "[f#" + d.tag() + "]\nPUT 8:\n+EIGHT\n"
	got = d.says("edit", "%s", doc)
	want(t, got, `edit rejected, nothing was written
f: moved_line: line 8 is not the row that was last shown as line 8, which is line 10 now; take the number from the live snapshot; if line 8 as it shows it is meant, send the same document again

Live snapshot to retry from:
[f#`+d.tag()+`]
6:four
7:five
8:six
9:seven
10:eight
11:nine
12:ten

[7 of 12 rows; read_file shows the others]`)
	require.Equal(t, old, onDisk(t, d.Session, "f"))
	// Insisting is possible.
	got = d.says("edit", "%s", doc)
	require.Contains(t, got, "PUT 8: (1 → 1 line(s))")
	require.Contains(t, onDisk(t, d.Session, "f"), "five\nEIGHT\nseven\n")
}

// Numbers from the preview, and those before the change, are good.
func TestNumbersInSight(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	d.read()
	d.says("edit", "[f#%s]\nPUT >5:\n+new\n", d.tag()) // shows 3 to 9
	d.says("edit", "[f#%s]\nPUT 1:\n+ONE\n", d.tag())  // shows 1 to 4
	require.Contains(t, d.says("edit", "[f#%s]\nCUT 10\n", d.tag()), "moved_line: line 10 is not the row")
	require.Contains(t, d.says("edit", "[f#%s]\nPUT 8:\n+SEVEN\nPUT 2:\n+TWO\n", d.tag()), "PUT 8: (1 → 1 line(s))")
}

// Two edits of one batch have one tag. Though the session never showed it, as
// where another told it, the first that lands proves that the agent has the text.
func TestSecondEditOfABatch(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	d := atDesk(t, SessionConfig{})
	tag := d.tag()
	require.Contains(t, d.says("edit", "[f#%s]\nPUT >2:\n+a\n+b\n", tag), "PUT >2: (+2 line(s))")
	got := d.says("edit", "[f#%s]\nPUT 7.=8:\n+x\n", tag)
	require.Contains(t, got, "the file is no longer what it was under the tag "+tag)
	require.Contains(t, got, "; its lines now: 7.=8 → 9.=10;")
	require.Contains(t, got, "Corrected document:\n[f#"+d.tag()+"]\nPUT 9.=10:\n+x")
	require.Contains(t, d.says("edit", "[f#%s]\nPUT 9.=10:\n+x\n", d.tag()), "PUT 9.=10: (2 → 1 line(s))")
	// What nobody proved is still unknown.
	require.Contains(t, d.says("edit", "[f#0000]\nCUT 1\n"), "the file was never shown under the tag 0000")
}

func TestReasonsOfStaleTags(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	reason := func(doc string) string {
		t.Helper()
		resp := d.Call(t.Context(), "edit", fmt.Appendf(nil, `{"input": %q}`, doc))
		require.Equal(t, hashline.StaleTag, resp.Code, resp.Content)
		return resp.Faults[0].Reason
	}
	require.Equal(t, "unread", reason("[f#0000]\nCUT 1\n"))
	require.Equal(t, "unknown_tag", reason("[f#0000]\nCUT 1\n"), "the refusal showed the file")
	first := d.tag()
	d.put("zero\n" + tenLines)
	require.Equal(t, "stale", reason("[f#"+first+"]\nCUT 1\n"))
}

// Two texts with one tag are told apart.
func TestCollision(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	d.read()
	tag := d.tag()
	for i := 0; ; i++ {
		text := fmt.Sprintf("%sx%d\n", tenLines, i)
		if tagOf(text) == tag {
			d.put(text)
			break
		}
	}
	got := d.says("edit", "[f#%s]\nCUT 1\n", tag)
	require.Contains(t, got, "the live one has the same tag by chance")
}

func TestCorrectedDocument(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	d := atDesk(t, SessionConfig{})
	d.read()
	old := d.tag()
	d.put("zero\n" + strings.Replace(tenLines, "nine\n", "", 1))
	got := d.says("edit", "[f#%s]\nPUT 3.=4:\n+3\n+4\nPUT <6:\n+5.5\n", old)
	head, corrected, ok := strings.Cut(got, "\n\nCorrected document:\n")
	require.True(t, ok, got)
	require.Contains(t, head, "its lines now: 3.=4 → 4.=5, 6 → 7;")
	want(t, corrected, "[f#"+d.tag()+"]\nPUT 4.=5:\n+3\n+4\nPUT <7:\n+5.5")
	got = d.says("edit", "%s\n", corrected)
	require.Contains(t, got, "PUT 4.=5: (2 → 2 line(s))")
	require.Equal(t, "zero\none\ntwo\n3\n4\nfive\n5.5\nsix\nseven\neight\nten\n", onDisk(t, d.Session, "f"))
}

// A line that others changed, or that stands there more than once, is not
// guessed.
func TestNoCorrectedDocument(t *testing.T) {
	for name, text := range map[string]string{
		"changed": strings.Replace("zero\n"+tenLines, "three", "THREE", 1),
		"gone":    strings.Replace("zero\n"+tenLines, "three\n", "", 1),
		"twice":   tenLines + tenLines,
	} {
		t.Run(name, func(t *testing.T) {
			d := atDesk(t, SessionConfig{})
			d.read()
			old := d.tag()
			d.put(text)
			got := d.says("edit", "[f#%s]\nPUT 3:\n+3\n", old)
			require.Contains(t, got, "stale_tag")
			require.NotContains(t, got, "Corrected document")
		})
	}
}

func TestRebase(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	d := atDesk(t, SessionConfig{Rebase: true})
	d.read()
	old := d.tag()
	d.put("zero\n" + tenLines)
	got := d.says("edit", "[f#%s]\nPUT 3:\n+3\n", old)
	require.Contains(t, got, "PUT 4: (1 → 1 line(s))")
	require.Contains(t, got, "warning: f: rebased: the document was written for "+old)
	require.Contains(t, got, "3 → 4")
	require.Equal(t, strings.Replace("zero\n"+tenLines, "three", "3", 1), onDisk(t, d.Session, "f"))
}

// An old number under the tag of an own edit is not mapped as if it was one of that
// edit's text, when others have changed the file as well.
func TestStaleOldNumbers(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	d := atDesk(t, SessionConfig{})
	d.read()
	d.says("edit", "[f#%s]\nPUT >2:\n+new\n+newer\n", d.tag())
	own := d.tag()
	d.put(onDisk(t, d.Session, "f") + "eleven\n")
	got := d.says("edit", "[f#%s]\nPUT 8:\n+8\n", own)
	require.Contains(t, got, "its lines now: 8 not as last shown under that number, even then (that row is 10 now);")
	require.Contains(t, got, "\n10:eight\n")
	require.NotContains(t, got, "Corrected document")
	require.Contains(t, d.says("edit", "[f#%s]\nPUT 10:\n+8\n", d.tag()), "PUT 10: (1 → 1 line(s))")
	// Spans pass as they are told, and what others changed or removed is not told.
	d = atDesk(t, SessionConfig{})
	d.put(strings.Repeat(tenLines, 3))
	d.read()
	d.says("edit", "[f#%s]\nPUT >2:\n+new\n+newer\n", d.tag())
	own = d.tag()
	d.put("zero\n" + strings.Replace(onDisk(t, d.Session, "f"), "eight\n", "", 1))
	got = d.says("edit", "[f#%s]\nCUT 8\nCUT 10.=26\n", own)
	require.Contains(t, got, "its lines now: 8 not as last shown under that number, even then, 10.=26 not as last shown under these numbers, even then (those rows are 12.=28 now);")
	require.Contains(t, d.says("edit", "[f#%s]\nCUT 12.=28\n", d.tag()), "CUT 12.=28 (17 lines)")
}

// Correcting numbers does not show the lines that they stand for.
func TestRebaseOfUnseenLines(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	for _, before := range []string{"", "zero\n"} {
		for level, wants := range map[Level]string{
			Warn:    "warning: f: unseen: line %d was edited without having been shown in this session",
			Off:     "PUT %d: (1 → 1 line(s))",
			Enforce: "stale_tag",
		} {
			d := atDesk(t, SessionConfig{Rebase: true, RequireSeen: level})
			d.says("read_file", `{"path": "f", "limit": 3}`)
			doc := "[f#" + d.tag() + "]\nPUT 8:\n+8\n"
			d.put(before + tenLines + "eleven\n")
			got := d.says("edit", "%s", doc)
			line := 8 + strings.Count(before, "\n")
			require.Contains(t, got, strings.ReplaceAll(wants, "%d", strconv.Itoa(line)))
			require.Equal(t, level == Warn, strings.Contains(got, "warning: f: unseen"))
			if level == Enforce {
				require.Equal(t, before+tenLines+"eleven\n", onDisk(t, d.Session, "f"))
				_, corrected, ok := strings.Cut(got, "Corrected document:\n")
				require.True(t, ok, got)
				require.Contains(t, d.says("edit", "%s", corrected), fmt.Sprintf("PUT %d: (1 → 1 line(s))", line))
			}
		}
	}
}

func TestAlreadyApplied(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	d.read()
	doc := "[f#" + d.tag() + "]\nPUT 3:\n+3\n+3.5\n"
	d.says("edit", "%s", doc)
	after := onDisk(t, d.Session, "f")
	got := d.says("edit", "%s", strings.ToLower(doc[:3])+doc[3:])
	want(t, got, "already applied: this session applied the same document before, and only its own edits have changed the files since; nothing was done again. To do it again on purpose, send it under the live headers with the numbers of a read\n[f#"+d.tag()+"]")
	require.Equal(t, after, onDisk(t, d.Session, "f"))
	d.says("undo", "{}")
	require.Equal(t, tenLines, onDisk(t, d.Session, "f"))
	require.Contains(t, d.says("edit", "%s", doc), "PUT 3: (1 → 2 line(s))", "it was undone, so it can be done again")
}

// A number that was never shown is not called one that was.
func TestNumberNeverShown(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	d.read()
	d.says("edit", "[f#%s]\nPUT <1:\n+a\n+b\n+c\n", d.tag())
	got := d.says("edit", "[f#%s]\nCUT 12\n", d.tag())
	require.Contains(t, got, "moved_line: line 12 was not shown under that number: its row was last shown as line 9; take the number from the live snapshot; if line 12 as it shows it is meant, send the same document again")
	require.Contains(t, d.says("edit", "[f#%s]\nCUT 12\n", d.tag()), "CUT 12 (1 line)")
	d = atDesk(t, SessionConfig{})
	d.read()
	d.says("edit", "[f#%s]\nPUT <1:\n+a\n+b\n+c\n", d.tag())
	got = d.says("edit", "[f#%s]\nCUT 10.=13\n", d.tag())
	require.Contains(t, got, "moved_line: line 10 is not the row that was last shown as line 10, which is line 13 now;")
	require.Contains(t, got, "moved_line: lines 11 to 13 were not shown under these numbers: their rows were last shown as lines 8 to 10;")
}

func TestRequireSeen(t *testing.T) {
	for level, wants := range map[Level]string{
		Warn:    "warning: f: unseen: line 9 was edited without having been shown in this session",
		Off:     "PUT 9: (1 → 1 line(s))",
		Enforce: "moved_line: line 9 was never shown in this session",
	} {
		d := atDesk(t, SessionConfig{RequireSeen: level})
		d.says("read_file", `{"path": "f", "limit": 3}`)
		doc := "[f#" + d.tag() + "]\nPUT 9:\n+9\n"
		got := d.says("edit", "%s", doc)
		require.Contains(t, got, wants)
		require.Equal(t, level == Warn, strings.Contains(got, "warning"))
		if level == Enforce {
			require.Contains(t, d.says("edit", "%s", doc), "PUT 9: (1 → 1 line(s))")
		}
	}
}

func TestRequireRead(t *testing.T) {
	for level, wants := range map[Level]string{
		Warn:    "warning: f: unread: ",
		Off:     "wrote f",
		Enforce: "changed_since_read: the file exists and this session was never shown it",
	} {
		d := atDesk(t, SessionConfig{RequireRead: level})
		got := d.says("write", `{"path": "f", "content": "x\n"}`)
		require.Contains(t, got, wants)
		require.Equal(t, level == Warn, strings.Contains(got, "warning"))
		if level == Enforce {
			require.Contains(t, d.says("write", `{"path": "f", "content": "x\n"}`), "wrote f")
		}
	}
}

func TestChangedSinceRead(t *testing.T) {
	d := atDesk(t, SessionConfig{RequireRead: Off})
	d.read()
	d.put("others\n")
	got := d.says("write", `{"path": "f", "content": "mine\n"}`)
	require.Contains(t, got, "changed_since_read")
	require.Equal(t, "others\n", onDisk(t, d.Session, "f"))
	require.Contains(t, d.says("write", `{"path": "f", "content": "mine\n"}`), "wrote f")
	require.Contains(t, d.says("write", `{"path": "f", "content": "mine 2\n"}`), "wrote f", "its own writing is no change by others")
}

func TestStubReads(t *testing.T) {
	d := atDesk(t, SessionConfig{StubReads: true})
	d.says("read_file", `{"path": "f", "limit": 5}`)
	stubbed := "[f#" + d.tag() + "] unchanged; rows 2-4 of 10 stand above, under this tag or with the same numbers and, but for blanks at line ends, texts"
	want(t, d.says("read_file", `{"path": "f", "offset": 2, "limit": 3}`), stubbed)
	require.Contains(t, d.says("read_file", `{"path": "f"}`), "\n10:ten")
	d.put(strings.ToUpper(tenLines))
	require.Contains(t, d.says("read_file", `{"path": "f", "offset": 2, "limit": 3}`), "\n3:THREE")
}

func TestRowLimit(t *testing.T) {
	d := atDesk(t, SessionConfig{RowLimit: 3, RequireSeen: Enforce})
	require.Contains(t, d.says("read_file", `{"path": "f"}`), "\n3:three\n\n[rows 1-3 of 10; next offset 4]")
	require.Contains(t, d.says("edit", "[f#%s]\nPUT 4:\n+4\n", d.tag()), "edit rejected", "row 4 was not shown")
	require.Contains(t, d.says("read_file", `{"path": "f", "offset": 4}`), "\n6:six\n\n[rows 4-6 of 10; next offset 7]")
}

// Rows count as shown by whatever answer.
func TestEveryAnswerShows(t *testing.T) {
	for name, show := range map[string]func(d desk){
		"read":    func(d desk) { d.says("read_file", `{"path": "f", "ranges": "9-9"}`) },
		"search":  func(d desk) { d.says("grep", `{"pattern": "nine"}`) },
		"refusal": func(d desk) { d.says("edit", "[f#0000]\nCUT 9\n") },
		"write":   func(d desk) { d.says("write", `{"path": "f", "content": %q}`, tenLines) },
		"syntax":  func(d desk) { d.says("edit", "[f#%s]\nPUT 9\n+x\n", d.tag()) },
		"expect":  func(d desk) { d.says("write", `{"path": "f", "content": "x", "expect": "absent"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			d := atDesk(t, SessionConfig{RequireSeen: Enforce})
			show(d)
			require.Contains(t, d.says("edit", "[f#%s]\nPUT 9:\n+9\n", d.tag()), "PUT 9: (1 → 1 line(s))")
		})
	}
}

// A search that shows only names shows no rows.
func TestSearchWithoutRows(t *testing.T) {
	d := atDesk(t, SessionConfig{RequireSeen: Enforce})
	_, err := d.Grep(t.Context(), search.Query{Pattern: "nine", Mode: search.FilesWithMatches})
	require.NoError(t, err)
	require.Contains(t, d.says("edit", "[f#%s]\nPUT 9:\n+9\n", d.tag()), "moved_line")
}

// Who changed the file is told where the history knows.
func TestChangedBy(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	d := atDesk(t, SessionConfig{Name: "a"})
	other := (&Workspace{d.core}).Session(SessionConfig{Name: "other"})
	d.read()
	old := d.tag()
	_, err := other.Edit(t.Context(), "[f#"+old+"]\nCUT 1\n")
	require.NoError(t, err)
	require.Regexp(t, `, made (just now|\d+ seconds ago) by edit in the session other; its lines now: 3 → 2;`, d.says("edit", "[f#%s]\nCUT 3\n", old))
	d.put("more\n" + tenLines)
	require.NotContains(t, d.says("edit", "[f#%s]\nCUT 3\n", old), "made")
}

// An undo moves lines as an edit does: those that it leaves alone are found by
// the renumbering, also between two stretches that it takes back.
func TestUndoRenumbers(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	d.read()
	d.says("edit", "[f#%s]\nPUT >2:\n+new\nPUT >8:\n+new\n", d.tag())
	d.says("undo", "{}")
	got := d.says("undo", "{}")
	require.Contains(t, got, "\n\n[old line 3 is now 4, and so on to old line 8]\n[old line 9 is now 11, and so on to the end]")
}

// The answer to an undo is not cut in the middle, so that the session knows what
// it showed.
func TestUndoFits(t *testing.T) {
	for limit := 300; limit < 500; limit += 7 {
		d := atDesk(t, SessionConfig{})
		text := ""
		for n := range 50 {
			text += fmt.Sprintf("line %d\n", n)
		}
		d.put(text)
		d.read()
		d.says("edit", "[f#%s]\nCUT 10.=40\n", d.tag())
		d.limit = limit
		got := d.says("undo", "{}")
		require.LessOrEqual(t, len(got), limit)
		require.Contains(t, got, "around the change; read_file shows the others]\n\n[old line 41 is now 41, and so on to the end]")
	}
}

// However small the answer, it says that lines were moved.
func TestRenumberingHasRoom(t *testing.T) {
	for limit := 300; limit < 700; limit += 20 {
		d := atDesk(t, SessionConfig{OutputLimit: limit})
		d.read()
		got := d.says("edit", "[f#%s]\nPUT >2:\n+%s\nCUT 6\n", d.tag(), strings.Repeat("long ", 30))
		require.LessOrEqual(t, len(got), limit)
		require.Regexp(t, `\n\n\[(old line 3 is now 4, and so on to old line 5\]|all other old line numbers are void; read_file shows them again\])`, got)
	}
}

// Old numbers are those of reads, searches, refusals and written content, as the
// description of edit says, and not of the answers to edits and undos.
func TestWhatOldNumbersAre(t *testing.T) {
	edit, _ := FindTool("edit")
	require.Contains(t, edit.Description, "read_file, grep, write (which shows all that it wrote) or a refused call last showed it, not one from the answer to an edit or undo")
	for name, c := range map[string]struct {
		show func(d desk)
		same bool // the numbers are those of before
	}{
		"read_file": {func(d desk) { d.read() }, false},
		"grep":      {func(d desk) { d.says("grep", `{"pattern": ".", "max_per_file": 100}`) }, false},
		"write":     {func(d desk) { d.says("write", `{"path": "f", "content": %q}`, "x\n"+onDisk(t, d.Session, "f")) }, false},
		"refused edit": {func(d desk) {
			require.Contains(t, d.says("edit", "[f#0000]\nCUT 3\nCUT 7\nCUT 11\n"), "\n11:ten")
		}, false},
		"refused write": {func(d desk) {
			require.Contains(t, d.says("write", `{"path": "f", "content": "", "expect": "0000"}`), "\n11:ten")
		}, false},
		"edit": {func(d desk) { d.says("edit", "[f#%s]\nPUT 5:\n+FOUR\n", d.tag()) }, true},
		"undo": {func(d desk) {
			d.says("edit", "[f#%s]\nPUT 5:\n+FOUR\n", d.tag())
			require.Contains(t, d.says("undo", "{}"), "\n5:four")
		}, true},
	} {
		d := atDesk(t, SessionConfig{})
		d.read()
		d.says("edit", "[f#%s]\nPUT >2:\n+new\n", d.tag())
		c.show(d)
		got := d.says("edit", "[f#%s]\nPUT <1:\n+newest\n", d.tag())
		if want := "\n[old line 3 is now 5, and so on to the end]"; c.same != strings.Contains(got, want) {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// However much was moved, the renumbering is short, and no number that moved falls
// silent: those that are not named are void from one on.
func TestRenumberingIsBounded(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	rows, doc := "", ""
	for n := range 200 {
		rows += fmt.Sprintf("row %d\n", n+1)
		if n%2 == 1 {
			doc += fmt.Sprintf("PUT >%d:\n+new\n", n+1)
		}
	}
	d.put(rows)
	d.read()
	got := d.says("edit", "[f#%s]\n%s", d.tag(), doc)
	_, list, ok := strings.Cut(got, "\n\n[old line ")
	require.True(t, ok, got)
	require.LessOrEqual(t, len(list), 1<<10+100)
	lines := strings.Split("[old line "+list, "\n")
	for i, line := range lines[:len(lines)-1] {
		want(t, line, fmt.Sprintf("[old line %d is now %d, and so on to old line %d]", 2*i+3, 3*i+4, 2*i+4))
	}
	want(t, lines[len(lines)-1], fmt.Sprintf("[old line %d and all after it are void; read_file shows them again]", 2*len(lines)+1))
	// Each file of several has its own list.
	w := &Workspace{open(t, map[string]string{"a": rows, "b": rows}).core}
	d = desk{w.Session(SessionConfig{Ledger: ledger.New(nil)}), t}
	got = d.says("edit", "[a#%s]\n%s[b#%s]\n%s", tagOf(rows), doc, tagOf(rows), doc)
	require.NotContains(t, got, "old line", "nothing was shown")
	d.says("read_file", `{"path": "a"}`)
	d.says("read_file", `{"path": "b"}`)
	tag := tagOf(onDisk(t, d.Session, "a"))
	got = d.says("edit", "[a#%s]\n%s[b#%s]\n%s", tag, doc, tag, doc)
	for _, name := range []string{"a", "b"} {
		require.Regexp(t, `(?m)^`+name+`: \[old line 3 is now 4, .*(\n`+name+`: .*)*\n`+name+`: \[old line \d+ and all after it are void; read_file shows them again\]$`, got)
	}
}

// Rows that are back are named only where an answer would else be silent.
func TestRenumberingOfWhatIsBack(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	d.read()
	d.says("edit", "[f#%s]\nPUT >2:\n+new\n", d.tag())
	d.says("edit", "[f#%s]\nPUT >6:\n+new\n", d.tag())
	got := d.says("edit", "[f#%s]\nCUT 7\n", d.tag())
	require.Regexp(t, `\n\n\[old line 3 is now 4, and so on to the end\]$`, got)
	got = d.says("edit", "[f#%s]\nCUT 10\n", d.tag())
	require.Regexp(t, `\n\n\[old line 3 is now 4, and so on to old line 8\]$`, got)
}

// What a refusal names as where lines are now counts as shown, however little of
// it the snapshot has room for: one more document is enough.
func TestRefusalNamesLines(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	for name, limit := range map[string]int{"whole": 0, "small": 700} {
		t.Run(name, func(t *testing.T) {
			d := atDesk(t, SessionConfig{OutputLimit: limit})
			d.put(strings.Repeat("x\ny\n", 20)) // no line stands once, so that nothing is corrected
			d.read()
			old := d.tag()
			d.put("new\n" + strings.Repeat("x\ny\n", 20))
			got := d.says("edit", "[f#%s]\nCUT 10.=25\n", old)
			require.Contains(t, got, "; its lines now: 10.=25 → 11.=26;")
			require.NotContains(t, got, "Corrected document")
			require.Contains(t, d.says("edit", "[f#%s]\nCUT 11.=26\n", d.tag()), "CUT 11.=26 (16 lines)")
		})
	}
	d := atDesk(t, SessionConfig{})
	d.put(strings.Repeat(tenLines, 3))
	d.read()
	d.says("edit", "[f#%s]\nPUT <1:\n+a\n+b\n", d.tag())
	got := d.says("edit", "[f#%s]\nCUT 10.=25\n", d.tag())
	require.Contains(t, got, "moved_line: lines 10 to 25 are not the rows that were last shown under these numbers, which are lines 12 to 27 now;")
	require.Contains(t, d.says("edit", "[f#%s]\nCUT 12.=27\n", d.tag()), "CUT 12.=27 (16 lines)")
}

// A stub shows a tag, and the rows above count as shown under it.
func TestStubShowsTheTag(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	d := atDesk(t, SessionConfig{StubReads: true})
	d.read()
	d.put(tenLines + "eleven\n")
	require.Contains(t, d.says("read_file", `{"path": "f", "limit": 5}`), "] unchanged; rows 1-5 of 11 ")
	old := d.tag()
	d.put("zero\n" + tenLines + "eleven\n")
	got := d.says("edit", "[f#%s]\nCUT 3\n", old)
	require.Contains(t, got, "stale_tag: the file is no longer what it was under the tag "+old)
	require.Contains(t, got, "Corrected document:\n[f#"+d.tag()+"]\nCUT 4")
}

// TestNumbersThatStay: the answer to an edit that moves no line does not say
// again where an earlier one moved lines to.
func TestNumbersThatStay(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	d.read()
	require.Contains(t, d.says("edit", "[f#%s]\nPUT <5:\n+new\n", d.tag()), "[old line 5 is now 6, and so on to the end]")
	require.NotContains(t, d.says("edit", "[f#%s]\nPUT 1:\n+ONE\n", d.tag()), "old line")
	// A line that was read, and neither shown nor named by its new number since.
	require.Contains(t, d.says("edit", "[f#%s]\nPUT 11:\n+TEN\n", d.tag()), "moved_line")
}

// TestAppliedByAnotherSpelling: the path of a repeated document may be written in
// another way.
func TestAppliedByAnotherSpelling(t *testing.T) {
	d := atDesk(t, SessionConfig{})
	d.read()
	tag := d.tag()
	d.says("edit", "[f#%s]\nPUT >2:\n+new\n", tag)
	require.Contains(t, d.says("edit", "[./f#%s]\nPUT >2:\n+new\n", tag), "already applied")
}

// TestNoLineOfThatText: a number that the old text never had is not one that is
// gone.
func TestNoLineOfThatText(t *testing.T) {
	needHeld(t, "the ledger cannot follow lines through the changes of others")
	d := atDesk(t, SessionConfig{})
	d.read()
	tag := d.tag()
	d.put(tenLines + "eleven\n")
	require.Contains(t, d.says("edit", "[f#%s]\nPUT >77:\n+new\n", tag), "77 out of range of that text")
}

// Two files that differ only in blanks at line ends are not taken for each
// other, and a row that a search cut can still be read.
func TestStubsOfOtherTexts(t *testing.T) {
	w := &Workspace{open(t, map[string]string{"a": "one  \ntwo\n", "b": "one\ntwo  \n", "long": strings.Repeat("x", 900) + "needle\n"}).core}
	d := desk{w.Session(SessionConfig{StubReads: true, Ledger: ledger.New(nil)}), t}
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"a", "b"} {
		require.NoError(t, os.Chtimes(filepath.Join(d.dir, name), old, old))
	}
	read := func(name string) string { return d.says("read_file", `{"path": %q}`, name) }
	require.Contains(t, read("a"), "1:one  \n2:two")
	require.Contains(t, read("b"), "1:one\n2:two  ")
	require.Contains(t, read("a"), "unchanged")
	d.ledger.Forget("a")
	require.Contains(t, read("a"), "1:one  \n2:two")
	require.Contains(t, d.says("grep", `{"pattern": "needle"}`), "…")
	require.Contains(t, read("long"), "1:xxx")
}
