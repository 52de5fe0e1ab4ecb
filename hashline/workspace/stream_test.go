package workspace_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/applytest"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot"
)

// All cases of conformance, of the field and of the vectors come out the same
// where no file is held in memory.
func TestNothingIsHeld(t *testing.T) {
	defer workspace.Stream(13)()
	t.Run("conformance", func(t *testing.T) {
		conform(t, slices.DeleteFunc(hashlinetest.Cases(t), func(c hashlinetest.Case) bool { return heldCases[c.Name] }))
	})
	t.Run("field cases", TestFieldCases)
	t.Run("views", TestVectorsOfViews)
	t.Run("chains", TestVectorsOfChains)
	t.Run("edits", TestVectorsOfEdits)
	t.Run("several files", TestVectorsOfSeveralFiles)
}

// told is what a call answers, in all its forms.
type told struct {
	Content, Error string
	Files          []workspace.FileChange
	Sections       []workspace.Section
	Warnings       hashline.Diagnostics
	Faults         hashline.Diagnostics
	Diffs          []string
	After          map[string]string
}

// Random documents for random files are answered in the same words, and leave the
// same bytes, whether the files are held or not.
func TestStreamedAgreesWithHeld(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	changed, refused := 0, 0
	for range 150 {
		texts := map[string]string{"a.txt": applytest.Text(r), "b.txt": applytest.Text(r)}
		doc := &hashline.Document{}
		for _, name := range []string{"a.txt", "b.txt"}[:1+r.IntN(2)] {
			ops := applytest.Valid(r, texts[name])
			if r.IntN(4) == 0 {
				ops = applytest.Any(r, texts[name])
			}
			tag := snapshot.XXH64.Tag([]byte(texts[name]))
			if r.IntN(8) == 0 {
				tag++
			}
			doc.Sections = append(doc.Sections, hashline.Section{Path: name, Tag: tag, Ops: ops})
		}
		scheme := [...]snapshot.Scheme{snapshot.XXH64, snapshot.Rho}[r.IntN(2)]
		if scheme == snapshot.Rho {
			for i, s := range doc.Sections {
				doc.Sections[i].Tag = scheme.Tag([]byte(texts[s.Path]))
			}
		}
		limit := 200 + r.IntN(3000)
		check := r.IntN(3) == 0
		held := answerOf(t, texts, doc.String(), scheme, limit, check)
		restore := workspace.Stream(1 << r.IntN(10))
		streamed := answerOf(t, texts, doc.String(), scheme, limit, check)
		restore()
		require.Empty(t, cmp.Diff(held, streamed, cmpopts.IgnoreUnexported(workspace.FileChange{})), "%s", doc)
		if held.Error != "" {
			refused++
		} else if len(held.Files) > 0 {
			changed++
		}
	}
	t.Logf("%d edits made, %d refused", changed, refused)
	require.Greater(t, changed, 30)
	require.Greater(t, refused, 50)
}

func answerOf(t *testing.T, texts map[string]string, doc string, scheme snapshot.Scheme, limit int, check bool) told {
	dir := t.TempDir()
	for name, text := range texts {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	w, err := workspace.Open(dir, workspace.Config{Scheme: scheme, State: filepath.Join(t.TempDir(), "state")})
	require.NoError(t, err)
	defer w.Close()
	workspace.Ready(w)
	s := w.Session(workspace.SessionConfig{OutputLimit: limit})
	call := s.Edit
	if check {
		call = s.Check
	}
	var got told
	res, err := call(t.Context(), doc)
	if err != nil {
		var refusal *workspace.Refusal
		require.True(t, errors.As(err, &refusal))
		got = told{Content: refusal.Content, Error: err.Error(), Faults: refusal.Faults}
	} else {
		got = told{Content: res.Content, Files: res.Files, Sections: res.Sections, Warnings: res.Warnings}
		for _, f := range res.Files {
			diff, ok := f.Diff()
			got.Diffs = append(got.Diffs, fmt.Sprint(ok, diff))
		}
	}
	got.After = map[string]string{}
	for _, name := range []string{"a.txt", "b.txt"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		got.After[name] = string(data)
		read, err := s.Read(t.Context(), workspace.ReadArgs{Path: name})
		require.NoError(t, err)
		got.Content += "\n" + read.Content
	}
	return got
}
