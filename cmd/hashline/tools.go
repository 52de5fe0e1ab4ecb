package main

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline/workspace"
)

func (a *app) toolsCommand() *cobra.Command {
	var text bool
	cmd := &cobra.Command{
		Use:     "tools [--text]",
		Short:   "Print the tools and the schemas of their arguments.",
		GroupID: groupPrograms,
		Long: `Prints a JSON array of {"name","description","input_schema"}, as programs that
offer the tools to a model want it; with --text a listing for people.`,
		Example: `  hashline tools | jq -r '.[].name'
  hashline tools --text`,
		Args: wants(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if text {
				a.out.raw(listing(workspace.Tools()))
				return nil
			}
			a.out.raw(toolsJSON(workspace.Tools()))
			return nil
		},
	}
	cmd.Flags().BoolVar(&text, "text", false, "a listing for people")
	return cmd
}

func toolsJSON(tools []workspace.Tool) string {
	type entry struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"input_schema"`
	}
	var list []entry
	for _, t := range tools {
		list = append(list, entry{t.Name, t.Description, t.Schema()})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	must(enc.Encode(list))
	return b.String()
}

func listing(tools []workspace.Tool) string {
	var b strings.Builder
	for i, t := range tools {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(t.Name + "\n\n" + indent(t.Description) + "\n\n")
		for _, p := range t.Params {
			what := p.Type
			if !p.Required {
				what += ", optional"
			}
			b.WriteString("  " + p.Name + " (" + what + "): " + p.Doc + "\n")
		}
	}
	return b.String()
}
