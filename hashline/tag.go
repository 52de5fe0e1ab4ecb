package hashline

import "fmt"

// Tag is the 16-bit fingerprint of a file's text that stands in every header
// (spec 3). Package snapshot computes it.
type Tag uint16

// String gives the tag as 4 upper-case hex digits.
func (t Tag) String() string { return fmt.Sprintf("%04X", uint16(t)) }

// ParseTag reads 4 hex digits of either case. Any other text is refused with
// an error that wraps [BadTag].
func ParseTag(s string) (Tag, error) {
	if len(s) != 4 {
		return 0, fmt.Errorf("%w: a tag has 4 hex digits, not %d characters", BadTag, len(s))
	}
	var t Tag
	for i := range len(s) {
		d, ok := hexDigit(s[i])
		if !ok {
			return 0, fmt.Errorf("%w: %q is not a hex digit", BadTag, s[i])
		}
		t = t<<4 | Tag(d)
	}
	return t, nil
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	}
	return 0, false
}
