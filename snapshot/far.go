package snapshot

import (
	"bytes"
	"unicode/utf8"
)

// far is a text that is not in memory. Offsets are those in it.
type far interface {
	// newline gives the offset just past the k-th "\n", which there is.
	newline(k int) int
	// slice gives the bytes from one offset to another.
	slice(from, to int) []byte
	// failure tells why some of it could not be read, nil where all could.
	failure() error
}

// InMemory reports whether [Text.Bytes] can give the text.
func (t *Text) InMemory() bool { return t.far == nil }

// Size gives the length of the text in bytes.
func (t *Text) Size() int { return t.size }

// Slice gives the bytes from one offset to another. They are the Text's own
// memory, or a copy where it is not in memory, and must not be changed.
func (t *Text) Slice(from, to int) []byte {
	if t.far == nil {
		return t.data[from:to]
	}
	return t.far.slice(from, to)
}

// Err tells why the text could not be read where it is, nil for one in memory.
// What was asked since then was answered with zeros.
func (t *Text) Err() error {
	if t.far == nil {
		return nil
	}
	return t.far.failure()
}

// farLine gives the offsets between which line n stands, without its terminator.
func (t *Text) farLine(n int) (from, to int) {
	from, to = t.Start(n), t.End(n)
	end := t.far.slice(max(from, to-2), to)
	switch {
	case bytes.HasSuffix(end, []byte("\r\n")):
		to -= 2
	case bytes.HasSuffix(end, []byte("\n")):
		to--
	}
	return from, to
}

// Row is a line as a row of a view shows it (spec 4).
type Row struct {
	// N is the number of the line.
	N int
	// Head is the line, or as much of it as is shown, without its terminator. It
	// may be the Text's own memory and must not be changed.
	Head []byte
	// More is how many characters (code points) of the line are left out.
	More int
}

// Shown gives what the row shows behind its number, see [Clip].
func (r Row) Shown() string { return string(appendClipped(nil, r.Head, r.More)) }

// Row gives line n as a row.
func (t *Text) Row(n int) Row {
	if t.far == nil {
		return newRow(n, t.Line(n))
	}
	from, to := t.farLine(n)
	const most = maxChars * utf8.UTFMax
	if to-from <= most {
		return newRow(n, t.far.slice(from, to))
	}
	// A line can be as long as the file.
	r := newRow(n, t.far.slice(from, from+most))
	r.More = -utf8.RuneCount(r.Head)
	for at := from; at < to; at += PageSize {
		for _, c := range t.far.slice(at, min(at+PageSize, to)) {
			if utf8.RuneStart(c) {
				r.More++
			}
		}
	}
	return r
}

// ShownRows is [Text.Rows] with the lines as rows.
func (t *Text) ShownRows(first, last int) func(yield func(Row) bool) {
	return func(yield func(Row) bool) {
		if t.far == nil {
			for n, line := range t.Rows(first, last) {
				if !yield(newRow(n, line)) {
					return
				}
			}
			return
		}
		for n := max(first, 1); n <= min(last, t.lines) && yield(t.Row(n)); n++ {
		}
	}
}
