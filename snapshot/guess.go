package snapshot

import (
	"bytes"
	"unicode/utf8"
)

// guessed is how many bytes on each side of the first bad one a guess looks at.
const guessed = 32 << 10

// signatures are what files of well-known kinds begin with.
var signatures = [...]struct{ head, kind string }{
	{"\x89PNG\r\n", "a PNG image"},
	{"\xFF\xD8\xFF", "a JPEG image"},
	{"GIF8", "a GIF image"},
	{"%PDF-", "a PDF document"},
	{"PK\x03\x04", "a ZIP archive, as office documents and packages are"},
	{"\x1F\x8B", "gzip data"},
	{"BZh", "bzip2 data"},
	{"\xFD7zXZ\x00", "xz data"},
	{"\x28\xB5\x2F\xFD", "zstd data"},
	{"7z\xBC\xAF\x27\x1C", "a 7-Zip archive"},
	{"\x7FELF", "an ELF program or library"},
	{"MZ", "a Windows program or library"},
	{"\xCF\xFA\xED\xFE", "a macOS program or library"},
	{"\xCA\xFE\xBA\xBE", "a Java class or a macOS program"},
	{"\x00asm", "a WebAssembly module"},
	{"SQLite format 3\x00", "an SQLite database"},
	{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an old office document"},
}

// guess says what data that is no text seems to be, "" where that cannot be
// told; at is the offset of its first bad byte.
func guess(data []byte, at int) string {
	return guessBy(data[:min(guessed, len(data))], data[max(at-guessed, 0):min(at+guessed, len(data))], len(data))
}

// guessBy is guess for data of which only the beginning and what is near the bad
// byte are at hand.
func guessBy(data, near []byte, size int) string {
	if bytes.HasPrefix(data, []byte("\xFF\xFE\x00\x00")) || bytes.HasPrefix(data, []byte("\x00\x00\xFE\xFF")) {
		return "it begins with a UTF-32 byte-order mark"
	}
	if markedAs(data) != plain {
		return ""
	}
	for _, s := range signatures {
		if bytes.HasPrefix(data, []byte(s.head)) {
			return "it begins like " + s.kind
		}
	}
	if bytes.IndexByte(near, 0) >= 0 {
		head := data[:len(data)&^1]
		if size%2 == 0 && (readsAs16(head, little) || readsAs16(head, big)) {
			return "it looks like UTF-16 without a byte-order mark"
		}
		return "it looks binary"
	}
	return guess8(near)
}

// readsAs16 reports whether most of data is plain characters when it is read as
// UTF-16, and none of it is impossible.
func readsAs16(data []byte, e encoding) bool {
	if _, bad := check16(data, e); bad != nil && bad.at+2 < len(data) {
		return false
	}
	common := 0
	for i := 0; i+1 < len(data); i += 2 {
		c := data[i+1-e.high()]
		if data[i+e.high()] == 0 && (c == '\t' || c == '\n' || c == '\r' || 0x20 <= c && c < 0x7F) {
			common++
		}
	}
	return common > len(data)/4
}

// guess8 looks at bytes without a NUL of which some are no UTF-8.
func guess8(near []byte) string {
	good, bad, longest := 0, 0, 0
	run := 0 // bytes outside ASCII since the last one inside
	for i := 0; i < len(near); {
		c := near[i]
		if c < utf8.RuneSelf {
			if c < 0x20 && bytes.IndexByte([]byte("\t\n\v\f\r\x1B"), c) < 0 {
				return "it looks binary"
			}
			run = 0
			i++
			continue
		}
		r, size := utf8.DecodeRune(near[i:])
		if r != utf8.RuneError || size > 1 {
			good++
		} else {
			bad++
		}
		run += size
		longest = max(longest, run)
		i += size
	}
	switch {
	case good > bad:
		return "most of it is UTF-8, so it may be damaged, or hold a piece of text in another encoding"
	case longest <= 2:
		return "it looks like text in a single-byte encoding such as Windows-1252"
	}
	return "it looks like text in an older encoding such as Windows-1251, GBK or Shift-JIS"
}
