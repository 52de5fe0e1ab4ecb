package workspace_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot"
)

// room is a session in a workspace with files and the tags they have.
type room struct {
	*workspace.Session
	root string
	tree hashlinetest.Tree
}

func newRoom(t *testing.T, scheme snapshot.Scheme, files ...hashlinetest.File) *room {
	t.Helper()
	c := hashlinetest.Case{Files: files}
	root := c.Install(t).Root
	return &room{openSession(t, root, scheme, workspace.SessionConfig{}), root, hashlinetest.ReadTree(t, root)}
}

// call calls a tool and fails the test where a refusal changed anything.
func (r *room) call(t *testing.T, tool string, args map[string]any) workspace.Response {
	t.Helper()
	input, err := json.Marshal(args)
	require.NoError(t, err)
	before := r.tree
	got := r.Call(t.Context(), tool, input)
	r.tree = hashlinetest.ReadTree(t, r.root)
	if !got.OK {
		if diff := cmp.Diff(before, r.tree); diff != "" {
			t.Errorf("the refusal changed files (-before +after):\n%s", diff)
		}
	}
	return got
}

func (r *room) edit(t *testing.T, doc string) workspace.Response {
	t.Helper()
	return r.call(t, "edit", map[string]any{"input": doc})
}

// rho gives the tag of the scheme of the vectors.
func rho(text []byte) hashline.Tag { return snapshot.Rho.Tag(text) }

func TestVectorsOfViews(t *testing.T) {
	for _, v := range hashlinetest.Vectors(t, "view") {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t, snapshot.Rho, hashlinetest.File{Path: v.Path, Data: v.Text})
			args := map[string]any{"path": v.Path}
			if v.Offset != nil {
				args["offset"] = *v.Offset
			}
			if v.Limit != nil {
				args["limit"] = *v.Limit
			}
			got := r.call(t, "read_file", args)
			require.Equal(t, v.Expect.Code, got.Code)
			if v.Expect.OK {
				want := strings.ReplaceAll(v.Expect.Output, "{TAG}", rho(v.Text).String())
				if diff := cmp.Diff(want, got.Content); diff != "" {
					t.Errorf("view (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestVectorsOfChains shows the snapshots as a write, where there is no focus,
// and otherwise as an edit with a wrong tag whose anchors are the focus.
func TestVectorsOfChains(t *testing.T) {
	for _, v := range hashlinetest.Vectors(t, "chain") {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			want := strings.ReplaceAll(v.Expect.Output, "{TAG}", rho(v.Text).String())
			if len(v.Focus) == 0 {
				r := newRoom(t, snapshot.Rho)
				got := r.call(t, "write", map[string]any{"path": v.Path, "content": string(v.Text)})
				if diff := cmp.Diff("created "+v.Path+"\n\n"+want, got.Content); diff != "" {
					t.Errorf("answer (-want +got):\n%s", diff)
				}
				return
			}
			r := newRoom(t, snapshot.Rho, hashlinetest.File{Path: v.Path, Data: v.Text})
			doc := hashline.Header(v.Path, rho(v.Text)^0xFFFF) + "\n"
			for _, n := range v.Focus {
				if n > 0 {
					doc += fmt.Sprintf("PUT <%d:\n+x\n", n)
				}
			}
			got := r.edit(t, doc)
			require.Equal(t, hashline.StaleTag, got.Code)
			checkEnd(t, "Live snapshot to retry from:\n"+want, got.Content)
		})
	}
}

func TestVectorsOfEdits(t *testing.T) {
	for _, v := range hashlinetest.Vectors(t, "apply") {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t, snapshot.Rho, hashlinetest.File{Path: v.Path, Data: v.Text})
			live := rho(v.Text)
			got := r.edit(t, hashlinetest.FillTags(string(v.Doc), live))
			tags := strings.NewReplacer("{TAG}", live.String(), "{NEWTAG}", rho(v.Expect.NewText).String(), "{STALE}", (live ^ 0xFFFF).String())
			require.Equal(t, v.Expect.Code, got.Code, got.Content)
			if !v.Expect.OK {
				checkEnd(t, tags.Replace(v.Expect.Snapshot), got.Content)
				return
			}
			if diff := cmp.Diff(string(v.Expect.NewText), r.tree[v.Path].Data); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			checkStart(t, tags.Replace(v.Expect.Content), got.Content)
			if s := v.Expect.Summary; s != nil {
				checkStart(t, *s+"\n", got.Content)
			}
			if structural := strings.Contains(got.Content, "\n\n[structural edit: "); structural != v.Expect.Structural {
				t.Errorf("structural: %v", structural)
			}
			if v.Expect.NoChange {
				checkEnd(t, "\n"+hashline.Header(v.Path, live), got.Content)
			}
		})
	}
}

func TestVectorsOfSeveralFiles(t *testing.T) {
	for _, v := range hashlinetest.Vectors(t, "multi") {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			var files []hashlinetest.File
			var live []hashline.Tag
			after := map[string]string{}
			for _, f := range v.Files {
				files = append(files, hashlinetest.File{Path: f.Path, Data: f.Text})
				live = append(live, rho(f.Text))
				after[f.Path] = string(f.Text)
			}
			r := newRoom(t, snapshot.Rho, files...)
			got := r.edit(t, hashlinetest.FillTags(string(v.Doc), live...))
			require.Equal(t, v.Expect.OK, got.OK, got.Content)
			var pairs []string
			for _, f := range v.Expect.NewFiles {
				after[f.Path] = string(f.NewText)
				pairs = append(pairs, "{NEWTAG:"+f.Path+"}", rho(f.NewText).String())
			}
			for path, want := range after {
				if diff := cmp.Diff(want, r.tree[path].Data); diff != "" {
					t.Errorf("%s (-want +got):\n%s", path, diff)
				}
			}
			checkStart(t, strings.NewReplacer(pairs...).Replace(v.Expect.Content), got.Content)
		})
	}
}

// TestVectorsOfTags reads each text and looks at the header.
func TestVectorsOfTags(t *testing.T) {
	read := 0
	for _, v := range hashlinetest.Vectors(t, "tag") {
		for scheme, want := range map[snapshot.Scheme]string{snapshot.Rho: v.Expect.TagRho, snapshot.XXH64: v.Expect.TagXXH64} {
			r := newRoom(t, scheme, hashlinetest.File{Path: "a.txt", Data: v.Text})
			got := r.call(t, "read_file", map[string]any{"path": "a.txt"})
			if got.Code == hashline.NotText {
				continue
			}
			read++
			checkStart(t, "[a.txt#"+want+"]", got.Content)
		}
	}
	require.NotZero(t, read)
}

func checkStart(t *testing.T, want, got string) {
	t.Helper()
	if !strings.HasPrefix(got, want) {
		t.Errorf("the answer does not begin so (-want +got):\n%s", cmp.Diff(want, got))
	}
}

func checkEnd(t *testing.T, want, got string) {
	t.Helper()
	if !strings.HasSuffix(got, want) {
		t.Errorf("the answer does not end so (-want +got):\n%s", cmp.Diff(want, got))
	}
}
