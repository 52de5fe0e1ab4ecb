package workspace

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// allocated gives how many bytes of memory something takes in all. It is the same
// whatever else the machine does, and every record that is read counts.
func allocated(do func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// onePass gives what it takes to read the whole history of a workspace once.
func onePass(t *testing.T, s *Session) int64 {
	t.Helper()
	return allocated(func() {
		_, err := s.store.Records(s.root, func(commit.Record) bool { return true })
		require.NoError(t, err)
	})
}

// crowd is a workspace with many files that a session has read, and a document that
// edits all of them.
type crowd struct {
	*Session
	names    []string
	document string
}

func inCrowd(t *testing.T, n int) crowd {
	t.Helper()
	files := map[string]string{}
	c := crowd{}
	for i := range n {
		c.names = append(c.names, fmt.Sprintf("d/f%04d", i))
		files[c.names[i]] = "one\ntwo\nthree\n"
	}
	c.Session = (&Workspace{open(t, files).core}).Session(SessionConfig{Name: "mine", Ledger: ledger.New(nil)})
	var doc strings.Builder
	for _, name := range c.names {
		res, err := c.Read(t.Context(), ReadArgs{Path: name})
		require.NoError(t, err)
		head, _, _ := strings.Cut(res.Content, "\n")
		doc.WriteString(head + "\nPUT 2:\n+zwei\n")
	}
	c.document = doc.String()
	return c
}

func (c crowd) put(t *testing.T, text string) {
	t.Helper()
	for _, name := range c.names {
		put(t, filepath.Join(c.dir, name), text)
	}
}

func (c crowd) refused(t *testing.T) string {
	t.Helper()
	_, err := c.Edit(t.Context(), c.document)
	require.ErrorContains(t, err, "stale_tag")
	return err.Error()
}

// However many sections of a document are stale, a long history is read once, and
// not at all where the document is only sent again.
func TestLongHistoryIsReadOnce(t *testing.T) {
	c := inCrowd(t, 1000)
	c.put(t, "zero\none\ntwo\nthree\n")
	refuse := func() { c.refused(t) }
	refuse() // what is made once
	short := allocated(refuse)
	longLog(t, c.Session, 2<<20)
	pass := onePass(t, c.Session)
	require.Greater(t, pass, int64(2<<20))
	require.Less(t, allocated(refuse)-short, pass*3/2)

	c.put(t, "one\ntwo\nthree\n")
	_, err := c.Edit(t.Context(), c.document)
	require.NoError(t, err)
	again := func() {
		res, err := c.Edit(t.Context(), c.document)
		require.NoError(t, err)
		require.Contains(t, res.Content, "already applied")
	}
	again()
	near := allocated(again)
	longLog(t, c.Session, 4<<20)
	require.Less(t, allocated(again)-near, pass/4)
}

// An undo that many files refuse reads it once as well.
func TestLongHistoryIsReadOnceForUndo(t *testing.T) {
	c := inCrowd(t, 1000)
	_, err := c.Edit(t.Context(), c.document)
	require.NoError(t, err)
	c.put(t, "another\n")
	refuse := func() {
		_, err := c.Undo(t.Context(), UndoArgs{Path: c.names[0]})
		require.ErrorContains(t, err, "undo_conflict")
	}
	refuse()
	short := allocated(refuse)
	longLog(t, c.Session, 2<<20)
	// Which edit is to be taken back is looked up before and after the lock.
	require.Less(t, allocated(refuse)-short, onePass(t, c.Session)*7/2)
}

// Each file of a refusal is told of by its own newest edit, and of one whose edit
// lies too far back nothing is said.
func TestChangedByEach(t *testing.T) {
	c := inCrowd(t, 4)
	edit := func(who string, path string) {
		other := (&Workspace{c.core}).Session(SessionConfig{Name: who})
		res, err := other.Read(t.Context(), ReadArgs{Path: path})
		require.NoError(t, err)
		head, _, _ := strings.Cut(res.Content, "\n")
		_, err = other.Edit(t.Context(), head+"\nPUT 1:\n+"+who+"\n")
		require.NoError(t, err)
	}
	edit("early", c.names[0])
	edit("ann", c.names[0])
	edit("bob", c.names[1])
	edit("cyd", c.names[2])
	put(t, filepath.Join(c.dir, c.names[2]), "after cyd\n")
	put(t, filepath.Join(c.dir, c.names[3]), "by nobody\n")
	said := func() (lines []string) {
		for line := range strings.Lines(c.refused(t)) {
			if strings.Contains(line, "stale_tag") {
				_, by, _ := strings.Cut(line, ", made ")
				_, by, _ = strings.Cut(by, " in the session ")
				by, _, _ = strings.Cut(by, ";")
				lines = append(lines, by)
			}
		}
		return lines
	}
	require.Equal(t, []string{"ann", "bob", "", ""}, said())
	longLog(t, c.Session, maxLookBack+1<<20)
	edit("dan", c.names[1])
	require.Equal(t, []string{"", "dan", "", ""}, said())
}
