package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/snapshot"
)

// One section's edit: first by "edit --dry-run" and "check", which write nothing,
// then by "edit", and for the same file elsewhere by "call edit". All agree.
func applyVector(t *testing.T, do runner, v hashlinetest.Vector) {
	root, other := t.TempDir(), t.TempDir()
	inRoot(t, root, v.Path, v.Text)
	inRoot(t, other, v.Path, v.Text)
	file, twin := filepath.Join(root, filepath.FromSlash(v.Path)), filepath.Join(other, filepath.FromSlash(v.Path))
	live := snapshot.Rho.Tag(v.Text)
	doc := hashlinetest.FillTags(string(v.Doc), live)

	dry, _, _ := do(t, doc, "edit", "--dry-run", "--root", root, "--tags", "rho")
	checked, _, _ := do(t, doc, "check", "--root", root, "--tags", "rho")
	requireText(t, file, v.Text)
	status, out, errs := do(t, doc, "edit", "--root", root, "--tags", "rho")
	require.Equal(t, status, dry)
	require.Equal(t, status, checked)
	called := callTool(t, do, other, "edit", map[string]any{"input": doc})
	require.Equal(t, v.Expect.Code, called.Code)
	tags := strings.NewReplacer("{TAG}", live.String(), "{STALE}", (live ^ 0xFFFF).String(), "{NEWTAG}", snapshot.Rho.Tag(v.Expect.NewText).String())
	if v.Expect.Code != "" {
		require.Equal(t, statusRefused, status, out)
		require.Empty(t, out)
		require.Equal(t, called.Content+"\n", errs)
		require.True(t, strings.HasPrefix(errs, "edit rejected, nothing was written\n"))
		require.True(t, strings.HasSuffix(called.Content, tags.Replace(v.Expect.Snapshot)), called.Content)
		requireText(t, file, v.Text)
		requireText(t, twin, v.Text)
		return
	}
	require.Equal(t, statusOK, status, errs)
	require.Equal(t, called.Content+"\n", out)
	requireText(t, file, v.Expect.NewText)
	requireText(t, twin, v.Expect.NewText)
	requireStart(t, tags.Replace(v.Expect.Content), out)
}

// Several files in one document: all change, or none.
func multiVector(t *testing.T, do runner, v hashlinetest.Vector) {
	var live []hashline.Tag
	var pairs []string
	after := map[string][]byte{}
	for i, f := range v.Files {
		tag, n := snapshot.Rho.Tag(f.Text), strconv.Itoa(i+1)
		live, after[f.Path] = append(live, tag), f.Text
		pairs = append(pairs, "{TAG"+n+"}", tag.String(), "{STALE"+n+"}", (tag ^ 0xFFFF).String())
	}
	for _, f := range v.Expect.NewFiles {
		after[f.Path] = f.NewText
		pairs = append(pairs, "{NEWTAG:"+f.Path+"}", snapshot.Rho.Tag(f.NewText).String())
	}
	doc := hashlinetest.FillTags(string(v.Doc), live...)
	content := strings.NewReplacer(pairs...).Replace(v.Expect.Content)
	for name, edit := range map[string]func(root string) (bool, string){
		"edit": func(root string) (bool, string) {
			status, out, errs := do(t, doc, "edit", "--root", root, "--tags", "rho")
			require.Contains(t, []int{statusOK, statusRefused}, status, errs)
			return status == statusOK, out + errs
		},
		"call edit": func(root string) (bool, string) {
			got := callTool(t, do, root, "edit", map[string]any{"input": doc})
			return got.OK, got.Content
		},
	} {
		root := t.TempDir()
		for _, f := range v.Files {
			inRoot(t, root, f.Path, f.Text)
		}
		ok, out := edit(root)
		require.Equal(t, v.Expect.OK, ok, "%s: %s", name, out)
		requireStart(t, content, out)
		for path, text := range after {
			requireText(t, filepath.Join(root, filepath.FromSlash(path)), text)
		}
	}
}

func requireText(t *testing.T, file string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func requireStart(t *testing.T, want, got string) {
	t.Helper()
	if diff := cmp.Diff(want, got[:min(len(got), len(want))]); diff != "" {
		t.Errorf("the answer begins otherwise (-want +got):\n%s", diff)
	}
}
