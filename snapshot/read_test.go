package snapshot_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

func rowsText(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "row%d\n", i+1)
	}
	return b.String()
}

// tail gives a view without its header.
func tail(v snapshot.View) string {
	_, rest, _ := strings.Cut(v.Text, "\n")
	return rest
}

func TestRead(t *testing.T) {
	ten, all := rowsText(10), math.MaxInt
	wide := strings.Repeat("é", 2000)
	for name, c := range map[string]struct {
		text                  string
		offset, limit, budget int
		want                  string
	}{
		"whole":                    {"a\nb", 1, all, 0, "1:a\n2:b"},
		"empty":                    {"", 1, all, 0, ""},
		"mark only":                {"\uFEFF", 1, all, 0, ""},
		"mark is not shown":        {"\uFEFFa", 1, all, 0, "1:a"},
		"window":                   {ten, 2, 2, 0, "2:row2\n3:row3\n\n[rows 2-3 of 10; next offset 4]"},
		"window to the end":        {ten, 9, 2, 0, "9:row9\n10:row10\n\n[rows 9-10 of 10]"},
		"window past the end":      {ten, 9, all, 0, "9:row9\n10:row10\n\n[rows 9-10 of 10]"},
		"last line":                {ten, 10, 1, 0, "10:row10\n\n[rows 10-10 of 10]"},
		"window of all":            {"a\nb", 1, 2, 0, "1:a\n2:b"},
		"2,000 characters":         {wide, 1, all, 0, "1:" + wide},
		"2,001 characters":         {wide + "x", 1, all, 0, "1:" + wide + "…[+1 chars]\n\n[cut rows: 1; their text is longer than shown]"},
		"clipped in a window":      {wide + "xy\nb\n", 1, 1, 0, "1:" + wide + "…[+2 chars]\n\n[cut rows: 1; their text is longer than shown]\n[rows 1-1 of 2; next offset 2]"},
		"several clipped":          {strings.Repeat(wide+"x\n", 2) + "b\n" + wide + "x\n", 1, all, 0, "1:" + wide + "…[+1 chars]\n2:" + wide + "…[+1 chars]\n3:b\n4:" + wide + "…[+1 chars]\n\n[cut rows: 1-2, 4; their text is longer than shown]"},
		"clipped row dropped":      {"a\n" + wide + "x\nb\n", 1, all, 4060, "1:a\n\n[rows 1-1 of 3; next offset 2]"},
		"budget for all":           {ten, 1, all, 88, "1:row1\n2:row2\n3:row3\n4:row4\n5:row5\n6:row6\n7:row7\n8:row8\n9:row9\n10:row10"},
		"budget one byte short":    {ten, 1, all, 87, "1:row1\n2:row2\n3:row3\n4:row4\n5:row5\n\n[rows 1-5 of 10; next offset 6]"},
		"budget for one row":       {ten, 3, all, 56, "3:row3\n\n[rows 3-3 of 10; next offset 4]"},
		"budget for no row":        {ten, 3, all, 55, "\n[row 3 of 10 does not fit the output limit; next offset 4]"},
		"budget for nothing":       {ten, 3, all, 1, "\n[row 3 of 10 does not fit the output limit; next offset 4]"},
		"budget for no last row":   {ten, 10, all, 1, "\n[row 10 of 10 does not fit the output limit]"},
		"empty, budget of nothing": {"", 1, all, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := take(c.text).Read(c.offset, c.limit, c.budget)
			require.NoError(t, err)
			if diff := cmp.Diff(c.want, tail(v)); diff != "" {
				t.Fatalf("%d bytes\n%s", len(v.Text), diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		text          string
		offset, limit int
		want          string
	}{
		{"a\nb\n", 0, 1, "offset 0 is below 1; the file has 2 lines"},
		{"a\nb\n", math.MinInt, 1, "the file has 2 lines"},
		{"a\nb\n", 1, 0, "limit 0 is below 1; the file has 2 lines"},
		{"a\nb\n", 1, -7, "limit -7 is below 1; the file has 2 lines"},
		{"a\nb\n", 3, 1, "offset 3 is past the last line; the file has 2 lines"},
		{"a", math.MaxInt, math.MaxInt, "the file has 1 line;"},
		{"", 2, 1, "the file has 0 lines"},
	} {
		v, err := take(c.text).Read(c.offset, c.limit, 0)
		require.ErrorIs(t, err, hashline.BadArgument)
		require.ErrorContains(t, err, "src/a.txt: bad_argument: ")
		require.Contains(t, err.Error()+";", c.want)
		require.Empty(t, v)
	}
}

func TestMaxRows(t *testing.T) {
	s := take(rowsText(10))
	for _, c := range []struct {
		rows   int
		ranges string
		budget int
		want   string
	}{
		{3, "1-10", 0, "1:row1\n2:row2\n3:row3\n\n[rows 1-3 of 10; next offset 4]"},
		{3, "1-10", 66, "1:row1\n2:row2\n\n[rows 1-2 of 10; next offset 3]"},
		{10, "1-10", 0, "1:row1\n2:row2\n3:row3\n4:row4\n5:row5\n6:row6\n7:row7\n8:row8\n9:row9\n10:row10"},
		{3, "2-4", 0, "2:row2\n3:row3\n4:row4\n\n[rows 2-4 of 10]"},
		{3, "2,4,6", 0, "2:row2\n…\n4:row4\n\n[rows 2,4 of 10; next ranges 6]"},
		{4, "2,4,6", 0, "2:row2\n…\n4:row4\n\n[rows 2,4 of 10; next ranges 6]"},
		{5, "2,4,6", 0, "2:row2\n…\n4:row4\n…\n6:row6\n\n[rows 2,4,6 of 10]"},
		{1, "9-10", 0, "9:row9\n\n[rows 9 of 10; next ranges 10]"},
	} {
		ranges, err := snapshot.ParseRanges(c.ranges)
		require.NoError(t, err)
		s.MaxRows = c.rows
		v, err := s.ReadRanges(ranges, c.budget)
		require.NoError(t, err)
		if diff := cmp.Diff(c.want, tail(v)); diff != "" {
			t.Errorf("%d rows of %s, %d bytes:\n%s", c.rows, c.ranges, len(v.Text), diff)
		}
	}
	s.MaxRows = 2
	v, err := s.Read(4, math.MaxInt, 0)
	require.NoError(t, err)
	require.Equal(t, "4:row4\n5:row5\n\n[rows 4-5 of 10; next offset 6]", tail(v))
}

func TestReadRanges(t *testing.T) {
	ten := rowsText(10)
	for name, c := range map[string]struct {
		text   string
		ranges string
		budget int
		want   string
	}{
		"two":                 {ten, "2-3,6", 0, "2:row2\n3:row3\n…\n6:row6\n\n[rows 2-3,6 of 10]"},
		"unsorted":            {ten, "6,2-3", 0, "2:row2\n3:row3\n…\n6:row6\n\n[rows 2-3,6 of 10]"},
		"overlapping":         {ten, "2-4,3-5,4", 0, "2:row2\n3:row3\n4:row4\n5:row5\n\n[rows 2-5 of 10]"},
		"adjacent":            {ten, "3,2", 0, "2:row2\n3:row3\n\n[rows 2-3 of 10]"},
		"gap of one row":      {ten, "1,3", 0, "1:row1\n…\n3:row3\n\n[rows 1,3 of 10]"},
		"end past the last":   {ten, "9-99", 0, "9:row9\n10:row10\n\n[rows 9-10 of 10]"},
		"whole":               {"a\nb\n", "1-2", 0, "1:a\n2:b"},
		"whole in parts":      {"a\nb\nc\n", "3-9,1-2", 0, "1:a\n2:b\n3:c"},
		"whole, short budget": {ten, "1-10", 87, "1:row1\n2:row2\n3:row3\n4:row4\n5:row5\n\n[rows 1-5 of 10; next offset 6]"},
		"empty":               {"", "1-5", 0, ""},
		"short budget":        {ten, "2-4,6,8-9", 73, "2:row2\n3:row3\n\n[rows 2-3 of 10; next ranges 4,6,8-9]"},
		"shorter budget":      {ten, "2-4,6,8-9", 68, "2:row2\n\n[rows 2 of 10; next ranges 3-4,6,8-9]"},
		"no budget":           {ten, "2-4,6,8-9", 20, "\n[row 2 of 10 does not fit the output limit; next ranges 3-4,6,8-9]"},
		"no budget, last row": {ten, "10", 20, "\n[row 10 of 10 does not fit the output limit]"},
		"no budget for many": {rowsText(30), "1,3,5,7,9,11,13,15,17,19,21", 20,
			"\n[row 1 of 30 does not fit the output limit; next ranges 3,5,7,9,11,13,15,17,…]"},
	} {
		t.Run(name, func(t *testing.T) {
			ranges, err := snapshot.ParseRanges(c.ranges)
			require.NoError(t, err)
			v, err := take(c.text).ReadRanges(ranges, c.budget)
			require.NoError(t, err)
			if diff := cmp.Diff(c.want, tail(v)); diff != "" {
				t.Fatalf("%d bytes\n%s", len(v.Text), diff)
			}
		})
	}
}

func TestReadRangesRefuses(t *testing.T) {
	for _, c := range []struct {
		text   string
		ranges []hashline.Span
		want   string
	}{
		{"a\nb\n", nil, "there is no range; the file has 2 lines"},
		{"a\nb\n", []hashline.Span{{First: 0, Last: 1}}, "range 0-1 begins below line 1; the file has 2 lines"},
		{"a\nb\n", []hashline.Span{{First: 1, Last: 1}, {First: 2, Last: 1}}, "range 2-1 ends before it begins; the file has 2 lines"},
		{"a\nb\n", []hashline.Span{{First: 3, Last: 3}}, "range 3 begins past the last line; the file has 2 lines"},
		{"a\nb\n", []hashline.Span{{First: 3, Last: 9}}, "range 3-9 begins past the last line; the file has 2 lines"},
		{"", []hashline.Span{{First: 2, Last: 2}}, "range 2 begins past the last line; the file has 0 lines"},
	} {
		v, err := take(c.text).ReadRanges(c.ranges, 0)
		require.ErrorIs(t, err, hashline.BadArgument)
		require.ErrorContains(t, err, c.want)
		require.Empty(t, v)
	}
}
