package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/snapshot"
)

// command runs a command line and gives its exit status and output.
func command(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	status = run(t.Context(), args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

// inRoot puts a file into an empty root.
func inRoot(t *testing.T, root, name string, text []byte) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, text, 0o644))
}

func rhoTag(t *testing.T, file string) hashline.Tag {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return snapshot.Rho.Tag(text)
}

func TestTagVectors(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, "x")
	for _, v := range hashlinetest.Vectors(t, "tag") {
		inRoot(t, root, "x", v.Text)
		if !utf8.Valid(v.Text) {
			// The bytes have a hash, but what is no text has no tag.
			status, _, errs := command(t, "", "tag", name)
			require.Equal(t, statusRefused, status)
			require.Contains(t, errs, "not_text")
			continue
		}
		for scheme, want := range map[string]string{"rho": v.Expect.TagRho, "xxh64": v.Expect.TagXXH64} {
			status, out, errs := command(t, "", "tag", "--tags", scheme, name)
			if status != statusOK || out != want+"  "+name+"\n" {
				t.Errorf("%s (%s): %s: status %d, %q%s, want %s", v.ID, v.Note, scheme, status, out, errs, want)
			}
		}
	}
}

func TestViewVectors(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, v := range hashlinetest.Vectors(t, "view") {
		t.Run(v.ID, func(t *testing.T) {
			root := t.TempDir()
			inRoot(t, root, v.Path, v.Text)
			args := []string{"read", "--root", root, "--tags", "rho", v.Path}
			for flag, n := range map[string]*int{"--offset": v.Offset, "--limit": v.Limit} {
				if n != nil {
					args = append(args, flag, strconv.Itoa(*n))
				}
			}
			status, out, errs := command(t, "", args...)
			if v.Expect.Code != "" {
				require.Equal(t, statusRefused, status, "%s%s", out, errs)
				require.Contains(t, errs, ": "+string(v.Expect.Code)+": ")
				return
			}
			require.Equal(t, statusOK, status, errs)
			want := strings.ReplaceAll(v.Expect.Output, "{TAG}", snapshot.Rho.Tag(v.Text).String()) + "\n"
			if diff := cmp.Diff(want, out); diff != "" {
				t.Errorf("%s (-want +got):\n%s", v.Note, diff)
			}
		})
	}
}

func TestParseVectors(t *testing.T) {
	for _, v := range hashlinetest.Vectors(t, "parse") {
		status, out, errs := command(t, string(v.Doc), "parse")
		require.Empty(t, errs)
		var got struct {
			OK       bool
			Code     hashline.Code
			Sections []hashlinetest.VectorSection
		}
		require.NoError(t, json.Unmarshal([]byte(out), &got))
		want := statusOK
		if v.Expect.Code != "" {
			want = statusRefused
		}
		if status != want || got.Code != v.Expect.Code || got.OK != (v.Expect.Code == "") {
			t.Errorf("%s (%s): status %d, %s", v.ID, v.Note, status, out)
			continue
		}
		if diff := cmp.Diff(v.Expect.Sections, got.Sections); diff != "" {
			t.Errorf("%s (%s) (-want +got):\n%s", v.ID, v.Note, diff)
		}
	}
}

// refusedCode gives the code with which "call edit" refuses a document.
func refusedCode(t *testing.T, root, doc string) hashline.Code {
	t.Helper()
	args, err := json.Marshal(map[string]string{"input": doc})
	require.NoError(t, err)
	status, out, _ := command(t, string(args), "call", "edit", "--root", root, "--tags", "rho")
	require.Equal(t, statusRefused, status)
	var resp struct{ Code hashline.Code }
	require.NoError(t, json.Unmarshal([]byte(out), &resp))
	return resp.Code
}

// One section's edit, first by "edit --dry-run" and "check", which write nothing,
// then by "edit": all three agree on what is refused.
func TestApplyVectors(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, v := range hashlinetest.Vectors(t, "apply") {
		t.Run(v.ID, func(t *testing.T) {
			root := t.TempDir()
			inRoot(t, root, v.Path, v.Text)
			file := filepath.Join(root, filepath.FromSlash(v.Path))
			live := rhoTag(t, file)
			doc := hashlinetest.FillTags(string(v.Doc), live)

			dry, _, _ := command(t, doc, "edit", "--dry-run", "--root", root, "--tags", "rho")
			checked, _, _ := command(t, doc, "check", "--root", root, "--tags", "rho")
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(v.Text), string(text), "a dry run wrote")

			status, out, errs := command(t, doc, "edit", "--root", root, "--tags", "rho")
			require.Equal(t, status, dry)
			require.Equal(t, status, checked)
			text, err = os.ReadFile(file)
			require.NoError(t, err)
			if v.Expect.Code != "" {
				require.Equal(t, statusRefused, status, out)
				require.Empty(t, out)
				require.Equal(t, v.Expect.Code, refusedCode(t, root, doc))
				require.True(t, strings.HasPrefix(errs, "edit rejected, nothing was written\n"))
				require.Equal(t, string(v.Text), string(text))
				return
			}
			require.Equal(t, statusOK, status, errs)
			if diff := cmp.Diff(string(v.Expect.NewText), string(text)); diff != "" {
				t.Errorf("%s: text (-want +got):\n%s", v.Note, diff)
			}
			if v.Expect.Content == "" {
				return
			}
			want := strings.NewReplacer("{TAG}", live.String(), "{NEWTAG}", rhoTag(t, file).String()).Replace(v.Expect.Content)
			begin := out[:min(len(out), len(want))]
			if diff := cmp.Diff(want, begin); diff != "" {
				t.Errorf("%s: answer (-want +got):\n%s", v.Note, diff)
			}
		})
	}
}

// Several files in one document: all change, or none.
func TestMultiVectors(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, v := range hashlinetest.Vectors(t, "multi") {
		t.Run(v.ID, func(t *testing.T) {
			root := t.TempDir()
			var live []hashline.Tag
			after := map[string]string{}
			for _, f := range v.Files {
				inRoot(t, root, f.Path, f.Text)
				live = append(live, snapshot.Rho.Tag(f.Text))
				after[f.Path] = string(f.Text)
			}
			for _, f := range v.Expect.NewFiles {
				after[f.Path] = string(f.NewText)
			}
			doc := hashlinetest.FillTags(string(v.Doc), live...)
			status, out, errs := command(t, doc, "edit", "--root", root, "--tags", "rho")
			want := statusOK
			if !v.Expect.OK {
				want = statusRefused
				require.Empty(t, v.Expect.NewFiles)
				out = errs
			}
			require.Equal(t, want, status, out)
			content := v.Expect.Content
			for i, f := range v.Files {
				n := strconv.Itoa(i + 1)
				content = strings.NewReplacer(
					"{TAG"+n+"}", live[i].String(), "{STALE"+n+"}", (live[i] ^ 0xFFFF).String(),
					"{NEWTAG:"+f.Path+"}", snapshot.Rho.Tag([]byte(after[f.Path])).String(),
				).Replace(content)
				text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Path)))
				require.NoError(t, err)
				if diff := cmp.Diff(after[f.Path], string(text)); diff != "" {
					t.Errorf("%s: %s (-want +got):\n%s", v.Note, f.Path, diff)
				}
			}
			if diff := cmp.Diff(content, out[:min(len(out), len(content))]); diff != "" {
				t.Errorf("%s: answer (-want +got):\n%s", v.Note, diff)
			}
		})
	}
}
