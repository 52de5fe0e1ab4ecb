package fuzz

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

// FuzzStream: a document that arrives in pieces, whatever they are, is read as
// the lenient reading reads the whole, with the faults of the strict one; and a
// fault that is told before the end is there at the end, so that a good document
// has none on the way.
func FuzzStream(f *testing.F) {
	seed := func(text string) {
		f.Add(text, uint8(0))
		f.Add(text, uint8(7))
	}
	eachDocument(f, seed)
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		if len(text) > 1<<13 {
			text = text[:1<<13]
		}
		var s grammar.Stream
		for at := 0; at < len(text); {
			n := min(int(size)+1, len(text)-at)
			if _, err := s.Write([]byte(text[at : at+n])); err != nil {
				t.Fatal(err)
			}
			at += n
		}
		early := s.Faults()
		err := s.Close()
		lenient, complete := grammar.ParsePrefix(text)
		if complete != (err == nil) || err == nil && len(early) > 0 {
			t.Fatalf("%q by %d: complete: %v, but the stream says %v, and before %v", text, size, complete, err, early)
		}
		if diff := cmp.Diff(lenient, s.Document(), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q by %d: lenient reading and stream differ (-lenient +stream):\n%s", text, size, diff)
		}
		_, strict := grammar.Parse(text)
		var want, got hashline.Diagnostics
		errors.As(strict, &want)
		errors.As(err, &got)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q by %d: faults (-Parse +stream):\n%s", text, size, diff)
		}
	})
}
