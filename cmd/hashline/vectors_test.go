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

// runner runs a command line and gives its exit status and output.
type runner func(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string)

// command runs a command line in this process.
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

// The vectors, in this process. TestBinary runs them through a built program.
func TestVectors(t *testing.T) { vectors(t, command) }

// vectors runs each kind of vector that a command reaches.
func vectors(t *testing.T, do runner) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, kind := range []struct {
		name  string
		check func(*testing.T, runner, hashlinetest.Vector)
	}{
		{"tag", tagVector}, {"view", viewVector}, {"parse", parseVector}, {"apply", applyVector}, {"multi", multiVector},
	} {
		t.Run(kind.name, func(t *testing.T) {
			all := hashlinetest.Vectors(t, kind.name)
			for _, v := range all {
				t.Run(v.ID, func(t *testing.T) { kind.check(t, do, v) })
			}
			t.Logf("%d vectors of the kind %s", len(all), kind.name)
		})
	}
}

// answer is what "call" answers, as far as the vectors say.
type answer struct {
	OK      bool
	Content string
	Code    hashline.Code
}

// callTool calls a tool with the tags of the vectors.
func callTool(t *testing.T, do runner, root, tool string, args map[string]any) answer {
	t.Helper()
	input, err := json.Marshal(args)
	require.NoError(t, err)
	status, out, errs := do(t, string(input), "call", tool, "--root", root, "--tags", "rho")
	require.Empty(t, errs)
	var got answer
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	want := statusRefused
	if got.OK {
		want = statusOK
	}
	require.Equal(t, want, status, out)
	return got
}

func tagVector(t *testing.T, do runner, v hashlinetest.Vector) {
	root := t.TempDir()
	name := filepath.Join(root, "x")
	inRoot(t, root, "x", v.Text)
	if !utf8.Valid(v.Text) {
		// The bytes have a hash, but what is no text has no tag.
		status, _, errs := do(t, "", "tag", name)
		require.Equal(t, statusRefused, status)
		require.Contains(t, errs, "not_text")
		return
	}
	for scheme, want := range map[string]string{"rho": v.Expect.TagRho, "xxh64": v.Expect.TagXXH64} {
		status, out, errs := do(t, "", "tag", "--tags", scheme, name)
		if status != statusOK || out != want+"  "+name+"\n" {
			t.Errorf("%s: %s: status %d, %q%s, want %s", v.Note, scheme, status, out, errs, want)
		}
	}
}

// A view, by "read" and by "call read_file".
func viewVector(t *testing.T, do runner, v hashlinetest.Vector) {
	root := t.TempDir()
	inRoot(t, root, v.Path, v.Text)
	flags, args := []string{"read", "--root", root, "--tags", "rho", v.Path}, map[string]any{"path": v.Path}
	for name, n := range map[string]*int{"offset": v.Offset, "limit": v.Limit} {
		if n != nil {
			flags = append(flags, "--"+name, strconv.Itoa(*n))
			args[name] = *n
		}
	}
	status, out, errs := do(t, "", flags...)
	called := callTool(t, do, root, "read_file", args)
	require.Equal(t, v.Expect.Code, called.Code)
	if v.Expect.Code != "" {
		require.Equal(t, statusRefused, status, "%s%s", out, errs)
		require.Contains(t, errs, ": "+string(v.Expect.Code)+": ")
		return
	}
	require.Equal(t, statusOK, status, errs)
	want := strings.ReplaceAll(v.Expect.Output, "{TAG}", snapshot.Rho.Tag(v.Text).String())
	if diff := cmp.Diff(want+"\n", out); diff != "" {
		t.Errorf("%s: read (-want +got):\n%s", v.Note, diff)
	}
	if diff := cmp.Diff(want, called.Content); diff != "" {
		t.Errorf("%s: call read_file (-want +got):\n%s", v.Note, diff)
	}
}

func parseVector(t *testing.T, do runner, v hashlinetest.Vector) {
	status, out, errs := do(t, string(v.Doc), "parse")
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
		t.Fatalf("%s: status %d, %s", v.Note, status, out)
	}
	if diff := cmp.Diff(v.Expect.Sections, got.Sections); diff != "" {
		t.Errorf("%s (-want +got):\n%s", v.Note, diff)
	}
}
