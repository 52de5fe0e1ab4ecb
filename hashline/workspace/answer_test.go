package workspace

import (
	"context"
	"encoding/json"
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

// TestSnapshotsShareTheLimit refuses two long files at once: each gets half of
// what is left for snapshots.
func TestSnapshotsShareTheLimit(t *testing.T) {
	text := strings.Repeat(strings.Repeat("x", 500)+"\n", 100)
	w := open(t, map[string]string{"a": text, "b": text, "c": text})
	w.limit = 20_000
	var doc strings.Builder
	for _, name := range []string{"a", "b", "c"} {
		fmt.Fprintf(&doc, "%s\nCUT 1.=30\nCUT 70.=90\n", hashline.Header(name, ^w.scheme.Tag([]byte(text))))
	}
	_, err := w.Edit(context.Background(), doc.String())
	var r *Refusal
	require.True(t, errors.As(err, &r))
	_, snapshots, ok := strings.Cut(r.Content, "Live snapshot to retry from:\n")
	require.True(t, ok)
	parts := strings.Split(snapshots, "\n\n[")
	var sizes []int
	for _, name := range []string{"a#", "b#", "c#"} {
		size := 0
		for i, part := range parts {
			if strings.HasPrefix(strings.TrimPrefix(part, "["), name) {
				size = len(part) + len(parts[i+1]) // with its footer
			}
		}
		require.Greater(t, size, 2000, name)
		sizes = append(sizes, size)
	}
	require.InDelta(t, sizes[0], sizes[1], 10)
	require.InDelta(t, sizes[0], sizes[2], 10)
}

// TestLongDiffsAreOmitted rewrites a file so that its diff is longer than a
// response holds.
func TestLongDiffsAreOmitted(t *testing.T) {
	w := open(t, map[string]string{"a": strings.Repeat("old old old\n", 80_000)})
	input, err := json.Marshal(map[string]string{"path": "a", "content": strings.Repeat("new new new\n", 80_000)})
	require.NoError(t, err)
	resp := w.Call(context.Background(), "write", input)
	require.True(t, resp.OK, resp.Content)
	require.Len(t, resp.Files, 1)
	require.True(t, resp.Files[0].DiffOmitted)
	require.Empty(t, resp.Files[0].Diff)
	require.Equal(t, 80_000, resp.Files[0].Added)
	require.Equal(t, 80_000, resp.Files[0].Removed)
}

// A refusal of many sections shows rows of some files, not the headers of all.
func TestManySnapshots(t *testing.T) {
	files := map[string]string{}
	var doc strings.Builder
	for n := range 999 {
		name := fmt.Sprintf("dir/file-%03d.txt", n)
		files[name] = strings.Repeat(tenLines, 3)
		fmt.Fprintf(&doc, "[%s#0000]\nCUT 5.=25\n", name)
	}
	w := open(t, files)
	for _, limit := range []int{2_000, 7_500, 48 << 10} {
		_, err := (&Workspace{w.core}).Session(SessionConfig{OutputLimit: limit}).Edit(t.Context(), doc.String())
		var r *Refusal
		require.ErrorAs(t, err, &r)
		require.LessOrEqual(t, len(r.Content), limit)
		require.Greater(t, len(r.Content), limit*3/4)
		_, live, ok := strings.Cut(r.Content, "\n\nLive snapshot to retry from:\n")
		require.True(t, ok)
		shots := strings.Split(live, "\n\n[dir/")
		last := strings.Split(shots[len(shots)-1], "\n\n")
		require.Equal(t, fmt.Sprintf("… +%d more snapshots; read_file shows those files", 999-len(shots)), last[len(last)-1])
		for _, s := range shots {
			require.Contains(t, s, "\n5:five\n")
		}
	}
}
