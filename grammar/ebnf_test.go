package grammar_test

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/grammar"
)

var update = flag.Bool("update", false, "rewrite testdata/grammar.ebnf")

// TestEBNF keeps the printed grammar, which the README quotes, as a golden file.
func TestEBNF(t *testing.T) {
	const file = "testdata/grammar.ebnf"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(grammar.EBNF()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), grammar.EBNF()); diff != "" {
		t.Errorf("the grammar differs from %s; run go test -update (-want +got):\n%s", file, diff)
	}
}
