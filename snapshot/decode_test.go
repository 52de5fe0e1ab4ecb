package snapshot_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

func TestDecode(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "mark only": "\uFEFF", "newline": "\n", "control characters": "\x01\x1b[0m\x7f\v\f\r",
		"all planes": "aé中😀\U0010FFFF", "replacement character": "\uFFFD", "no final newline": "a",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := snapshot.Decode([]byte(text))
			require.NoError(t, err)
			require.Equal(t, text, string(got.Bytes()))
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	long := strings.Repeat("é", 3000)
	for name, c := range map[string]struct {
		text         string
		offset, line int
	}{
		"nul":                        {"a\x00b", 1, 1},
		"nul at the start":           {"\x00", 0, 1},
		"nul on line 3":              {"a\nb\n\x00", 4, 3},
		"bad byte":                   {"a\nb\xff\n", 3, 2},
		"lone continuation":          {"\x80", 0, 1},
		"overlong":                   {"a\xc0\xaf", 1, 1},
		"surrogate":                  {"a\xed\xa0\x80", 1, 1},
		"over the last plane":        {"\xf4\x90\x80\x80", 0, 1},
		"rune cut off at the end":    {"ab\xe2\x82", 2, 1},
		"rune cut off by a newline":  {"ab\xe2\x82\nc", 2, 1},
		"bad byte before a nul":      {"\xffa\x00", 0, 1},
		"rune cut off by a nul":      {"a\xe2\x82\x00", 1, 1},
		"nul before a bad byte":      {"a\x00\xff", 1, 1},
		"utf-32, little endian":      {"\xff\xfe\x00\x00a\x00\x00\x00", 2, 1},
		"utf-32, big endian":         {"\x00\x00\xfe\xff\x00\x00\x00a", 0, 1},
		"half a mark":                {"\xff", 0, 1},
		"after a long text":          {long + "\n\xff" + long, 6001, 2},
		"many continuations":         {long + strings.Repeat("\x80", 9000), 6000, 1},
		"cut off after a long text":  {"a" + long + "\xc3", 6001, 1},
		"at a block's border":        {strings.Repeat("a", 4096) + "\xff", 4096, 1},
		"cut over a block's border":  {strings.Repeat("a", 4095) + "\xe2\x82", 4095, 1},
		"rune over a block's border": {strings.Repeat("a", 4094) + "中\xff", 4097, 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := snapshot.Decode([]byte(c.text))
			require.ErrorIs(t, err, hashline.NotText)
			var d *hashline.Diagnostic
			require.True(t, errors.As(err, &d))
			require.Contains(t, d.Msg, fmt.Sprintf("at offset %d (line %d)", c.offset, c.line))
			require.NotEmpty(t, d.Hint)
		})
	}
}

// TestDecodeFirstBad compares the offset with that of the first rune that a
// range loop cannot read.
func TestDecodeFirstBad(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		text := []byte(randomText(r, 1+r.IntN(100), 1+r.IntN(200)))
		for range 1 + r.IntN(3) {
			text[r.IntN(len(text))] = byte(r.IntN(256))
		}
		want := -1
		for i, c := range string(text) {
			_, size := utf8.DecodeRune(text[i:])
			if c == 0 || c == utf8.RuneError && size == 1 {
				want = i
				break
			}
		}
		_, err := snapshot.Decode(text)
		if want < 0 {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, fmt.Sprintf("at offset %d ", want))
	}
}
