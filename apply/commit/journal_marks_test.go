package commit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadMarks(t *testing.T) {
	digest := "new 3 " + strings.Repeat("0f", 32) + "\n"
	for _, c := range []struct {
		data, marks string
		ok          bool
	}{
		{"", "", true},
		{"\n", "", true},
		{"\n" + markStaged, markStaged, true},
		{"\n" + digest + markStaged + markPublished, digest + markStaged + markPublished, true},
		{"\n" + markStaged + "publ", markStaged, true},
		{"\n" + markStaged + "new 1 0f", markStaged, true},
		{"\n" + markStaged + "\x00\x00\x00", markStaged, true},
		{"\n" + markStaged + "xyz", "", false},
		{"\n" + markStaged + "staged and more\n" + markDone, "", false},
		{"\n\n" + markStaged, "", false},
		{"\nnew 1 0f\n", "", false},
		{"\n" + markDone + "\x01", "", false},
	} {
		marks, ok := readMarks([]byte(c.data))
		require.Equal(t, c.ok, ok, "%q", c.data)
		if ok {
			require.Equal(t, c.marks, marks, "%q", c.data)
		}
	}
}
