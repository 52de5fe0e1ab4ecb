package workspace_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply"
	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/snapshot"
)

// TestOwnHistory turns each change that a commit of this repository made to a
// file into a document, with git's diff as the oracle, and applies it: the
// result must be the committed file, byte for byte.
func TestOwnHistory(t *testing.T) {
	repo := filepath.Dir(hashlinetest.TestdataDir(t))
	git := func(stdin string, args ...string) []byte {
		t.Helper()
		cmd := hashlinetest.Git(t, repo, args...)
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.Output()
		require.NoError(t, err, "git %v", args)
		return out
	}
	if out, err := hashlinetest.Git(t, repo, "rev-parse", "HEAD").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no git checkout that git reads, so there is no history to replay: %s", out)
	}
	changes := changesIn(t, string(git("", "-c", "core.quotePath=false", "log", "--no-merges", "--diff-filter=M", "--no-renames", "--format=", "-p", "-U0",
		"--full-index", "--no-ext-diff", "--no-textconv", "--no-color", "--text", "--src-prefix=a/", "--dst-prefix=b/")))
	var wanted strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&wanted, "%s\n%s\n", c.before, c.after)
	}
	blobs := blobsIn(t, git(wanted.String(), "cat-file", "--batch"))
	applied, passed := 0, 0
	for _, c := range changes {
		old, want := blobs[c.before], blobs[c.after]
		if strings.HasSuffix(old, "\n") != strings.HasSuffix(want, "\n") || old == "" || want == "" {
			passed++ // how a file ends is not for a document to say
			continue
		}
		text, err := snapshot.Decode([]byte(old))
		if err != nil {
			passed++
			continue
		}
		doc := hashline.Document{Sections: []hashline.Section{{Path: c.path, Tag: snapshot.XXH64.Tag([]byte(old)), Ops: c.ops}}}
		parsed, err := grammar.Parse(doc.String())
		require.NoError(t, err, "%s..%s", c.before, c.after)
		edit, err := apply.Apply(text, parsed.Sections[0].Ops)
		if err != nil && strings.HasPrefix(c.path, "testdata/") {
			passed++ // cases may hold rows that a document must not
			continue
		}
		require.NoError(t, err, "%s: %s..%s", c.path, c.before, c.after)
		if !bytes.Equal(edit.Bytes, []byte(want)) {
			t.Errorf("%s: applying %s..%s gives other bytes than git has", c.path, c.before, c.after)
		}
		applied++
	}
	t.Logf("%d changes applied, %d passed over", applied, passed)
	if applied == 0 {
		t.Skip("SKIPPED: the history at hand has no changed file that could be replayed")
	}
}

// change is what a commit made of a file: the names of two blobs, and the
// operations between them.
type change struct {
	path, before, after string
	ops                 []hashline.Op
}

// changesIn reads diffs without context, in which nothing but a new file's diff
// begins with "diff".
func changesIn(t *testing.T, diffs string) []change {
	t.Helper()
	var all []change
	for _, one := range strings.Split("\n"+diffs, "\ndiff --git ")[1:] {
		var c change
		for line := range strings.Lines(one) {
			line = strings.TrimSuffix(line, "\n")
			if names, ok := strings.CutPrefix(line, "index "); ok {
				names, _, _ = strings.Cut(names, " ")
				c.before, c.after, _ = strings.Cut(names, "..")
			}
			if path, ok := strings.CutPrefix(line, "+++ b/"); ok && c.path == "" {
				c.path = strings.TrimSuffix(path, "\t")
				break
			}
		}
		if _, hunks, ok := strings.Cut(one, "\n@@ "); ok && c.path != "" {
			c.ops = diffOps(t, "@@ "+hunks)
			all = append(all, c)
		}
	}
	return all
}

// blobsIn reads what git cat-file --batch says: for each blob a line with its
// name, kind and length, the bytes, and a line end.
func blobsIn(t *testing.T, out []byte) map[string]string {
	t.Helper()
	blobs := map[string]string{}
	for len(out) > 0 {
		head, rest, ok := bytes.Cut(out, []byte("\n"))
		require.True(t, ok)
		var name, kind string
		var size int
		_, err := fmt.Sscan(string(head), &name, &kind, &size)
		require.NoError(t, err, "%s", head)
		blobs[name], out = string(rest[:size]), rest[size+1:]
	}
	return blobs
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// diffOps reads the hunks of a diff without context as operations.
func diffOps(t *testing.T, diff string) []hashline.Op {
	var ops []hashline.Op
	body := func(row string) {
		o := &ops[len(ops)-1]
		o.Body = append(o.Body, strings.TrimSuffix(row, "\n"))
	}
	for line := range strings.Lines(diff) {
		if m := hunkHeader.FindStringSubmatch(line); m != nil {
			first, err := strconv.Atoi(m[1])
			require.NoError(t, err)
			removed := 1
			if m[2] != "" {
				removed, err = strconv.Atoi(m[2])
				require.NoError(t, err)
			}
			o := hashline.Op{Kind: hashline.Replace, Span: hashline.Span{First: first, Last: first + removed - 1}}
			switch {
			case removed == 0 && first == 0:
				o.Kind, o.Span = hashline.InsertBefore, hashline.Span{First: 1, Last: 1}
			case removed == 0:
				o.Kind, o.Span = hashline.InsertAfter, hashline.Span{First: first, Last: first}
			case m[4] == "0":
				o.Kind = hashline.Delete
			}
			ops = append(ops, o)
			continue
		}
		if len(ops) > 0 && line[0] == '+' {
			body(line[1:])
		}
	}
	require.NotEmpty(t, ops)
	return ops
}
