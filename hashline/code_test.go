package hashline_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// Each code that is declared is in one list, with its meaning.
func TestEveryCodeIsInAList(t *testing.T) {
	listed := map[string]int{}
	for _, list := range [][]hashline.Code{hashline.Codes(), hashline.SyntaxCodes(), hashline.WarningCodes()} {
		for _, c := range list {
			listed[string(c)]++
			require.NotEmpty(t, c.Meaning(), c)
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, 0)
	require.NoError(t, err)
	declared := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "Code" {
			return true
		}
		for _, v := range spec.Values {
			text, err := strconv.Unquote(v.(*ast.BasicLit).Value)
			require.NoError(t, err)
			require.Equal(t, 1, listed[text], "%s", text)
			declared++
		}
		return true
	})
	require.Equal(t, len(listed), declared)
}
