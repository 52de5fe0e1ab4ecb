// Package snapshot turns the bytes of a file into lines, a tag and the
// numbered, bounded views that an agent sees (spec 2, 3, 4). It never touches
// the disk. A [Text] is immutable and may be used by several goroutines.
package snapshot

import (
	"bytes"
	"slices"
	"sort"
	"sync"
)

// blockSize is how many bytes of text share one entry of the line index. A
// smaller block finds a line faster, a larger one makes a smaller index.
const blockSize = 4096

var bom = []byte("\uFEFF")

// Text is the text of a file and an index of its lines. Lines count from 1; a
// line ends at "\n" or "\r\n", and a lone "\r" is content (spec 2). The text is
// held as UTF-8, with U+FEFF in front where the file has a byte-order mark; all
// offsets are those in it. [Text.Raw] gives the bytes of the file.
//
// A Text that [Scan] or [Text.Splice] made is not in memory but elsewhere: Bytes
// and Raw do not work, and what cannot be read shows in [Text.Err].
type Text struct {
	data []byte
	// far is nil where the text is data.
	far      far
	size     int
	encoding encoding
	mark     int
	lines    int
	// before[k] is the number of "\n" in data[:k*blockSize].
	before []int

	crlfOnce sync.Once
	crlf     bool
	sumOnce  sync.Once
	sum      uint64
}

// New indexes data, which must be UTF-8 as [CheckUTF8] checks it, and is the text
// of a file in UTF-8. The Text keeps data, which must not change any more.
func New(data []byte) *Text {
	t := &Text{data: data, size: len(data), before: make([]int, 0, len(data)/blockSize+1)}
	if bytes.HasPrefix(data, bom) {
		t.mark = len(bom)
	}
	n := 0
	for at := 0; at < len(data); at += blockSize {
		t.before = append(t.before, n)
		n += bytes.Count(data[at:min(at+blockSize, len(data))], []byte{'\n'})
	}
	t.lines = n
	if len(data) > t.mark && data[len(data)-1] != '\n' {
		t.lines++
	}
	return t
}

// With indexes another text for the same file: in its encoding, and with its
// byte-order mark, which is put in front where data begins otherwise. data must
// be UTF-8 as [CheckUTF8] checks it. The Text keeps data, which must not change
// any more.
func (t *Text) With(data []byte) *Text {
	if t.mark > 0 && !bytes.HasPrefix(data, bom) {
		data = slices.Concat(bom, data)
	}
	u := New(data)
	u.encoding = t.encoding
	return u
}

// Bytes gives the whole text as UTF-8, byte-order mark and line ends included. It
// is the Text's own memory and must not be changed. It must not be asked of a text
// that is not in memory.
func (t *Text) Bytes() []byte {
	if t.far != nil {
		panic("snapshot: the text is not in memory")
	}
	return t.data
}

// Sum gives [Sum64] of the text, which it computes once. It must not be asked of a
// text that is not in memory.
func (t *Text) Sum() uint64 {
	t.sumOnce.Do(func() { t.sum = Sum64(t.Bytes()) })
	return t.sum
}

// Mark gives the length of the byte-order mark in the text, in bytes: 0 where
// there is none.
func (t *Text) Mark() int { return t.mark }

// Lines gives the number of lines.
func (t *Text) Lines() int { return t.lines }

// Terminated reports whether the last line has a terminator. An empty file has
// no last line and reports false.
func (t *Text) Terminated() bool {
	return t.size > t.mark && t.Slice(t.size-1, t.size)[0] == '\n'
}

// Start gives the offset in bytes at which line n begins: for line 1 the byte
// after the byte-order mark, for Lines()+1 the end of the text. n must lie
// between 1 and Lines()+1.
func (t *Text) Start(n int) int {
	switch {
	case n < 1 || n > t.lines+1:
		panic("snapshot: no such line")
	case n == 1:
		return t.mark
	case n == t.lines+1:
		return t.size
	case t.far != nil:
		return t.far.newline(n - 1)
	}
	// Line n begins after the (n-1)-th newline, which lies in the last block
	// with fewer than n-1 newlines before it.
	k := sort.SearchInts(t.before, n-1) - 1
	at, left := k*blockSize, n-1-t.before[k]
	// Counting is quicker than looking for each newline where they are many.
	for half := blockSize / 2; half >= 64 && left > 4; half /= 2 {
		if c := bytes.Count(t.data[at:min(at+half, len(t.data))], []byte{'\n'}); c < left {
			at += half
			left -= c
		}
	}
	for ; left > 0; left-- {
		at += bytes.IndexByte(t.data[at:], '\n') + 1
	}
	return at
}

// End gives the offset just past line n, its terminator included.
func (t *Text) End(n int) int {
	if t.far != nil {
		return t.Start(n + 1)
	}
	at := t.Start(n)
	if i := bytes.IndexByte(t.data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(t.data)
}

// Line gives line n without its terminator. It is the Text's own memory and
// must not be changed.
func (t *Text) Line(n int) []byte {
	if t.far != nil {
		from, to := t.farLine(n)
		return t.far.slice(from, to)
	}
	line, _ := t.split(t.Start(n))
	return line
}

// Terminator gives the terminator of line n: "\n", "\r\n" or, for a last line
// without one, "".
func (t *Text) Terminator(n int) string {
	if t.far != nil {
		_, to := t.farLine(n)
		return string(t.far.slice(to, t.End(n)))
	}
	_, end := t.split(t.Start(n))
	return end
}

// split gives the line that begins at an offset, and its terminator.
func (t *Text) split(at int) (line []byte, terminator string) {
	rest := t.data[at:]
	i := bytes.IndexByte(rest, '\n')
	switch {
	case i < 0:
		return rest, ""
	case i > 0 && rest[i-1] == '\r':
		return rest[:i-1], "\r\n"
	}
	return rest[:i], "\n"
}

// Rows calls yield for each line of first..last with its number and its text
// without the terminator, until yield returns false. Walking is cheaper than
// asking for each line. Both ends are clipped to the lines there are.
func (t *Text) Rows(first, last int) func(yield func(n int, line []byte) bool) {
	return func(yield func(int, []byte) bool) {
		first, last := max(first, 1), min(last, t.lines)
		if first > last {
			return
		}
		if t.far != nil {
			for n := first; n <= last && yield(n, t.Line(n)); n++ {
			}
			return
		}
		at := t.Start(first)
		for n := first; n <= last; n++ {
			line, end := t.split(at)
			if !yield(n, line) {
				return
			}
			at += len(line) + len(end)
		}
	}
}

// CommonTerminator gives the file's commonest terminator, "\n" on a tie or
// where there is none (spec 2).
func (t *Text) CommonTerminator() string {
	t.crlfOnce.Do(func() {
		if t.far != nil {
			return // known from the start
		}
		all := t.lines
		if !t.Terminated() && t.lines > 0 {
			all--
		}
		crlf := bytes.Count(t.data, []byte("\r\n"))
		t.crlf = crlf > all-crlf
	})
	if t.crlf {
		return "\r\n"
	}
	return "\n"
}
