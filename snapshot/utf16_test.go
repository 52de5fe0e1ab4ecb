package snapshot_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

var orders = map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian}

// fileOf writes code units as a file does that begins with a byte-order mark.
func fileOf(order binary.AppendByteOrder, units []uint16) []byte {
	data := order.AppendUint16(nil, 0xFEFF)
	for _, u := range units {
		data = order.AppendUint16(data, u)
	}
	return data
}

// firstBadUnit gives the index of the first code unit that is not text, or -1:
// reading and writing them again changes it, or it is a NUL.
func firstBadUnit(units []uint16) int {
	again := utf16.Encode(utf16.Decode(units))
	for i, u := range units {
		if u == 0 || again[i] != u {
			return i
		}
	}
	return -1
}

// check16 decodes a file and compares all that it says with the standard
// library.
func check16(t *testing.T, order binary.AppendByteOrder, units []uint16) {
	t.Helper()
	data := fileOf(order, units)
	kept := slices.Clone(data)
	text, err := snapshot.Decode(data)
	require.Equal(t, kept, data, "the file was written to")
	if bad := firstBadUnit(units); bad >= 0 {
		require.ErrorIs(t, err, hashline.NotText)
		line := 1
		for _, u := range units[:bad] {
			if u == '\n' {
				line++
			}
		}
		require.ErrorContains(t, err, fmt.Sprintf("at offset %d (line %d)", 2+2*bad, line))
		return
	}
	require.NoError(t, err)
	want := "\uFEFF" + string(utf16.Decode(units))
	require.Equal(t, want, string(text.Bytes()))
	require.Equal(t, 3, text.Mark())
	require.Equal(t, kept, text.Raw())
	require.Equal(t, len(kept), text.RawSize())
}

func TestUTF16EveryCharacter(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			var all []uint16
			for r := rune(1); r <= 0x10FFFF; r++ {
				if r < 0xD800 || r > 0xDFFF {
					all = utf16.AppendRune(all, r)
				}
			}
			check16(t, order, all)
		})
	}
}

func TestUTF16EveryUnitAlone(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			for u := range 0x10000 {
				check16(t, order, []uint16{'a', '\n', uint16(u), 'b'})
			}
		})
	}
}

// unitsSeldom are code units at the borders of the ranges that differ.
var unitsSeldom = []uint16{
	'a', '\n', '\r', ' ', 0x7F, 0x80, 0x7FF, 0x800, 0x0A0A, 0x0A00, 0x000D, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000,
	0xFEFF, 0xFFFE, 0xFFFF, 0xFFFD, 0x3D, 0xD83D, 0xDE00,
}

func randomUnits(r *rand.Rand, size int, bad bool) []uint16 {
	var units []uint16
	for range size {
		switch u := unitsSeldom[r.IntN(len(unitsSeldom))]; {
		case bad && r.IntN(200) == 0:
			units = append(units, 0)
		case bad || u < 0xD800 || u > 0xDFFF:
			units = append(units, u)
		default:
			units = utf16.AppendRune(units, rune(0x10000+r.IntN(0x100000)))
		}
	}
	return units
}

func TestUTF16Random(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 2000 {
		for _, order := range orders {
			check16(t, order, randomUnits(r, r.IntN(80), false))
			check16(t, order, randomUnits(r, r.IntN(8), true))
		}
	}
}

// TestUTF16OddLength cuts a byte from the end, which may also part a pair.
func TestUTF16OddLength(t *testing.T) {
	for name, c := range map[string]struct {
		units        []uint16
		offset, line int
	}{
		"mark only":            {nil, 0, 0},
		"one unit":             {[]uint16{'a'}, 2, 1},
		"after a line":         {[]uint16{'a', '\n', 'b'}, 6, 2},
		"a pair's second half": {[]uint16{'a', 0xD83D, 0xDE00}, 4, 1},
		"a lone half before":   {[]uint16{0xDE00, 'a', 'b'}, 2, 1},
	} {
		for order, o := range orders {
			t.Run(name+" "+order, func(t *testing.T) {
				data := fileOf(o, c.units)
				_, err := snapshot.Decode(data[:len(data)-1])
				require.ErrorIs(t, err, hashline.NotText)
				require.ErrorContains(t, err, fmt.Sprintf("at offset %d (line %d)", c.offset, max(c.line, 1)))
			})
		}
	}
}

