package main

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot"
)

// Whatever the size is said to be, all is read, and the tag, or the refusal, is
// that of the whole.
func TestTaggerReads(t *testing.T) {
	utf16 := "\xFF\xFEa\x00\n\x00"
	for _, scheme := range []snapshot.Scheme{snapshot.XXH64, snapshot.Rho} {
		g := tagger{scheme: scheme}
		for _, text := range []string{"", "x", "a \nb", strings.Repeat("line \r\n", 100_000), strings.Repeat("é", 300_000), "a\x00b", "\xFF", "\uFEFFx", utf16, utf16 + "x"} {
			for _, size := range []int64{0, 3, int64(len(text)), int64(len(text)) + 5} {
				want, wantErr := snapshot.Decode([]byte(text))
				got, err := g.read(strings.NewReader(text), size)
				if wantErr != nil {
					require.ErrorIs(t, err, hashline.NotText)
					if size == int64(len(text)) {
						require.EqualError(t, err, wantErr.Error())
					}
					continue
				}
				require.NoError(t, err)
				require.Equal(t, scheme.Tag(want.Bytes()), got, "%.10q", text)
			}
		}
	}
	var g tagger
	_, err := g.read(failingFile{}, 1)
	require.Error(t, err)
}

type failingFile struct{}

func (failingFile) Read([]byte) (int, error)          { return 0, errors.New("no") }
func (failingFile) ReadAt([]byte, int64) (int, error) { return 0, errors.New("no") }

// forever is a file that never ends.
type forever struct{}

func (forever) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func (e forever) ReadAt(p []byte, _ int64) (int, error) { return e.Read(p) }

// Tagging takes little memory, however large the files are, and stops.
func TestTaggerMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	g := tagger{scheme: snapshot.XXH64}
	text := bytes.Repeat([]byte("a line of text\n"), 2<<20)
	runtime.ReadMemStats(&before)
	for range 3 {
		_, err := g.read(bytes.NewReader(text), int64(len(text)))
		require.NoError(t, err)
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(2<<20))
	for _, size := range []int64{1, workspace.MaxFile + 1} {
		_, err := g.read(forever{}, size)
		var d *hashline.Diagnostic
		require.ErrorAs(t, err, &d)
		require.Equal(t, hashline.TooLarge, d.Code)
	}
}
