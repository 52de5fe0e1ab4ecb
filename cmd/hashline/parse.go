package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

func (a *app) parseCommand() *cobra.Command {
	var lenient bool
	cmd := &cobra.Command{
		Use:     "parse [FILE] [--lenient]",
		Short:   "Print a document, or its faults, as JSON.",
		GroupID: groupDocuments,
		Long: `Reads a document from FILE or from standard input and writes one line:

  {"ok":true,"sections":[{"path","tag","ops"}]}
  {"ok":false,"code","diagnostics":[{"code","line","column","message","hint"}]}

An operation is {"op":"replace","start","end","body"}, {"op":"delete","start","end"},
{"op":"insert_before","line","body"} or {"op":"insert_after","line","body"}, whose
line is null for the end of the file. The exit status is 1 where ok is false.`,
		Example: `  hashline parse < change.txt
  hashline parse --lenient < half-a-change.txt`,
		Args: wants(0, 1, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			text, _, err := a.document(args)
			if err != nil {
				return err
			}
			if err := inJSON(text); err != nil {
				a.json(unparsed(err))
				return &failure{status: statusRefused}
			}
			if lenient {
				doc, _ := grammar.ParsePrefix(text)
				a.json(parsed(doc))
				return nil
			}
			doc, err := grammar.Parse(text)
			if err != nil {
				a.json(unparsed(err))
				return &failure{status: statusRefused}
			}
			a.json(parsed(doc))
			return nil
		},
	}
	cmd.Flags().BoolVar(&lenient, "lenient", false, "keep what is complete of a document that is cut off, drop the rest")
	return cmd
}

// inJSON refuses a document that JSON cannot carry, since its encoder would put
// other characters in the place of bad bytes.
func inJSON(text string) error {
	if utf8.ValidString(text) {
		return nil
	}
	at := 0
	for {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	line := strings.LastIndexByte(text[:at], '\n') + 1
	return hashline.Diagnostics{{
		Code: hashline.BadArgument, Pos: hashline.Position{Offset: at, Line: strings.Count(text[:at], "\n") + 1, Column: at - line + 1},
		Msg: fmt.Sprintf("byte 0x%02X is not UTF-8, which JSON cannot show", text[at]), Hint: "write the document in UTF-8",
	}}
}

// json writes a value on one line.
func (a *app) json(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	must(enc.Encode(v))
	a.out.text(b.String())
}

type (
	// parsedDocument is a document in the form for programs (spec 13).
	parsedDocument struct {
		OK       bool            `json:"ok"`
		Sections []parsedSection `json:"sections"`
	}
	parsedSection struct {
		Path string `json:"path"`
		Tag  string `json:"tag"`
		Ops  []any  `json:"ops"`
	}
	spanOp struct {
		Op    string   `json:"op"`
		Start int      `json:"start"`
		End   int      `json:"end"`
		Body  []string `json:"body,omitempty"`
	}
	insertOp struct {
		Op   string   `json:"op"`
		Line *int     `json:"line"`
		Body []string `json:"body"`
	}
	// unparsedDocument holds the faults of a document.
	unparsedDocument struct {
		OK          bool          `json:"ok"`
		Code        hashline.Code `json:"code"`
		Diagnostics []parsedFault `json:"diagnostics"`
	}
	parsedFault struct {
		Code    hashline.Code `json:"code"`
		Line    int           `json:"line"`
		Column  int           `json:"column"`
		Message string        `json:"message"`
		Hint    string        `json:"hint"`
	}
)

func parsed(doc *hashline.Document) parsedDocument {
	out := parsedDocument{OK: true, Sections: []parsedSection{}}
	for _, s := range doc.Sections {
		ops := []any{}
		for _, o := range s.Ops {
			ops = append(ops, parsedOp(o))
		}
		out.Sections = append(out.Sections, parsedSection{Path: s.Path, Tag: s.Tag.String(), Ops: ops})
	}
	return out
}

func parsedOp(o hashline.Op) any {
	switch o.Kind {
	case hashline.Replace, hashline.Delete:
		return spanOp{o.Kind.String(), o.Span.First, o.Span.Last, o.Body}
	case hashline.Append:
		return insertOp{hashline.InsertAfter.String(), nil, o.Body}
	}
	return insertOp{o.Kind.String(), &o.Span.First, o.Body}
}

func unparsed(err error) unparsedDocument {
	var faults hashline.Diagnostics
	if !errors.As(err, &faults) {
		faults = hashline.Diagnostics{{Code: hashline.Syntax, Msg: err.Error()}}
	}
	out := unparsedDocument{Code: hashline.Syntax}
	if code := faults[0].Code; !code.IsSyntax() {
		out.Code = code
	}
	for _, d := range faults {
		out.Diagnostics = append(out.Diagnostics, parsedFault{d.Code, d.Pos.Line, d.Pos.Column, d.Msg, d.Hint})
	}
	return out
}
