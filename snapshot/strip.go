package snapshot

import (
	"encoding/binary"
	"math/bits"
)

// isBlank reports whether c is white space that a tag ignores at the end of a
// line. A carriage return is, so that a tag does not depend on line ends.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// cutRun cuts the longest run from the front of text that a tag covers in one
// piece: up to the first blanks that end a line or the text. It gives the run
// and what follows those blanks, which is empty or begins with "\n". Cutting
// until nothing is left takes time that grows with the text alone.
func cutRun(text []byte) (run, rest []byte) {
	end := blankEnd(text)
	if end < 0 {
		end = len(text)
	}
	rest = text[end:]
	for end > 0 && isBlank(text[end-1]) {
		end--
	}
	return text[:end], rest
}

// The same byte eight times.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// blankEnd gives the offset of the first "\n" that follows a blank, or -1.
//
// Looking for each "\n" and then at the byte before it costs a branch a line
// that no processor predicts. This looks at 32 pairs of neighbours at once, and
// branches only where one of them is nearly certain to be what is sought.
func blankEnd(text []byte) int {
	rest := text
	for len(rest) > 32 {
		a := notPairs(binary.LittleEndian.Uint64(rest), binary.LittleEndian.Uint64(rest[1:]))
		b := notPairs(binary.LittleEndian.Uint64(rest[8:]), binary.LittleEndian.Uint64(rest[9:]))
		c := notPairs(binary.LittleEndian.Uint64(rest[16:]), binary.LittleEndian.Uint64(rest[17:]))
		d := notPairs(binary.LittleEndian.Uint64(rest[24:]), binary.LittleEndian.Uint64(rest[25:]))
		if a&b&c&d&highs != highs {
			at := len(text) - len(rest) + 1
			for _, m := range [...]uint64{a, b, c, d} {
				for m = ^m & highs; m != 0; m &= m - 1 {
					i := at + bits.TrailingZeros64(m)/8
					if isBlank(text[i-1]) {
						return i
					}
				}
				at += 8
			}
		}
		rest = rest[32:]
	}
	for i := max(len(text)-len(rest), 1); i < len(text); i++ {
		if text[i] == '\n' && isBlank(text[i-1]) {
			return i
		}
	}
	return -1
}

// notPairs compares eight bytes, each with the byte that follows it. The high
// bit of a byte of the result is clear where the byte in next is "\n" and the
// one in prev is a blank or, rarely, another byte that a line seldom ends with.
func notPairs(prev, next uint64) uint64 {
	// A blank has none of the bits 0xD2 and not both of 0x28, which ")" and ","
	// have. Shifting by 2 brings 0x08 over 0x20; what crosses into the next byte
	// falls outside the mask.
	prev &= 0xD2*ones | prev<<2&(0x20*ones)
	// Zero where next is "\n" and prev passed.
	x := next ^ '\n'*ones | prev
	return x&(0x7F*ones) + 0x7F*ones | x
}