// TestUTF16With puts other texts in the place of the file's.
func TestUTF16With(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			old, err := snapshot.Decode(fileOf(order, []uint16{'a', '\n'}))
			require.NoError(t, err)
			for _, text := range []string{"", "b\r\n", "\uFEFF\uFEFFé😀", "\n"} {
				units := utf16.Encode([]rune(text))
				for _, mark := range []string{"", "\uFEFF"} {
					if mark == "" && len(units) > 0 && units[0] == 0xFEFF {
						continue // begins with a mark of its own
					}
					got := old.With([]byte(mark + text))
					require.Equal(t, "\uFEFF"+text, string(got.Bytes()))
					require.Equal(t, fileOf(order, units), got.Raw())
					require.Equal(t, len(got.Raw()), got.RawSize())
				}
			}
		})
	}
}

func TestWithKeepsTheMarkOfUTF8(t *testing.T) {
	for _, c := range []struct{ old, text, want string }{
		{"a\n", "b\n", "b\n"}, {"a\n", "\uFEFFb\n", "\uFEFFb\n"}, {"", "", ""},
		{"\uFEFFa\n", "b\n", "\uFEFFb\n"}, {"\uFEFFa\n", "\uFEFFb\n", "\uFEFFb\n"}, {"\uFEFFa\n", "", "\uFEFF"},
	} {
		old, err := snapshot.Decode([]byte(c.old))
		require.NoError(t, err)
		got := old.With([]byte(c.text))
		require.Equal(t, c.want, string(got.Raw()))
		require.Equal(t, c.want, string(got.Bytes()))
		require.Equal(t, len(c.want), got.RawSize())
	}
}

// TestUTF16AgainstIconv compares with another program's idea of UTF-16.
func TestUTF16AgainstIconv(t *testing.T) {
	iconv, err := exec.LookPath("iconv")
	if err != nil {
		t.Skip("SKIPPED: there is no iconv here")
	}
	r := rand.New(rand.NewPCG(7, 8))
	var text []byte
	for range 5 {
		text = append(text, string(utf16.Decode(randomUnits(r, 2000, false)))...)
	}
	for name, to := range map[string]string{"little": "UTF-16LE", "big": "UTF-16BE"} {
		cmd := exec.Command(iconv, "-f", "UTF-8", "-t", to)
		cmd.Stdin = bytes.NewReader(text)
		out, err := cmd.Output()
		require.NoError(t, err)
		file := append(orders[name].AppendUint16(nil, 0xFEFF), out...)
		got, err := snapshot.Decode(file)
		require.NoError(t, err)
		require.Equal(t, "\uFEFF"+string(text), string(got.Bytes()))
		require.Equal(t, file, got.Raw())
	}
}

// TestUTF16Memory: decoding allocates the text's own size and its index, whatever
// the file holds, and next to nothing for a file that is not text.
func TestUTF16Memory(t *testing.T) {
	plain := slices.Repeat([]uint16{'x'}, 1<<20)
	for name, c := range map[string]struct {
		units []uint16
		most  uint64
	}{
		"ascii":            {plain, 1 << 20},
		"three bytes each": {slices.Repeat([]uint16{0x4E2D}, 1<<20), 3 << 20},
		"no text":          {append(plain, 0xD800), 0},
	} {
		data := fileOf(binary.LittleEndian, c.units)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = snapshot.Decode(data)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, c.most*11/10+64<<10, name)
	}
}
