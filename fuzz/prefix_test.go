package fuzz

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

// FuzzPrefix: all but the last operation of the lenient reading of any prefix of
// a text are the first operations of the lenient reading of the whole; and a
// text is complete exactly when the strict parser accepts it, and then both read
// the same.
func FuzzPrefix(f *testing.F) {
	seedDocuments(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<11 {
			text = text[:1<<11]
		}
		doc, complete := grammar.ParsePrefix(text)
		strict, err := grammar.Parse(text)
		if complete != (err == nil) {
			t.Fatalf("%q: complete: %v, but the strict parser says %v", text, complete, err)
		}
		if complete {
			if diff := cmp.Diff(strict, doc); diff != "" {
				t.Fatalf("%q: strict and lenient reading differ (-strict +lenient):\n%s", text, diff)
			}
		}
		whole := flat(doc)
		// Of a long one not all.
		for cut := 0; cut < len(text); cut += 1 + len(text)/400 {
			prefix, _ := grammar.ParsePrefix(text[:cut])
			got := flat(prefix)
			if len(got) == 0 {
				continue
			}
			got = got[:len(got)-1]
			if len(got) > len(whole) {
				t.Fatalf("%q cut at %d: %d operations are sure, the whole has %d", text, cut, len(got), len(whole))
			}
			if diff := cmp.Diff(whole[:len(got)], got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%q cut at %d (-whole +prefix):\n%s", text, cut, diff)
			}
		}
	})
}

// placed is an operation with the file it is for.
type placed struct {
	Path string
	Tag  hashline.Tag
	Op   hashline.Op
}

func flat(doc *hashline.Document) []placed {
	var all []placed
	for _, s := range doc.Sections {
		for _, o := range s.Ops {
			all = append(all, placed{s.Path, s.Tag, o})
		}
	}
	return all
}
