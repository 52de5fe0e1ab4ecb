package hashline

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseRow(t *testing.T) {
	for row, want := range map[string]struct {
		n    int
		text string
	}{
		"1:": {1, ""}, "12:a:b": {12, "a:b"}, "999999999: x ": {999999999, " x "},
	} {
		n, text, ok := ParseRow(row)
		require.True(t, ok, row)
		require.Equal(t, want.n, n, row)
		require.Equal(t, want.text, text, row)
		require.Equal(t, row, Row(n, text))
	}
	for _, row := range []string{"", "1", ":a", "01:a", "0:a", "-1:a", "1 :a", " 1:a", "1000000000:a", "99999999999999999999999:a", "\u0661:a"} {
		_, _, ok := ParseRow(row)
		require.False(t, ok, row)
	}
}

func TestParseHeader(t *testing.T) {
	for line, want := range map[string]struct {
		path string
		tag  Tag
	}{
		"[a#0000]": {"a", 0}, " [ a b # ffFF ] ": {"a b", 0xFFFF}, "[x#y#1A2B]": {"x#y", 0x1A2B}, "[a]b]#12AB]": {"a]b]", 0x12AB},
	} {
		path, tag, ok := ParseHeader(line)
		require.True(t, ok, line)
		require.Equal(t, want.path, path, line)
		require.Equal(t, want.tag, tag, line)
	}
	for _, line := range []string{"", "[", "[]", "[#1A2B]", "[ #1A2B]", "[a#1A2]", "[a#1A2BC]", "[a#1A2G]", "[a]", "a#1A2B", "[a#1A2B] x"} {
		_, _, ok := ParseHeader(line)
		require.False(t, ok, line)
	}
}
