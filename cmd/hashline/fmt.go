package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot"
)

func (a *app) fmtCommand() *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:     "fmt [FILE] [-w]",
		Short:   "Print a document in canonical form.",
		GroupID: groupDocuments,
		Long: `Reads a document from FILE or from standard input and prints it without wrappers
and blank lines, with upper-case keywords and tags and spans as N or N.=M. It means
the same. Faults of syntax go to standard error, FILE:LINE:COLUMN: code: message,
and the exit status is 1. The files that the document names are not looked at.

With -w the file is written as "hashline write" does: all of it or nothing, and
only where its tag is still that of what was read.`,
		Example: `  hashline fmt change.txt
  hashline fmt -w change.txt`,
		Args: wants(0, 1, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if write && (len(args) == 0 || args[0] == "-") {
				return usagef("-w needs a FILE")
			}
			text, name, err := a.document(args)
			if err != nil {
				return err
			}
			doc, err := grammar.Parse(text)
			if err != nil {
				return a.syntaxFaults(name, err)
			}
			canonical := doc.String()
			switch {
			case !write:
				a.out.text(canonical)
			case canonical != text:
				return a.rewrite(cmd.Context(), name, text, canonical)
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the result to FILE instead")
	return cmd
}

// syntaxFaults prints faults in the form that editors jump to.
func (a *app) syntaxFaults(name string, err error) error {
	var faults hashline.Diagnostics
	if !errors.As(err, &faults) {
		return &failure{statusRefused, err.Error()}
	}
	var b strings.Builder
	for _, d := range faults {
		b.WriteString(name + ":")
		if d.Pos.IsValid() {
			fmt.Fprintf(&b, "%d:%d:", d.Pos.Line, d.Pos.Column)
		}
		fmt.Fprintf(&b, " %s: %s", d.Code, d.Msg)
		if d.Hint != "" {
			b.WriteString("; " + d.Hint)
		}
		b.WriteByte('\n')
	}
	a.err.text(b.String())
	return &failure{status: statusRefused}
}

// rewrite puts a text in the place of the one that was read from a file, in a
// workspace of the file's folder: so it is locked and written as all files are.
func (a *app) rewrite(ctx context.Context, name, old, text string) error {
	if err := a.permitted(name); err != nil {
		return err
	}
	// A symbolic link stays one, and may lead to another folder.
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return badFile(name, err)
	}
	w, err := workspace.Open(filepath.Dir(real), workspace.Config{
		ReadOnly: a.readOnly, AllowGit: true, NoSync: a.noSync, HardLinks: workspace.HardLinks(a.hardLinks.value),
	})
	if err != nil {
		return err
	}
	defer w.Close()
	ctx, done := a.hold(ctx)
	defer done()
	_, err = w.Session(workspace.SessionConfig{}).Write(ctx, workspace.WriteArgs{
		Path: filepath.Base(real), Content: text, Expect: snapshot.XXH64.Tag([]byte(old)).String(),
	})
	return err
}
