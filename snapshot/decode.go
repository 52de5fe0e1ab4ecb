package snapshot

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/hashline-go/hashline/hashline"
)

// Decode checks that the bytes of a file are text and indexes it: UTF-8 with or
// without a byte-order mark, or UTF-16 with one, and no NUL (spec 2). Anything
// else is refused with a [hashline.NotText] diagnostic that names the first bad
// byte and, where that can be told, what the file seems to be. The Text keeps
// data that is UTF-8, and such data must not change any more.
func Decode(data []byte) (*Text, error) {
	if e := markedAs(data); e != plain {
		size, bad := check16(data, e)
		if bad != nil {
			return nil, notText(data, bad.what(), bad.at)
		}
		t := New(decode16(data, e, size))
		t.encoding = e
		return t, nil
	}
	if at := firstBad(data); at >= 0 {
		return nil, notText(data, whatAt(data, at), at)
	}
	return New(data), nil
}

// CheckUTF8 reports whether bytes that are no file's are text in UTF-8 without a
// NUL, as [New] takes it. The error is a [hashline.NotText] diagnostic that names
// the first bad byte.
func CheckUTF8(text []byte) error {
	at := firstBad(text)
	if at < 0 {
		return nil
	}
	return &hashline.Diagnostic{
		Code: hashline.NotText,
		Msg:  "not text in UTF-8: " + whatAt(text, at),
		Hint: "send text in UTF-8 without NUL characters",
	}
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

func lineAt(data []byte, at int) int { return bytes.Count(data[:at], []byte{'\n'}) + 1 }

func place(at, line int) string { return fmt.Sprintf("at offset %d (line %d)", at, line) }

// whatAt says what is wrong with the byte at an offset of what should be UTF-8.
func whatAt(data []byte, at int) string { return whatIs(data[at], place(at, lineAt(data, at))) }

func whatIs(c byte, where string) string {
	if c == 0 {
		return "there is a NUL " + where
	}
	return fmt.Sprintf("byte 0x%02X %s is not UTF-8", c, where)
}

func notText(data []byte, what string, at int) error { return isNoText(what, guess(data, at)) }

func isNoText(what, seems string) error {
	msg := "not a text file in UTF-8 or UTF-16: " + what
	if seems != "" {
		msg += "; " + seems
	}
	return &hashline.Diagnostic{
		Code: hashline.NotText,
		Msg:  msg,
		Hint: "convert text in another encoding to UTF-8 first, and use another tool for what is no text",
	}
}
