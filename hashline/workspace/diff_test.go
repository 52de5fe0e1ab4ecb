package workspace

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

// TestDiffsApplyWithGit gives diffs of random changes to git, which must make
// the new text of the old one.
func TestDiffsApplyWithGit(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	text := func() []byte {
		var b bytes.Buffer
		for range rng.IntN(40) {
			fmt.Fprintf(&b, "line %d%s", rng.IntN(6), []string{"\n", "\n", "\n", "\r\n"}[rng.IntN(4)])
		}
		if rng.IntN(3) == 0 {
			b.WriteString("no end")
		}
		return b.Bytes()
	}
	change := func(old []byte) []byte {
		lines := strings.SplitAfter(string(old), "\n")
		for range 1 + rng.IntN(3) {
			at := rng.IntN(len(lines))
			lines[at] = strings.Repeat("new\n", rng.IntN(3))
		}
		return []byte(strings.Join(lines, ""))
	}
	tried := 0
	names := []string{"f.txt", "a b.txt", " a", "a\tb", `a"b\c`, "é.txt", "a\x01b"}
	for i := range 100 {
		name := names[i%len(names)]
		old := text()
		after := text()
		if rng.IntN(2) == 0 {
			after = change(old)
		}
		if bytes.Equal(old, after) || len(old) == 0 || len(after) == 0 {
			continue
		}
		tag := hashline.Tag(1)
		diff, ok := FileChange{Path: name, OldTag: &tag, before: old, after: after}.Diff()
		require.True(t, ok)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), old, 0o666))
		cmd := hashlinetest.Git(t, dir, "apply", "--whitespace=nowarn", "-")
		cmd.Stdin = strings.NewReader(diff)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "seed %d: %s\n%s", seed, out, diff)
		got, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, string(after), string(got), "seed %d\n%s", seed, diff)
		tried++
	}
	require.Greater(t, tried, 30)
}

func TestDiffIsLeftOutWhereItIsTooLong(t *testing.T) {
	old := bytes.Repeat([]byte("old old old old\n"), 1<<16)
	after := bytes.Repeat([]byte("new new new new\n"), 1<<16)
	_, ok := FileChange{Path: "f", before: old, after: after}.Diff()
	require.False(t, ok)
	// A small change of a large text is told all the same.
	after = append(append([]byte{}, old[:len(old)/2]...), append([]byte("one more\n"), old[len(old)/2:]...)...)
	diff, ok := FileChange{Path: "f", before: old, after: after}.Diff()
	require.True(t, ok)
	require.Contains(t, diff, "+one more\n")
	require.Less(t, len(diff), 300)
}

// Diffs are the same where no file is held in memory.
func TestDiffsOfStreamedEdits(t *testing.T) {
	defer Stream(13)()
	TestDiffsApplyWithGit(t)
}
