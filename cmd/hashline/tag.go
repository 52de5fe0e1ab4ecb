package main

import (
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot"
)

func (a *app) tagCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "tag FILE... [--tags SCHEME]",
		Short:   "Print the tags of files.",
		GroupID: groupPrograms,
		Long: `Prints TAG  FILE for each file. Paths are those of the system; the workspace root
does not matter. What is no regular file of text gets a line on standard error
instead, and the exit status is 1.`,
		Example: `  hashline tag src/*.go
  hashline tag --tags rho src/main.go`,
		Args: wants(1, -1, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			status := statusOK
			tags := tagger{scheme: snapshot.Scheme(a.scheme.value)}
			for _, name := range args {
				tag, err := tags.tag(name)
				if err == nil {
					a.out.text(tag.String() + "  " + name + "\n")
					continue
				}
				a.err.text("hashline: " + cut(name, maxName) + ": " + reason(err) + "\n")
				status = statusRefused
			}
			if status == statusOK {
				return nil
			}
			return &failure{status: status}
		},
	}
}

// tagger computes the tags of files, one after another in the same memory.
type tagger struct {
	scheme snapshot.Scheme
	data   []byte
}

func (g *tagger) tag(name string) (hashline.Tag, error) {
	f, size, err := openRegular(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if err := g.read(f, size); err != nil {
		return 0, err
	}
	text, err := snapshot.Decode(g.data)
	if err != nil {
		return 0, err
	}
	return g.scheme.Tag(text.Bytes()), nil
}

// read reads a file of about size bytes.
func (g *tagger) read(f io.Reader, size int64) error {
	tooLarge := &hashline.Diagnostic{Code: hashline.TooLarge, Msg: "the file is larger than 1 GiB"}
	if size > workspace.MaxFile {
		return tooLarge
	}
	g.data = g.data[:0]
	enough := size < int64(cap(g.data))
	if !enough {
		g.data = nil
	}
	if size > 64<<20 {
		// What the last file left need not be there beside this one.
		runtime.GC()
	}
	if !enough {
		g.data = make([]byte, 0, size+1)
	}
	for {
		n, err := f.Read(g.data[len(g.data):cap(g.data)])
		g.data = g.data[:len(g.data)+n]
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case len(g.data) > workspace.MaxFile:
			return tooLarge
		case len(g.data) == cap(g.data):
			g.data = append(g.data, 0)[:len(g.data)]
		}
	}
}
