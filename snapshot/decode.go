package snapshot

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

// Decode checks that data is text, UTF-8 without a NUL and with or without a
// byte-order mark, and indexes it. Anything else is refused with a
// [hashline.NotText] diagnostic that names the first bad byte (spec 2). The
// Text keeps data, which must not change any more.
func Decode(data []byte) (*Text, error) {
	if at := firstBad(data); at >= 0 {
		return nil, notText(data, at)
	}
	return New(data), nil
}

// firstBad gives the offset of the first byte that is no UTF-8 text, or -1.
func firstBad(data []byte) int {
	nul := bytes.IndexByte(data, 0)
	head := data
	if nul >= 0 {
		head = data[:nul]
	}
	if utf8.Valid(head) {
		return nul
	}
	return firstInvalid(head)
}

// firstInvalid gives the offset of the first byte that is not UTF-8 in data that
// has one. It passes over blocks without one, which is quicker than runes.
func firstInvalid(data []byte) int {
	at := 0
	for {
		end := min(at+blockSize, len(data))
		for end > at && end < len(data) && !utf8.RuneStart(data[end]) {
			end--
		}
		if end == at || !utf8.Valid(data[at:end]) {
			break
		}
		at = end
	}
	for {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

func notText(data []byte, at int) error {
	what := fmt.Sprintf("byte 0x%02X is not UTF-8", data[at])
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}), bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		what = "it begins with a UTF-16 byte-order mark"
	case data[at] == 0:
		what = "it holds a NUL, as binary files do"
	}
	line := bytes.Count(data[:at], []byte{'\n'}) + 1
	return &hashline.Diagnostic{
		Code: hashline.NotText,
		Msg:  fmt.Sprintf("not a UTF-8 text file: %s, at offset %d (line %d)", what, at, line),
		Hint: "only UTF-8 text can be shown and edited here; convert the file first, or use another tool",
	}
}
