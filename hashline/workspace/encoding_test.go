package workspace

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/apply/applytest"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/search"
	"github.com/hashline-go/hashline/snapshot"
)

// as16 writes a text as a UTF-16 file.
func as16(text string, order binary.AppendByteOrder) string {
	out := order.AppendUint16(nil, 0xFEFF)
	for _, unit := range utf16.Encode([]rune(strings.TrimPrefix(text, "\uFEFF"))) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

// outcome is all that a call tells, but for what it costs.
type outcome struct {
	Content string
	Code    hashline.Code
	Files   []File
}

func outcomeOf(res *Result, err error) outcome {
	var r *Refusal
	if errors.As(err, &r) {
		return outcome{Content: r.Content, Code: r.Code()}
	}
	return outcome{Content: res.Content, Files: success(res).Files}
}

// TestEncodingsAgree makes the same calls on one text as UTF-8 with a byte-order
// mark and as UTF-16 of both orders, each in a workspace of its own. Every answer
// is the same, diffs and tags included, and the files stay each other's
// transcoding.
func TestEncodingsAgree(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	ctx := context.Background()
	dirs := map[string]*Session{"utf-8": open(t, nil), "little": open(t, nil), "big": open(t, nil)}
	encode := map[string]func(string) string{
		"utf-8":  func(text string) string { return "\uFEFF" + strings.TrimPrefix(text, "\uFEFF") },
		"little": func(text string) string { return as16(text, binary.LittleEndian) },
		"big":    func(text string) string { return as16(text, binary.BigEndian) },
	}
	for _, w := range dirs {
		w.store.NoSync = true
	}
	edited := 0
	for range 100 {
		text := applytest.Text(r)
		marked := encode["utf-8"](text)
		tag := snapshot.XXH64.Tag([]byte(marked))
		ops := applytest.Valid(r, marked)
		if len(ops) == 0 {
			continue
		}
		doc := hashline.Document{Sections: []hashline.Section{{Path: "f", Tag: tag, Ops: ops}}}
		content := applytest.Text(r)
		calls := []func(w *Session) (*Result, error){
			func(w *Session) (*Result, error) { return w.Read(ctx, ReadArgs{Path: "f"}) },
			func(w *Session) (*Result, error) { return w.Check(ctx, doc.String()) },
			func(w *Session) (*Result, error) { return w.Edit(ctx, doc.String()) },
			func(w *Session) (*Result, error) {
				return w.Grep(ctx, search.Query{Pattern: "[ab]", Context: 1})
			},
			func(w *Session) (*Result, error) { return w.Write(ctx, WriteArgs{Path: "f", Content: content}) },
			func(w *Session) (*Result, error) {
				return w.Write(ctx, WriteArgs{Path: "f", Content: "", Expect: tag.String()})
			},
		}
		for name, w := range dirs {
			put(t, w.dir+"/f", encode[name](text))
		}
		for i, call := range calls {
			want := outcomeOf(call(dirs["utf-8"]))
			after := onDisk(t, dirs["utf-8"], "f")
			if i == 2 && want.Code == "" {
				edited++
			}
			for _, name := range []string{"little", "big"} {
				got := outcomeOf(call(dirs[name]))
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("call %d (-utf-8 +%s):\n%s", i, name, diff)
				}
				require.Equal(t, encode[name](after), onDisk(t, dirs[name], "f"), "call %d", i)
			}
		}
	}
	require.Greater(t, edited, 20)
}

// TestForeignWriterOfUTF16: what the bytes on disk are compared with are those of
// the file, so that a change by somebody else is noticed.
func TestForeignWriterOfUTF16(t *testing.T) {
	w := open(t, map[string]string{"f": as16("a\nb\n", binary.LittleEndian)})
	tag := snapshot.XXH64.Tag([]byte("\uFEFFa\nb\n"))
	put(t, w.dir+"/f", as16("a\nb\n", binary.BigEndian))
	ctx := context.Background()
	// The other byte order is another file with the same text: its bytes count.
	_, err := w.Edit(ctx, "[f#"+tag.String()+"]\nPUT 2:\n+c\n")
	require.NoError(t, err)
	require.Equal(t, as16("a\nc\n", binary.BigEndian), onDisk(t, w, "f"))
	put(t, w.dir+"/f", as16("a\nB\n", binary.BigEndian))
	_, err = w.Edit(ctx, "[f#"+tag.String()+"]\nPUT 2:\n+c\n")
	require.ErrorIs(t, err, hashline.StaleTag)
}

func TestWriteRefusesWhatIsNoUTF8(t *testing.T) {
	w := open(t, map[string]string{"f": "a\n"})
	for _, content := range []string{as16("a\n", binary.LittleEndian), as16("", binary.BigEndian), "a\x00", "\xe9"} {
		for _, path := range []string{"f", "new"} {
			_, err := w.Write(context.Background(), WriteArgs{Path: path, Content: content})
			require.ErrorIs(t, err, hashline.NotText)
			require.ErrorContains(t, err, "the content is not text in UTF-8")
		}
	}
	require.Equal(t, "a\n", onDisk(t, w, "f"))
}
