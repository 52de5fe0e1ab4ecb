package mcpserver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"sync"
)

// maxMessage is how many bytes a message to the server has at most: a document of
// 16 MiB in any script, with its letters written as escapes.
const maxMessage = 64 << 20

// A line is one line of input without its end. Of one that is too long only both
// ends are kept.
type line struct {
	text []byte
	long bool
	tail []byte
}

// keptOfLong is how much of each end of a line is kept that is too long.
const keptOfLong = 256

// readLine reads a line of at most limit bytes. What is longer is passed over, in
// bounded memory. At the end of input it gives io.EOF and no text.
func readLine(r *bufio.Reader, limit int) (line, error) {
	var l line
	for {
		piece, err := r.ReadSlice('\n')
		if !l.long && len(l.text)+len(piece) > limit {
			l.long = true
			l.tail = bytes.Clone(l.text[max(0, len(l.text)-keptOfLong):])
			l.text = bytes.Clone(l.text[:min(len(l.text), keptOfLong)])
		}
		if l.long {
			l.tail = append(l.tail, piece...)
			l.tail = append(l.tail[:0], l.tail[max(0, len(l.tail)-keptOfLong):]...)
		} else {
			l.text = append(l.text, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil || err == io.EOF && len(l.text)+len(l.tail) > 0:
			return l, nil
		default:
			return line{}, err
		}
	}
}

// ends finds an ID that is the first member of a message but for the version, or
// the last: where clients write it.
var ends = sync.OnceValue(func() (at [2]*regexp.Regexp) {
	const id = `"id"\s*:\s*(-?[0-9]{1,18}|"[^"\\]{1,100}")\s*`
	const version = `"jsonrpc"\s*:\s*"2\.0"\s*`
	at[0] = regexp.MustCompile(`^\s*\{\s*(?:` + version + `,\s*)?` + id + `,`)
	at[1] = regexp.MustCompile(`,\s*` + id + `(?:,\s*` + version + `)?\}\s*$`)
	return at
})

// id finds the ID of a message that is too long, or gives null. Its sender waits
// for an answer.
func (l line) id() string {
	if m := ends()[0].FindSubmatch(l.text); m != nil {
		return string(m[1])
	}
	if m := ends()[1].FindSubmatch(l.tail); m != nil {
		return string(m[1])
	}
	return "null"
}
