package workspace_test

import (
	"bytes"
	"os/exec"
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
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", repo}, args...)...).Output()
		require.NoError(t, err, "git %v", args)
		return string(out)
	}
	if _, err := exec.Command("git", "-C", repo, "rev-parse", "HEAD").Output(); err != nil {
		t.Skip("SKIPPED: this is no git checkout, so there is no history to replay")
	}
	applied, passed := 0, 0
	for line := range strings.Lines(git("log", "--no-merges", "--diff-filter=M", "--no-renames", "--raw", "--no-abbrev", "--format=")) {
		fields := strings.Fields(line)
		if len(fields) < 6 || fields[0] == "" {
			continue
		}
		before, after, path := fields[2], fields[3], strings.SplitN(strings.TrimSpace(line), "\t", 2)[1]
		old, want := git("cat-file", "blob", before), git("cat-file", "blob", after)
		if strings.HasSuffix(old, "\n") != strings.HasSuffix(want, "\n") || old == "" || want == "" {
			passed++ // how a file ends is not for a document to say
			continue
		}
		text, err := snapshot.Decode([]byte(old))
		if err != nil {
			passed++
			continue
		}
		ops := diffOps(t, git("diff", "-U0", "--no-ext-diff", "--no-color", "--text", before, after))
		doc := hashline.Document{Sections: []hashline.Section{{Path: path, Tag: snapshot.XXH64.Tag([]byte(old)), Ops: ops}}}
		parsed, err := grammar.Parse(doc.String())
		require.NoError(t, err, "%s..%s", before, after)
		edit, err := apply.Apply(text, parsed.Sections[0].Ops)
		if err != nil && strings.HasPrefix(path, "testdata/") {
			passed++ // cases may hold rows that a document must not
			continue
		}
		require.NoError(t, err, "%s: %s..%s", path, before, after)
		if !bytes.Equal(edit.Bytes, []byte(want)) {
			t.Errorf("%s: applying %s..%s gives other bytes than git has", path, before, after)
		}
		applied++
	}
	t.Logf("%d changes applied, %d passed over", applied, passed)
	if applied+passed == 0 {
		t.Skip("SKIPPED: the history at hand has no changed file")
	}
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
