package snapshot

import (
	"strconv"
	"unicode/utf8"
)

// maxChars is how many characters (code points) of a row are shown (spec 4).
const maxChars = 2000

// Clip gives a line as a row shows it: a line of more than 2,000 characters
// (code points) as its first 2,000 and "…[+K chars]", where K is how many are
// left out, and any other as it is. clipped reports whether it was shortened.
func Clip(line []byte) (shown string, clipped bool) {
	head, more := clip(line)
	if more == 0 {
		return string(head), false
	}
	return string(appendClipped(nil, head, more)), true
}

// clip gives what is shown of a line, which is the line's own memory, and the
// number of characters left out.
func clip(line []byte) (head []byte, more int) {
	if len(line) <= maxChars {
		return line, 0
	}
	at := 0
	for range maxChars {
		if at == len(line) {
			return line, 0
		}
		_, size := utf8.DecodeRune(line[at:])
		at += size
	}
	head = line[:at]
	// Not utf8.RuneCount, which copies a text that is not ASCII.
	for ; at < len(line); more++ {
		_, size := utf8.DecodeRune(line[at:])
		at += size
	}
	return head, more
}

func appendClipped(dst, head []byte, more int) []byte {
	dst = append(dst, head...)
	if more > 0 {
		dst = append(dst, "…[+"...)
		dst = strconv.AppendInt(dst, int64(more), 10)
		dst = append(dst, " chars]"...)
	}
	return dst
}
