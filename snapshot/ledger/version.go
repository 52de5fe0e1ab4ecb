package ledger

import (
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// Version is one text of a file with its full identity (spec 3): two texts are
// the same when their Sum and Lines are, whatever the scheme of the tag.
type Version struct {
	// Tag is what the agent is shown.
	Tag hashline.Tag
	// Sum is [snapshot.Sum64] of the text.
	Sum uint64
	// Lines is the number of lines.
	Lines int
	// Text is the text itself, which the ledger may keep. It may be nil where
	// the caller does not have it; then less can be told.
	Text *snapshot.Text
}

// VersionOf gives the identity of a text. Under [snapshot.XXH64] the tag is a part
// of it, so that a text whose tag was taken is not hashed again.
func VersionOf(scheme snapshot.Scheme, t *snapshot.Text) Version {
	v := Version{Sum: t.Sum(), Lines: t.Lines(), Text: t}
	if v.Tag = hashline.Tag(v.Sum); scheme == snapshot.Rho {
		v.Tag = scheme.Tag(t.Bytes())
	}
	return v
}

// Same reports whether two versions are one text, but for blanks at the ends of
// its lines.
func (v Version) Same(w Version) bool { return v.id() == w.id() }

func (v Version) id() ident { return ident{v.Sum, v.Lines} }

// Live is the live text of a file.
type Live struct {
	Path string
	Version
}

// ident is the identity of a text.
type ident struct {
	sum   uint64
	lines int
}
