package snapshot

import (
	"fmt"

	"github.com/cespare/xxhash/v2"

	"github.com/hashline-go/hashline/hashline"
)

// Scheme says how the tag of a text is computed (spec 3). It is a setting of
// the workspace and never guessed. A Scheme that [ParseScheme] does not accept,
// such as the zero Scheme, computes as [XXH64] does.
type Scheme string

const (
	// XXH64 is the low 16 bits of XXH64 with seed 0, the default.
	XXH64 Scheme = "xxh64"
	// Rho is the low 16 bits of FNV-1a with 32 bits, the tags that Rho prints.
	Rho Scheme = "rho"
)

// ParseScheme reads the name of a scheme. Any other text is refused with a
// [hashline.BadArgument] diagnostic.
func ParseScheme(s string) (Scheme, error) {
	switch scheme := Scheme(s); scheme {
	case XXH64, Rho:
		return scheme, nil
	}
	return "", &hashline.Diagnostic{
		Code: hashline.BadArgument,
		Msg:  fmt.Sprintf("there is no tag scheme %.40q", s),
		Hint: "use xxh64 or rho",
	}
}

// Tag gives the tag of a text, byte-order mark included (spec 3). Blanks at the
// ends of lines and of the text do not count. It does not allocate, and its time
// grows with the length of the text alone.
func (s Scheme) Tag(text []byte) hashline.Tag {
	if s == Rho {
		return hashline.Tag(sum32(text))
	}
	return hashline.Tag(Sum64(text))
}

// tagOf is Tag of a text whose sum may be known.
func (s Scheme) tagOf(t *Text) hashline.Tag {
	if s == Rho {
		return s.Tag(t.Bytes())
	}
	return hashline.Tag(t.Sum())
}

// Sum64 gives XXH64 with seed 0 of what [Scheme.Tag] hashes: the text without
// blanks at the ends of lines and of the text. A session keeps it behind every
// tag it has shown, whatever the scheme, since 16 bits collide (spec 3).
func Sum64(text []byte) uint64 {
	run, rest := cutRun(text)
	if len(rest) == 0 {
		return xxhash.Sum64(run)
	}
	var d xxhash.Digest
	d.Reset()
	for {
		// A Digest never fails.
		_, _ = d.Write(run)
		if len(rest) == 0 {
			return d.Sum64()
		}
		run, rest = cutRun(rest)
	}
}

// sum32 is FNV-1a with 32 bits of what Sum64 hashes.
func sum32(text []byte) uint32 {
	h := uint32(fnvStart)
	for {
		run, rest := cutRun(text)
		h = addFNV(h, run)
		if len(rest) == 0 {
			return h
		}
		text = rest
	}
}

const fnvStart = 2166136261

func addFNV(h uint32, p []byte) uint32 {
	for _, c := range p {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
