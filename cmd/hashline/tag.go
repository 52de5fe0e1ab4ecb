package main

import (
	"bytes"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline"
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
			for _, name := range args {
				tag, err := tagOf(name, snapshot.Scheme(a.scheme.value))
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

// maxFile is the largest file that is read or written, in bytes (spec 12).
const maxFile = 1 << 30

// tagOf computes the tag of a file. Only regular files are opened, so that it
// never waits for the other end of a FIFO.
func tagOf(name string, scheme snapshot.Scheme) (hashline.Tag, error) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	switch {
	case info.IsDir():
		return 0, &hashline.Diagnostic{Code: hashline.NotRegular, Msg: "this is a folder"}
	case !info.Mode().IsRegular():
		return 0, &hashline.Diagnostic{Code: hashline.NotRegular, Msg: "this is not a regular file"}
	}
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return 0, err
	}
	// With that much room the buffer does not grow at the end.
	data := bytes.NewBuffer(make([]byte, 0, min(info.Size(), maxFile)+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(f, maxFile+1)); err != nil {
		return 0, err
	}
	if data.Len() > maxFile {
		return 0, &hashline.Diagnostic{Code: hashline.TooLarge, Msg: "the file is larger than 1 GiB"}
	}
	text, err := snapshot.Decode(data.Bytes())
	if err != nil {
		return 0, err
	}
	return scheme.Tag(text.Bytes()), nil
}
