package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
)

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "check [FILE]",
		Short:   "Tell whether a document would apply, without writing.",
		GroupID: groupDocuments,
		Long: `Reads a document from FILE or from standard input and checks it against the files
as they are now. Exit status 0 and a line for each file mean that "hashline edit"
would apply it; 1 means that it would be refused, and why stands on standard error.

"hashline edit --dry-run" makes the same checks and shows the change as a diff.
"hashline fmt" looks at the document alone.`,
		Example: `  hashline check change.txt && hashline edit change.txt`,
		Args:    wants(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, _, err := a.document(args)
			if err != nil {
				return err
			}
			res, err := a.call(cmd.Context(), func(ctx context.Context, w *workspace.Workspace) (*workspace.Result, error) {
				return w.Check(ctx, text)
			})
			if err != nil {
				return err
			}
			doc, err := grammar.Parse(text)
			if err != nil {
				return err
			}
			a.out.text(verdict(doc, res.Files))
			for _, d := range res.Warnings {
				a.err.text("warning: " + d.Error() + "\n")
			}
			return nil
		},
	}
}

// verdict has a line for each section of a document. changes holds the files
// that would change, in the order of the document.
func verdict(doc *hashline.Document, changes []workspace.FileChange) string {
	text := ""
	for _, s := range doc.Sections {
		path, err := hashline.CleanPath(s.Path)
		if err != nil {
			path = s.Path
		}
		if len(changes) > 0 && sameFile(path, changes[0].Path) {
			text += fmt.Sprintf("%s: ok, %d line(s) added, %d removed\n", changes[0].Path, changes[0].Added, changes[0].Removed)
			changes = changes[1:]
			continue
		}
		text += path + ": ok, no change\n"
	}
	return text
}

// sameFile reports whether a section's path, which may be absolute, is that of
// a change, which is relative to the root.
func sameFile(path, change string) bool {
	return path == change || filepath.IsAbs(path) && strings.HasSuffix(path, "/"+change)
}
