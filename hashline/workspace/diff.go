package workspace

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// FileChange tells hosts and people what a call did to one file. It is never
// part of the text for the agent (spec 7).
type FileChange struct {
	// Path is relative to the root.
	Path string
	// OldTag is nil for a file that was created, NewTag for one that was
	// removed.
	OldTag, NewTag *hashline.Tag
	// Added and Removed count lines.
	Added, Removed int

	before, after []byte
	// above is how many lines of both stand above those in before and after;
	// omitted says that these are too large to be held.
	above   int
	omitted bool
	removed bool
}

// rewritten counts the lines of a file that are not what they were, from the
// first to the last.
func rewritten(before, after snapshot.Snapshot) FileChange {
	old, data := before.Text.Bytes(), after.Text.Bytes()
	head, tail := commonLines(old, data)
	return FileChange{
		Path: after.Path, OldTag: &before.Tag, NewTag: &after.Tag, before: old, after: data,
		Added:   snapshot.New(data[head : len(data)-tail]).Lines(),
		Removed: snapshot.New(old[head : len(old)-tail]).Lines(),
	}
}

const (
	// maxDiff is the longest diff that is given, in bytes (spec 13).
	maxDiff = 1 << 20
	// maxDiffed and maxDiffedLines are how many bytes and lines of both
	// versions may differ for a diff to be tried at all: comparing takes about
	// 90 bytes of memory a line.
	maxDiffed      = 32 << 20
	maxDiffedLines = 500_000
	// diffBlock is how many bytes are compared at once.
	diffBlock = 4096
	// diffContext is how many equal lines stand around each hunk.
	diffContext = 3
)

// Diff gives the change as a unified diff with 3 lines of context. ok is false
// when it would be longer than 1 MiB.
func (c FileChange) Diff() (diff string, ok bool) {
	// Only the lines between the first and the last difference are compared: a
	// small edit of a large file stays cheap.
	if c.omitted {
		return "", false
	}
	head, tail := commonLines(c.before, c.after)
	was, is := c.before[head:len(c.before)-tail], c.after[head:len(c.after)-tail]
	if !comparable(was, is) {
		return "", false
	}
	from, to := diffName("a/"+c.Path), diffName("b/"+c.Path)
	if c.OldTag == nil {
		from = "/dev/null"
	}
	if c.removed {
		to = "/dev/null"
	}
	// The context is put around afterwards. If it were compared too, a change
	// among equal lines could move to its edge, where no context is left.
	edits := udiff.Lines(string(was), string(is))
	start := backLines(c.before, head, diffContext)
	for i := range edits {
		edits[i].Start += head - start
		edits[i].End += head - start
	}
	end := len(c.before) - tail
	end += len(firstLines(c.before[end:], diffContext))
	old := string(c.before[start:end])
	u, err := udiff.ToUnifiedDiff(from, to, old, edits, diffContext)
	if err != nil {
		return "", false
	}
	above := c.above + bytes.Count(c.before[:start], []byte{'\n'})
	for _, h := range u.Hunks {
		h.FromLine += above
		h.ToLine += above
	}
	if diff = u.String(); len(diff) > maxDiff {
		return "", false
	}
	return diff, true
}

// comparable reports whether two texts are small enough to be compared, and
// near enough in size that the diff can be short enough to be given.
func comparable(a, b []byte) bool {
	if d := len(a) - len(b); d > maxDiff || -d > maxDiff || len(a)+len(b) > maxDiffed {
		return false
	}
	return bytes.Count(a, []byte{'\n'})+bytes.Count(b, []byte{'\n'}) <= maxDiffedLines
}

// diffName writes a path as git and diff do in a header: quoted where it holds
// characters that would end it, and with a tab behind it where it holds a blank.
func diffName(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7F }) {
		return quoteC(path)
	}
	if strings.Contains(path, " ") {
		return path + "\t"
	}
	return path
}

// quoteC quotes as C does, with octal for control characters.
func quoteC(path string) string {
	b := []byte{'"'}
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\t':
			b = append(b, `\t`...)
		case c < ' ' || c == 0x7F:
			b = fmt.Appendf(b, `\%03o`, c)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

// commonLines gives how many bytes of whole lines are equal at the beginning
// and at the end of two texts, without overlap.
func commonLines(a, b []byte) (head, tail int) {
	n := min(len(a), len(b))
	for n-head >= diffBlock && bytes.Equal(a[head:head+diffBlock], b[head:head+diffBlock]) {
		head += diffBlock
	}
	for head < n && a[head] == b[head] {
		head++
	}
	head = bytes.LastIndexByte(a[:head], '\n') + 1
	for n-head-tail >= diffBlock && bytes.Equal(a[len(a)-tail-diffBlock:len(a)-tail], b[len(b)-tail-diffBlock:len(b)-tail]) {
		tail += diffBlock
	}
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	// The tail begins where a line begins in both texts.
	rest := a[len(a)-tail:]
	if begins(a, len(a)-tail) && begins(b, len(b)-tail) {
		return head, tail
	}
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		return head, len(rest) - i - 1
	}
	return head, 0
}

// begins reports whether a line begins at an offset.
func begins(text []byte, at int) bool { return at == 0 || text[at-1] == '\n' }

// backLines gives the offset n lines before one at which a line begins.
func backLines(text []byte, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		at = bytes.LastIndexByte(text[:at-1], '\n') + 1
	}
	return at
}

// firstLines gives the first n lines of a text.
func firstLines(text []byte, n int) []byte {
	at := 0
	for ; n > 0 && at < len(text); n-- {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return text
		}
		at += i + 1
	}
	return text[:at]
}
