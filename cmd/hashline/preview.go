package main

import (
	"context"
	"io"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/hashline/workspace/card"
)

func (a *app) previewCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "preview [FILE] [--json]",
		Short:   "Show what a document would do while it still arrives.",
		GroupID: groupDocuments,
		Long: `Reads a document from FILE or from standard input and shows each operation as
soon as it is complete: its summary, the lines that it removes from the file as it
is now, and its rows, numbered as if it was the only operation. Nothing is written.

Each section ends with "verified", or with "not verified: " and why: the tag is not
that of the file, a line is out of range, the document is cut off (truncated).
Exit status 0 means that all of it is verified, so that "hashline edit" would apply
it, and 1 that it is not. What only the session refuses, since it showed the lines
under other numbers, is told at the end as edit tells it. A read-only workspace can
be looked at.

With --json each line is an object whose event is section {path, tag, line, known},
op {path, summary, line, first_removed, removed, more_removed, first_added, added,
more_added}, verdict {path, verdict, faults}, where verdict is verified, refused,
unknown or arriving (cut off), or, as the last, end {ok, truncated, faults}.`,
		Example: `  agent | hashline preview
  hashline preview --json change.txt`,
		Args: wants(0, 1, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.preview(cmd.Context(), args, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write events for programs, one JSON object a line")
	return cmd
}

// preview shows a document as it arrives.
func (a *app) preview(ctx context.Context, args []string, asJSON bool) error {
	w, err := a.open()
	if err != nil {
		return err
	}
	defer w.Close()
	c := card.New(w.Session(workspace.SessionConfig{}).Live())
	var show func()
	var refused error
	if asJSON {
		p := &jsonPreview{app: a}
		show = func() { p.next(c, refused) }
	} else {
		p := card.NewPrinter(workspace.OutputLimit)
		show = func() { a.card(p.Next(c)) }
	}
	var text []byte
	if err := a.pieces(args, func(piece []byte) bool {
		_, _ = c.Write(piece) // it is not closed
		if len(text) <= grammar.MaxBytes {
			text = append(text, piece...)
		}
		show()
		return a.out.failed == nil
	}); err != nil {
		return err
	}
	_ = c.Close() // the card tells the faults
	if c.Verified() && !a.readOnly {
		// The card knows neither the session nor its settings.
		_, refused = a.callIn(ctx, w, func(ctx context.Context, s *workspace.Session) (*workspace.Result, error) {
			return s.Check(ctx, string(text))
		})
	}
	show()
	if !c.Verified() {
		return &failure{status: statusRefused}
	}
	return refused
}

// pieces reads a document as it arrives until its end or until take returns
// false.
func (a *app) pieces(args []string, take func([]byte) bool) error {
	in, failed := a.stdin, func(err error) error { return &failure{statusFailed, "standard input: " + reason(err)} }
	if len(args) > 0 && args[0] != "-" {
		f, _, err := a.openInput(args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		in, failed = f, func(err error) error { return badFile(args[0], err) }
	} else {
		a.awaiting("the document")
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := in.Read(buf)
		if n > 0 && !take(buf[:n]) {
			return nil
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return failed(err)
		}
	}
}

// card shows a part of a card, in colour where a diff would be.
func (a *app) card(text string) {
	if !a.paints() {
		a.out.text(text)
		return
	}
	var b strings.Builder
	for line := range strings.Lines(visible(text)) {
		text, end := strings.CutSuffix(line, "\n")
		b.WriteString(paintedCard(text))
		if end {
			b.WriteByte('\n')
		}
	}
	a.out.raw(b.String())
}

// paintedCard gives a line of a card its colours.
func paintedCard(line string) string {
	style := color.Attribute(0)
	switch {
	case strings.HasPrefix(line, "["):
		style = color.Bold
	case strings.HasPrefix(line, "+"):
		style = color.FgGreen
	case strings.HasPrefix(line, "-"), strings.HasPrefix(line, "not verified: "):
		style = color.FgRed
	default:
		return line
	}
	return newColor(style).Sprint(line)
}
