package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/hashline-go/hashline/grammar"
)

// maxName is how many bytes of a file's name a message shows.
const maxName = 1000

// stdinName stands for standard input in messages.
const stdinName = "<stdin>"

// document reads the document of a command: the file that is named, or standard
// input where none is or it is "-". name is for messages.
func (a *app) document(args []string) (text, name string, err error) {
	from := "-"
	if len(args) > 0 {
		from = args[0]
	}
	text, err = a.input(from, "the document", grammar.MaxBytes)
	if from == "-" {
		from = stdinName
	}
	return text, from, err
}

// input reads a file, or standard input where its name is "-": at most one byte
// over a limit, so that what is too long is refused where the limit is known.
func (a *app) input(name, what string, limit int64) (string, error) {
	if name == "-" {
		a.awaiting(what)
		text, err := read(a.stdin, 0, limit)
		if err != nil {
			err = &failure{statusFailed, "standard input: " + reason(err)}
		}
		return text, err
	}
	f, size, err := a.openInput(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := read(f, size, limit)
	if err != nil {
		return "", badFile(name, err)
	}
	return text, nil
}

// openInput opens a file that a command reads, where --deny and --allow permit
// it, and says how large it seems to be. The caller closes it.
func (a *app) openInput(name string) (*os.File, int64, error) {
	if err := a.permitted(name); err != nil {
		return nil, 0, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, badFile(name, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = badFile(name, err)
	case info.IsDir():
		err = &failure{statusUsage, cut(name, maxName) + ": this is a folder"}
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// read reads at most limit+1 bytes of an input that has about size bytes. Input
// that comes through a pipe is gathered in pieces, since a buffer that grows
// would be copied many times over.
func read(r io.Reader, size, limit int64) (string, error) {
	const least, most = 64 << 10, 64 << 20
	var pieces [][]byte
	total := int64(0)
	for next := max(size+1, least); total <= limit; next = min(2*next, most) {
		piece := make([]byte, min(next, limit+1-total))
		n, err := io.ReadFull(r, piece)
		pieces = append(pieces, piece[:n])
		total += int64(n)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return "", err
		}
	}
	var b strings.Builder
	b.Grow(int(total))
	for _, piece := range pieces {
		b.Write(piece)
	}
	return b.String(), nil
}

// awaiting tells a person who gave no input that it is waited for.
func (a *app) awaiting(what string) {
	if isTerminal(a.stdin) {
		a.err.raw("hashline: reading " + what + " from the terminal; end it with Ctrl-D on a line of its own\n")
	}
}

// badFile is the failure for a file that the command line names: wrong where it
// is not there, else the system's.
func badFile(name string, err error) error {
	status := statusFailed
	if errors.Is(err, fs.ErrNotExist) {
		status = statusUsage
	}
	return &failure{status, fmt.Sprintf("%s: %s", cut(name, maxName), reason(err))}
}
