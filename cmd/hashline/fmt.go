package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
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
and the exit status is 1. The files that the document names are not looked at.`,
		Example: `  hashline fmt change.txt
  hashline fmt -w change.txt`,
		Args: wants(0, 1, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
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
				if err := rewrite(name, canonical); err != nil {
					return &failure{statusFailed, name + ": " + reason(err)}
				}
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

// rewrite puts a text in the place of a file's. A reader sees the old text or
// the new one.
func rewrite(name, text string) error {
	// A symbolic link stays one.
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".hashline-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
