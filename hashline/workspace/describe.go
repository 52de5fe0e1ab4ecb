package workspace

import (
	_ "embed"
	"strings"
	"sync"
)

// agentText is all that agents are told of the tools: sections under lines "# name",
// in the order in which they are read. README quotes some.
//
//go:embed agent.md
var agentText string

// sections are the parts of the text by name. Descriptions of tools are asked for
// in each call.
var sections = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for part := range strings.SplitSeq("\n"+agentText, "\n# ") {
		name, text, _ := strings.Cut(part, "\n")
		all[name] = strings.TrimSpace(text)
	}
	for name, text := range all {
		all[name] = strings.ReplaceAll(text, "{format}", all["format"])
	}
	return all
})

// describe gives the description of a tool. It stands alone, since some clients
// never show a server's instructions, and stays under 4,000 characters (spec 14).
func describe(tool string) string { return sections()[tool] }

// Instructions says in a few sentences what the tools are for and how they go
// together.
func Instructions() string { return sections()["instructions"] }

// Format says how documents are written.
func Format() string { return sections()["format"] }

// Prompt is all that an agent has to know of the tools and their arguments, as
// part of a system prompt in Markdown.
func Prompt() string {
	var b strings.Builder
	b.WriteString("# Reading and editing files\n\n" + Instructions() + "\n")
	for _, t := range Tools() {
		b.WriteString("\n## " + t.Name + "\n\n" + t.Description + "\n\nArguments:\n\n")
		for _, p := range t.Params {
			what := p.Type
			if !p.Required {
				what += ", optional"
			}
			b.WriteString("- " + p.Name + " (" + what + "): " + p.Doc + "\n")
		}
	}
	return b.String()
}
