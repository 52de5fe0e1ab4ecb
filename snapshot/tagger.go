package snapshot

import (
	"github.com/cespare/xxhash/v2"

	"github.com/hashline-go/hashline/hashline"
)

// Tagger computes the tag of a text that comes in pieces (spec 3). A copy of it
// goes its own way: what two texts have in common at their beginning needs to be
// hashed once.
type Tagger struct {
	scheme Scheme
	// now is the hash of all of the text, kept that of the text without the
	// blanks at its end, where it has some.
	now, kept hashes
	blanks    bool
}

// hashes is the state of the scheme's hash.
type hashes struct {
	xx  xxhash.Digest
	fnv uint32
}

// Tagger begins a text.
func (s Scheme) Tagger() Tagger {
	t := Tagger{scheme: s, now: hashes{fnv: fnvStart}}
	t.now.xx.Reset()
	return t
}

func (t *Tagger) add(p []byte) {
	if t.scheme == Rho {
		t.now.fnv = addFNV(t.now.fnv, p)
	}
	_, _ = t.now.xx.Write(p) // never fails
}

// Write takes the next piece of the text. It never fails.
func (t *Tagger) Write(p []byte) (int, error) {
	n := len(p)
	if t.blanks {
		i := 0
		for i < len(p) && isBlank(p[i]) {
			i++
		}
		if i == len(p) {
			t.add(p)
			return n, nil
		}
		if p[i] == '\n' {
			t.now, p = t.kept, p[i:]
		}
		t.blanks = false
	}
	end := len(p)
	for end > 0 && isBlank(p[end-1]) {
		end--
	}
	for text := p[:end]; len(text) > 0; {
		var run []byte
		run, text = cutRun(text)
		t.add(run)
	}
	if end < len(p) {
		t.kept, t.blanks = t.now, true
		t.add(p[end:])
	}
	return n, nil
}

// Tag gives the tag of what was written so far.
func (t *Tagger) Tag() hashline.Tag {
	if t.scheme == Rho {
		return hashline.Tag(t.end().fnv)
	}
	return hashline.Tag(t.Sum64())
}

// Sum64 gives [Sum64] of what was written so far.
func (t *Tagger) Sum64() uint64 { return t.end().xx.Sum64() }

func (t *Tagger) end() *hashes {
	if t.blanks {
		return &t.kept
	}
	return &t.now
}
