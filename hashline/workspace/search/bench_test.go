package search_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
	"github.com/hashline-go/hashline/hashline/workspace/search"
)

// BenchmarkRun searches the source of the Go distribution.
func BenchmarkRun(b *testing.B) {
	root, err := os.OpenRoot(hashlinetest.GoSource(b))
	require.NoError(b, err)
	defer root.Close()
	tag := func(text []byte) hashline.Tag { return hashline.Tag(len(text)) }
	for _, bench := range []struct {
		name string
		q    search.Query
	}{
		{"pattern=literal", search.Query{Pattern: "ErrUnexpectedEOF"}},
		{"pattern=fold", search.Query{Pattern: "errunexpectedeof"}},
		{"pattern=func", search.Query{Pattern: `^func \w+Reader\(`}},
		{"pattern=alternation", search.Query{Pattern: `panic\(|recover\(`}},
		{"pattern=classes", search.Query{Pattern: `[a-z]+[0-9]+_[A-Z]+`}},
		{"pattern=everything", search.Query{Pattern: `.`}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				r, err := search.Run(context.Background(), root, gitignore.User{}, bench.q, tag, nil)
				require.NoError(b, err)
				require.NotZero(b, r.Matches)
				require.Empty(b, r.Stopped)
			}
		})
	}
}
