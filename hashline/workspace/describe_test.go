package workspace

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

// Some clients cut what is longer, and some show descriptions alone.
func TestDescriptionsStandAlone(t *testing.T) {
	const most = 4000
	require.Less(t, utf8.RuneCountInString(Instructions()), most)
	require.NotContains(t, agentText, "\r")
	names := 0
	for _, tool := range Tools() {
		require.Less(t, utf8.RuneCountInString(tool.Description), most, tool.Name)
		require.NotContains(t, tool.Description, "{", tool.Name)
		require.Contains(t, Prompt(), tool.Description)
		names++
	}
	require.Equal(t, names+2, strings.Count("\n"+agentText, "\n# "), "a section that nobody reads")
	for _, said := range []string{"one document", "in one batch", "Read the file again only for rows that were not shown", "as it was shown under TAG", "new numbers", Format()} {
		edit, _ := FindTool("edit")
		require.Contains(t, edit.Description, said)
	}
}

// The example of a document is one, and it has every operation.
func TestExampleOfTheFormat(t *testing.T) {
	_, example, ok := strings.Cut(Format(), "\n\n")
	require.True(t, ok)
	example, _, _ = strings.Cut(example, "\n\n")
	doc, err := grammar.Parse(example)
	require.NoError(t, err)
	seen := map[hashline.Kind]bool{}
	for _, op := range doc.Sections[0].Ops {
		seen[op.Kind] = true
	}
	require.Len(t, seen, 5)
}
