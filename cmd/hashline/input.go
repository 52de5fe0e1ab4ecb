package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/hashline-go/hashline/grammar"
)

// maxName is how many bytes of a file's name a message shows.
const maxName = 1000

// stdinName stands for standard input in messages.
const stdinName = "<stdin>"

// document reads the document of a command: the file that is named, or standard
// input where none is or it is "-". One byte over the limit on documents is
// read at most; the grammar refuses what is too long.
func (a *app) document(args []string) (text, name string, err error) {
	data, name, err := a.input(args, "the document", grammar.MaxBytes+1)
	return string(data), name, err
}

// input reads at most limit bytes of a file or of standard input.
func (a *app) input(args []string, what string, limit int64) (data []byte, name string, err error) {
	if len(args) == 0 || args[0] == "-" {
		if isTerminal(a.stdin) {
			a.err.raw("hashline: reading " + what + " from the terminal; end it with Ctrl-D on a line of its own\n")
		}
		data, err = io.ReadAll(io.LimitReader(a.stdin, limit))
		if err != nil {
			return nil, stdinName, &failure{statusFailed, "standard input: " + reason(err)}
		}
		return data, stdinName, nil
	}
	name = args[0]
	f, err := os.Open(name)
	if err != nil {
		return nil, name, badFile(name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, name, &failure{statusUsage, name + ": this is a folder"}
	}
	data, err = io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil, name, badFile(name, err)
	}
	return data, name, nil
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
