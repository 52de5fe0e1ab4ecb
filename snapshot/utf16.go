package snapshot

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding is how the bytes of a file stand for its text (spec 2).
type encoding uint8

const (
	plain  encoding = iota // UTF-8, with or without a byte-order mark
	little                 // UTF-16, little endian, with a byte-order mark
	big                    // UTF-16, big endian, with a byte-order mark
)

// markedAs gives the encoding that the byte-order mark of a file says.
func markedAs(data []byte) encoding {
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return little
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return big
	}
	return plain
}

// Marked16 reports whether a file that begins so is UTF-16.
func Marked16(head []byte) bool { return markedAs(head) != plain }

// high gives the place of the more significant byte in a code unit.
func (e encoding) high() int {
	if e == little {
		return 1
	}
	return 0
}

func isSurrogate(unit rune) bool { return 0xD800 <= unit && unit < 0xE000 }

// badUnit is a code unit of UTF-16 that no text has. at is its offset in bytes,
// line the line it stands in.
type badUnit struct {
	at, line int
	// cut: only one byte is left; otherwise unit is its value.
	cut  bool
	unit rune
}

func (b *badUnit) what() string {
	where := place(b.at, b.line)
	switch {
	case b.cut:
		return "the last code unit of its UTF-16 is cut off " + where
	case b.unit == 0:
		return "there is a NUL " + where + " of its UTF-16"
	}
	return fmt.Sprintf("the code unit 0x%04X %s of its UTF-16 is half of a surrogate pair", b.unit, where)
}

// check16 gives the length that UTF-16 has as UTF-8, in bytes, or the first code
// unit that is not text.
func check16(data []byte, e encoding) (size int, bad *badUnit) {
	hi := e.high()
	lo := 1 - hi
	line := 1
	whole := len(data) &^ 1
	for i := 0; i < whole; i += 2 {
		unit := rune(data[i+hi])<<8 | rune(data[i+lo])
		switch {
		case unit == 0:
			return 0, &badUnit{at: i, line: line}
		case unit < 0x80:
			size++
			if unit == '\n' {
				line++
			}
		case unit < 0x800:
			size += 2
		case !isSurrogate(unit):
			size += 3
		default:
			if i+2 >= whole || unit >= 0xDC00 || data[i+2+hi]&0xFC != 0xDC {
				return 0, &badUnit{at: i, line: line, unit: unit}
			}
			size += 4
			i += 2
		}
	}
	if whole < len(data) {
		return 0, &badUnit{at: whole, line: line, cut: true}
	}
	return size, nil
}

// decode16 makes UTF-8 of UTF-16 that check16 has passed, byte-order mark
// included; size is what check16 gave.
func decode16(data []byte, e encoding, size int) []byte {
	hi := e.high()
	lo := 1 - hi
	text := make([]byte, 0, size)
	for i := 0; i+1 < len(data); i += 2 {
		unit := rune(data[i+hi])<<8 | rune(data[i+lo])
		switch {
		case unit < utf8.RuneSelf:
			text = append(text, byte(unit))
			continue
		case isSurrogate(unit):
			i += 2
			unit = utf16.DecodeRune(unit, rune(data[i+hi])<<8|rune(data[i+lo]))
		}
		text = utf8.AppendRune(text, unit)
	}
	return text
}

// size16 gives the length that UTF-8 has as UTF-16, in bytes.
func size16(text []byte) int {
	units := 0
	for _, c := range text {
		// A character is one unit, and two where it takes four bytes of UTF-8.
		if utf8.RuneStart(c) {
			units++
		}
		if c >= 0xF0 {
			units++
		}
	}
	return 2 * units
}

// encode16 makes UTF-16 of UTF-8. It undoes decode16, since either form has
// exactly one way to write each character.
func encode16(text []byte, e encoding) []byte {
	hi := e.high()
	data := make([]byte, size16(text))
	at := 0
	put := func(unit rune) {
		data[at+hi], data[at+1-hi] = byte(unit>>8), byte(unit)
		at += 2
	}
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			data[at+1-hi] = c
			at += 2
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		i += n
		if r > 0xFFFF {
			first, second := utf16.EncodeRune(r)
			put(first)
			r = second
		}
		put(r)
	}
	return data
}

// Raw gives the bytes of the file, in its encoding. For UTF-8 that is what Bytes
// gives and must not be changed; for UTF-16 it is made anew. Of a text that
// [Decode] made it gives what that was given.
func (t *Text) Raw() []byte {
	if t.encoding == plain {
		return t.Bytes()
	}
	return encode16(t.data, t.encoding)
}

// RawSize gives the length of Raw in bytes without making it.
func (t *Text) RawSize() int {
	if t.encoding == plain {
		return t.size
	}
	return size16(t.data)
}
