package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"plain\ttext\n", "plain\ttext\n"},
		{"naïve 日本 \u2028 \u200b", "naïve 日本 \u2028 \u200b"},
		{"\x00\x07\x1b[31m\r\n\x7f", `\x00\x07\x1b[31m\x0d` + "\n" + `\x7f`},
		{"\u0080\u0085\u009f\u00a0", `\u0080\u0085\u009f` + "\u00a0"},
		{"\u202a\u202e\u202f\u2066\u2069\u206a", `\u202a\u202e` + "\u202f" + `\u2066\u2069` + "\u206a"},
		{"a\xffb\xc3", `a\xffb\xc3`},
		{"\x9b31m", `\x9b31m`},
		{"\uFFFD", "\uFFFD"},
	} {
		if diff := cmp.Diff(c.want, visible(c.text)); diff != "" {
			t.Errorf("visible(%q) (-want +got):\n%s", c.text, diff)
		}
	}
}

// Whatever comes in, nothing that steers a terminal comes out.
func FuzzVisible(f *testing.F) {
	f.Add("\x1b[31m\u009b\u202e\xff\r")
	f.Fuzz(func(t *testing.T, text string) {
		shown := visible(text)
		if strings.ToValidUTF8(shown, "") != shown {
			t.Errorf("%q is no UTF-8", shown)
		}
		for _, r := range shown {
			switch {
			case r == '\t' || r == '\n':
			case r < ' ' || 0x7F <= r && r < 0xA0 || 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069:
				t.Errorf("visible(%q) holds %U", text, r)
			}
		}
	})
}
