package main

import (
	"errors"
	"io"

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
does not matter, but that --deny and --allow apply below it. What is no regular
file of text gets a line on standard error instead, and the exit status is 1.`,
		Example: `  hashline tag src/*.go
  hashline tag --tags rho src/main.go`,
		Args: wants(1, -1, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			permit, err := a.permits()
			if err != nil {
				return err
			}
			status := statusOK
			tags := tagger{scheme: snapshot.Scheme(a.scheme.value)}
			for _, name := range args {
				var tag hashline.Tag
				err := permit(name)
				if err == nil {
					tag, err = tags.tag(name)
				}
				if err == nil {
					a.out.text(tag.String() + "  " + name + "\n")
					continue
				}
				if d, ok := errors.AsType[*hashline.Diagnostic](err); ok {
					d.Path = "" // it is said before
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
	piece  []byte
}

func (g *tagger) tag(name string) (hashline.Tag, error) {
	f, size, err := openRegular(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return g.read(f, size)
}

// openFile is what is read of a file.
type openFile interface {
	io.Reader
	io.ReaderAt
}

// read tags a file of about size bytes.
func (g *tagger) read(f openFile, size int64) (hashline.Tag, error) {
	if size > workspace.MaxFile {
		return 0, tooLarge()
	}
	head := make([]byte, 2)
	if n, _ := f.ReadAt(head, 0); snapshot.Marked16(head[:n]) {
		return g.tag16(f, size)
	}
	if g.piece == nil {
		g.piece = make([]byte, 256<<10)
	}
	scan := snapshot.NewScan(g.scheme, snapshot.PageSize)
	for read := int64(0); ; {
		n, err := io.ReadFull(f, g.piece)
		if read += int64(n); read > workspace.MaxFile {
			return 0, tooLarge()
		}
		_, bad := scan.Write(g.piece[:n])
		if bad == nil && err == nil {
			continue
		}
		if bad == nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return 0, err
		}
		if _, err := scan.Text(f); err != nil {
			return 0, scan.NotText(f, int(max(read, size)))
		}
		tag := scan.Tagger()
		return tag.Tag(), nil
	}
}

// tag16 holds the file, since the tag is that of the text as UTF-8.
func (g *tagger) tag16(f io.Reader, size int64) (hashline.Tag, error) {
	data := make([]byte, 0, size+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			text, err := snapshot.Decode(data)
			if err != nil {
				return 0, err
			}
			return g.scheme.Tag(text.Bytes()), nil
		case err != nil:
			return 0, err
		case len(data) > workspace.MaxFile:
			return 0, tooLarge()
		case len(data) == cap(data):
			data = append(data, 0)[:len(data)]
		}
	}
}

func tooLarge() error {
	return &hashline.Diagnostic{Code: hashline.TooLarge, Msg: "the file is larger than 1 GiB"}
}
