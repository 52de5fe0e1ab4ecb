package snapshot_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

func TestParseRanges(t *testing.T) {
	for text, want := range map[string][]hashline.Span{
		"7":                            {{First: 7, Last: 7}},
		"10-20":                        {{First: 10, Last: 20}},
		"10-20,80-95":                  {{First: 10, Last: 20}, {First: 80, Last: 95}},
		" 10 - 20 ,\t7 ":               {{First: 10, Last: 20}, {First: 7, Last: 7}},
		"007-010":                      {{First: 7, Last: 10}},
		"0":                            {{First: 0, Last: 0}},
		"9-3":                          {{First: 9, Last: 3}},
		"1-99999999999999999999999":    {{First: 1, Last: hashline.MaxLine}},
		"1-" + strings.Repeat("9", 99): {{First: 1, Last: hashline.MaxLine}},
	} {
		got, err := snapshot.ParseRanges(text)
		require.NoError(t, err, text)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
}

func TestParseRangesRefuses(t *testing.T) {
	for _, text := range []string{"", " ", ",", "1,", ",1", "1,,2", "a", "1-", "-1", "-", "1-2-3", "1 2", "+1", "1.5", "1.=2", "1..2", "１", "1;2",
		strings.Repeat("1,", 1000) + "1", strings.Repeat("x", 1<<20), strings.Repeat(",", 1<<20)} {
		_, err := snapshot.ParseRanges(text)
		require.ErrorIs(t, err, hashline.BadArgument, "%.40q", text)
		require.Less(t, len(err.Error()), 300)
	}
	_, err := snapshot.ParseRanges(strings.Repeat("1,", 999) + "1")
	require.NoError(t, err)
}
