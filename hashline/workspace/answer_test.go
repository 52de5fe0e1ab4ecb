package workspace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// TestAnswersFitTheLimit sends documents that have very much to say, with
// limits from tiny to roomy: no answer may be longer, and none may be empty.
func TestAnswersFitTheLimit(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("dir/file%03d.txt", i)] = strings.Repeat(strings.Repeat("é", 40)+"\n", 120)
	}
	files["long.txt"] = strings.Repeat("x", 1<<20) + "\n" + strings.Repeat("row\n", 3000)
	w := open(t, files)
	tag := func(name string) hashline.Tag { return w.scheme.Tag([]byte(onDisk(t, w, name))) }

	manyFiles := func(tagOf func(string) hashline.Tag, op string) string {
		var b strings.Builder
		for i := range 300 {
			name := fmt.Sprintf("dir/file%03d.txt", i)
			fmt.Fprintf(&b, "%s\n%s\n", hashline.Header(name, tagOf(name)), op)
		}
		return b.String()
	}
	wrong := func(name string) hashline.Tag { return ^tag(name) }
	manyOps := func(format string) string {
		var b strings.Builder
		b.WriteString(hashline.Header("long.txt", tag("long.txt")) + "\n")
		for i := range 1000 {
			fmt.Fprintf(&b, format+"\n", 2*i+2)
		}
		return b.String()
	}
	documents := map[string]string{
		"many stale":       manyFiles(wrong, "PUT 1:\n+x"),
		"many good":        manyFiles(tag, "PUT 60:\n+x"),
		"many bad ranges":  manyFiles(tag, "CUT 5000"),
		"many operations":  manyOps("CUT %d"),
		"many warnings":    manyOps("PUT %d:\n+CUT 1"),
		"out of range":     manyOps("CUT 9%d"),
		"many overlaps":    manyOps("CUT 1.=%d"),
		"syntax":           strings.Repeat("nonsense "+strings.Repeat("y", 300)+"\n", 500),
		"long line":        hashline.Header("long.txt", wrong("long.txt")) + "\nPUT 1:\n+x\n",
		"duplicates":       strings.Repeat(hashline.Header("long.txt", 0)+"\nCUT 1\n", 900),
		"a path that long": hashline.Header(strings.Repeat("x/", 2000)+"y", 0) + "\nCUT 1\n",
	}
	for name, doc := range documents {
		for _, limit := range []int{512, 2000, 7500, OutputLimit} {
			w.limit = limit
			res, err := w.Check(context.Background(), doc)
			var content string
			if err == nil {
				content = res.Content
			} else {
				var r *Refusal
				require.True(t, errors.As(err, &r), name)
				content = r.Content
				require.True(t, strings.HasPrefix(content, editRejected), name)
			}
			require.LessOrEqual(t, len(content), limit, "%s at %d", name, limit)
			require.Greater(t, len(content), 100, "%s at %d says too little", name, limit)
			require.True(t, utf8.ValidString(content), "%s at %d", name, limit)
		}
	}
}

func TestBoundedNeverPassesItsLimit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var parts []string
		for range rng.IntN(8) {
			parts = append(parts, strings.Repeat("é", rng.IntN(40)))
		}
		limit := 60 + rng.IntN(200)
		var b strings.Builder
		bounded(&b, "head: ", parts, ", ", limit, "things")
		got := b.String()
		require.LessOrEqual(t, len(got), limit)
		require.True(t, utf8.ValidString(got))
		if whole := "head: " + strings.Join(parts, ", "); len(whole) <= limit-40 {
			require.Equal(t, whole, got)
		} else if got != whole {
			require.Contains(t, got, "…")
		}
	}
}

func TestWarningsStandLast(t *testing.T) {
	w := open(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	doc := hashline.Header("a.txt", w.scheme.Tag([]byte("one\ntwo\nthree\n"))) + "\nPUT 2:\n+one\n+CUT 7\n"
	res, err := w.Edit(context.Background(), doc)
	require.NoError(t, err)
	lines := strings.Split(res.Content, "\n")
	require.True(t, strings.HasPrefix(lines[len(lines)-2], "warning: a.txt: echo: "), res.Content)
	require.True(t, strings.HasPrefix(lines[len(lines)-1], "warning: a.txt: looks_like_op: "), res.Content)
	require.Equal(t, "", lines[len(lines)-3])
	require.Len(t, res.Warnings, 2)
}
