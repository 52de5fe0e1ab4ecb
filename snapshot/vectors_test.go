package snapshot_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/snapshot"
)

func TestTagVectors(t *testing.T) {
	for _, v := range hashlinetest.Vectors(t, "tag") {
		for scheme, want := range map[snapshot.Scheme]string{
			snapshot.Rho: v.Expect.TagRho, snapshot.XXH64: v.Expect.TagXXH64, "": v.Expect.TagXXH64,
		} {
			if got := scheme.Tag(v.Text).String(); got != want {
				t.Errorf("%s (%s), scheme %q: got %s, want %s", v.ID, v.Note, scheme, got, want)
			}
		}
	}
}

// snapshotOf takes a vector's text as a snapshot, with the tags of the vectors.
func snapshotOf(t *testing.T, path string, text []byte) snapshot.Snapshot {
	t.Helper()
	decoded, err := snapshot.Decode(text)
	require.NoError(t, err)
	return snapshot.Take(path, snapshot.Rho, decoded)
}

func fill(text, placeholder string, s snapshot.Snapshot) string {
	return strings.ReplaceAll(text, placeholder, s.Tag.String())
}

func orDefault(n *int, other int) int {
	if n == nil {
		return other
	}
	return *n
}

func TestViewVectors(t *testing.T) {
	for _, v := range hashlinetest.Vectors(t, "view") {
		t.Run(v.ID, func(t *testing.T) {
			if v.Expect.Code == hashline.NotText {
				_, err := snapshot.Decode(v.Text)
				require.ErrorIs(t, err, hashline.NotText)
				return
			}
			s := snapshotOf(t, v.Path, v.Text)
			got, err := s.Read(orDefault(v.Offset, 1), orDefault(v.Limit, math.MaxInt), 0)
			if !v.Expect.OK {
				require.ErrorIs(t, err, v.Expect.Code)
				return
			}
			require.NoError(t, err)
			if diff := cmp.Diff(fill(v.Expect.Output, "{TAG}", s), got.Text); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

func TestChainVectors(t *testing.T) {
	for _, v := range hashlinetest.Vectors(t, "chain") {
		t.Run(v.ID, func(t *testing.T) {
			s := snapshotOf(t, v.Path, v.Text)
			want := fill(v.Expect.Output, "{TAG}", s)
			if diff := cmp.Diff(want, s.Live(v.Focus, 0).Text); diff != "" {
				t.Fatal(diff)
			}
			if len(v.Focus) == 0 {
				if diff := cmp.Diff(want, s.Chain(0).Text); diff != "" {
					t.Fatal(diff)
				}
			}
		})
	}
}

// TestLiveVectors takes the anchors from the operation lines of the documents.
func TestLiveVectors(t *testing.T) {
	checked := 0
	for _, v := range hashlinetest.Vectors(t, "apply") {
		if v.Expect.Snapshot == "" {
			continue
		}
		checked++
		s := snapshotOf(t, v.Path, v.Text)
		if diff := cmp.Diff(fill(v.Expect.Snapshot, "{TAG}", s), s.Live(anchorsOf(string(v.Doc)), 0).Text); diff != "" {
			t.Errorf("%s (%s):\n%s", v.ID, v.Note, diff)
		}
	}
	require.Greater(t, checked, 20)
}

var opLine = regexp.MustCompile(`(?i)^[\s\x{feff}]*(?:PUT|CUT)\s*[<>]?\s*(\d+)\s*(?:(?:\.=|\.\.|-)\s*(\d+))?\s*:?\s*$`)

func anchorsOf(doc string) []int {
	var anchors []int
	for line := range strings.SplitSeq(doc, "\n") {
		for i, number := range opLine.FindStringSubmatch(line) {
			if i > 0 && number != "" {
				n, err := strconv.Atoi(number)
				if err != nil {
					n = hashline.MaxLine
				}
				anchors = append(anchors, n)
			}
		}
	}
	return anchors
}
