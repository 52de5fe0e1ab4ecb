package snapshot_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// TestGuess: a refusal says what a file seems to be, where that can be told, and
// nothing where it cannot.
func TestGuess(t *testing.T) {
	wide := func(text string, high, low int) string {
		var b strings.Builder
		for _, c := range []byte(text) {
			unit := make([]byte, 2)
			unit[high], unit[low] = 0, c
			b.Write(unit)
		}
		return b.String()
	}
	const (
		single = "a single-byte encoding such as Windows-1252"
		older  = "an older encoding such as Windows-1251, GBK or Shift-JIS"
		most   = "most of it is UTF-8"
		bare   = "it looks like UTF-16 without a byte-order mark"
		utf32  = "it begins with a UTF-32 byte-order mark"
		binary = "it looks binary"
	)
	prose := "line one\nline two, and more of it\n"
	for name, c := range map[string]struct{ data, want string }{
		"one byte of Windows-1252":     {"title=x\nmark=\x99\n", single},
		"Latin-1":                      {"configura\xe7\xe3o\nb\n", single},
		"Latin-1, long":                {strings.Repeat("d\xe9j\xe0 vu\n", 20_000), single},
		"GBK":                          {"# \xd6\xd0\xce\xc4\nx=1\n", older},
		"Windows-1251":                 {"\xcf\xf0\xe8\xe2\xe5\xf2\n", older},
		"Shift-JIS":                    {"\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x95\xb6\n", older},
		"UTF-8 with a damaged byte":    {"d\u00e9j\u00e0 vu \xff\n", most},
		"UTF-8 cut off":                {strings.Repeat("\u4e2d\u6587\n", 9) + "\xe4\xb8", most},
		"UTF-16LE without mark":        {wide(prose, 1, 0), bare},
		"UTF-16BE without mark":        {wide(prose, 0, 1), bare},
		"UTF-16LE without mark, long":  {wide(strings.Repeat(prose, 5000), 1, 0), bare},
		"UTF-32LE":                     {"\xff\xfe\x00\x00a\x00\x00\x00", utf32},
		"UTF-32BE":                     {"\x00\x00\xfe\xff\x00\x00\x00a", utf32},
		"UTF-32LE without mark":        {"a\x00\x00\x00b\x00\x00\x00", binary},
		"a NUL in a text":              {"one\nt\x00wo\n", binary},
		"a NUL and an even length":     {"one\nt\x00w\n", binary},
		"random":                       {"\x01\x02\x03\xff\xfd\x10\x00\x07", binary},
		"control characters":           {"ab\x01\xff", binary},
		"PNG":                          {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "it begins like a PNG image"},
		"ELF":                          {"\x7fELF\x02\x01\x01\x00", "it begins like an ELF program or library"},
		"ZIP":                          {"PK\x03\x04\x14\x00\x08\x08", "it begins like a ZIP archive"},
		"gzip":                         {"\x1f\x8b\x08\x00abc", "it begins like gzip data"},
		"PDF":                          {"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "it begins like a PDF document"},
		"a lone half in UTF-16":        {"\xff\xfea\x00\x00\xd8b\x00", "the code unit 0xD800 at offset 4 (line 1) of its UTF-16 is half of a surrogate pair"},
		"a NUL in UTF-16":              {"\xfe\xff\x00a\x00\x00", "there is a NUL at offset 4 (line 1) of its UTF-16"},
		"a unit of UTF-16 that is cut": {"\xff\xfea\x00\n\x00b", "the last code unit of its UTF-16 is cut off at offset 6 (line 2)"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := snapshot.Decode([]byte(c.data))
			require.ErrorIs(t, err, hashline.NotText)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// TestDecodeAnything: whatever the bytes, the answer is a text or a refusal, and
// a text gives them back.
func TestDecodeAnything(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	heads := []string{"", "\xff\xfe", "\xfe\xff", "\ufeff", "\xff\xfe\x00\x00", "MZ", "PK\x03\x04"}
	texts := 0
	for range 20_000 {
		data := []byte(heads[r.IntN(len(heads))])
		for range r.IntN(12) {
			data = append(data, "ab\n\r\x00\x7f\x80\xc3\xa9\xd8\xdc\xff"[r.IntN(12)])
		}
		text, err := snapshot.Decode(data)
		if err != nil {
			require.ErrorIs(t, err, hashline.NotText)
			continue
		}
		texts++
		require.Equal(t, data, text.Raw())
		require.NoError(t, snapshot.CheckUTF8(text.Bytes()))
	}
	require.Greater(t, texts, 500)
}

func TestCheckUTF8(t *testing.T) {
	require.NoError(t, snapshot.CheckUTF8([]byte("\ufeffa\né\n")))
	for text, want := range map[string]string{
		"\xff\xfea\x00": "byte 0xFF at offset 0 (line 1) is not UTF-8", "a\n\x00": "there is a NUL at offset 2 (line 2)",
	} {
		err := snapshot.CheckUTF8([]byte(text))
		require.ErrorIs(t, err, hashline.NotText)
		require.ErrorContains(t, err, want)
	}
}
