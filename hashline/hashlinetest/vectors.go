package hashlinetest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/hashline-go/hashline/hashline"
)

// Vector is one recorded case of testdata/vectors. Its README says what each
// kind holds. Byte slices are decoded from the "_b64" members.
type Vector struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Note   string `json:"note"`
	Path   string `json:"path"`
	Text   []byte `json:"text_b64"`
	Doc    []byte `json:"doc_b64"`
	Offset *int   `json:"offset"`
	Limit  *int   `json:"limit"`
	Focus  []int  `json:"focus"`
	Files  []struct {
		Path string `json:"path"`
		Text []byte `json:"text_b64"`
	} `json:"files"`
	Expect VectorOutcome `json:"expect"`
}

// VectorOutcome is what a [Vector] expects; which members are set depends on
// the vector's kind.
type VectorOutcome struct {
	OK            bool            `json:"ok"`
	Code          hashline.Code   `json:"code"`
	TagRho        string          `json:"tag_rho"`
	TagXXH64      string          `json:"tag_xxh64"`
	Output        string          `json:"output"`
	Sections      []VectorSection `json:"sections"`
	DuplicatePath bool            `json:"duplicate_path"`
	NewText       []byte          `json:"new_text_b64"`
	Summary       *string         `json:"summary"`
	Structural    bool            `json:"structural"`
	NoChange      bool            `json:"no_change"`
	Content       string          `json:"content"`
	Snapshot      string          `json:"snapshot"`
	NewFiles      []struct {
		Path    string `json:"path"`
		NewText []byte `json:"new_text_b64"`
	} `json:"new_files"`
}

// VectorSection is a section as the vectors write it.
type VectorSection struct {
	Path string     `json:"path"`
	Tag  string     `json:"tag"`
	Ops  []VectorOp `json:"ops"`
}

// VectorOp is an operation as the vectors and "hashline parse" write it. Line
// is nil in an insert_after at the end of the file.
type VectorOp struct {
	Op    string   `json:"op"`
	Start int      `json:"start"`
	End   int      `json:"end"`
	Line  *int     `json:"line"`
	Body  []string `json:"body"`
}

// Sections gives a document in the form of the vectors.
func Sections(d *hashline.Document) []VectorSection {
	var all []VectorSection
	for _, s := range d.Sections {
		vs := VectorSection{Path: s.Path, Tag: s.Tag.String()}
		for _, o := range s.Ops {
			vo := VectorOp{Op: o.Kind.String(), Body: o.Body}
			switch o.Kind {
			case hashline.Replace, hashline.Delete:
				vo.Start, vo.End = o.Span.First, o.Span.Last
			case hashline.Append:
				vo.Op = "insert_after"
			default:
				vo.Line = &o.Span.First
			}
			vs.Ops = append(vs.Ops, vo)
		}
		all = append(all, vs)
	}
	return all
}

// Vectors loads the vectors of the given kinds, all of them where none is
// given. It fails the test when there is none.
func Vectors(tb testing.TB, kinds ...string) []Vector {
	tb.Helper()
	want := map[string]bool{}
	for _, k := range kinds {
		want[k] = true
	}
	var some []Vector
	for _, v := range lines[Vector](tb, "vectors/cases.ndjson") {
		if len(kinds) == 0 || want[v.Kind] {
			some = append(some, v)
		}
	}
	if len(some) == 0 {
		tb.Fatalf("no vectors of the kinds %q", kinds)
	}
	return some
}

// FillTags puts tags in the place of the placeholders of a vector's document:
// "@@@@" the live tag and "%%%%" a wrong one of the only file, "@@@n" and
// "%%%n" those of the n-th file. The tags are given in the order of the files.
func FillTags(doc string, live ...hashline.Tag) string {
	var pairs []string
	for i, tag := range live {
		n := strconv.Itoa(i + 1)
		pairs = append(pairs, "@@@"+n, tag.String(), "%%%"+n, (tag ^ 0xFFFF).String())
	}
	if len(live) == 1 {
		pairs = append(pairs, "@@@@", live[0].String(), "@@lc", strings.ToLower(live[0].String()), "%%%%", (live[0] ^ 0xFFFF).String())
	}
	return strings.NewReplacer(pairs...).Replace(doc)
}
