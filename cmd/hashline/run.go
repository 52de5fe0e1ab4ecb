package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
)

// The exit statuses (spec 13).
const (
	statusOK      = 0
	statusRefused = 1 // nothing was changed
	statusUsage   = 2 // the command line is wrong
	statusFailed  = 3 // the system failed
)

// app is one run of the command.
type app struct {
	stdin    io.Reader
	out, err *stream
	// release ends the holding of signals, see hold.
	release func()

	// The global flags.
	root        string
	scheme      choice
	color       choice
	deny, allow []string
	readOnly    bool
	allowGit    bool
	noSync      bool
	hardLinks   choice
	agent       sessionFlags
}

// run is the whole program: it runs one command line and gives the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, out: newStream(stdout), err: newStream(stderr), release: func() {}}
	defer func() { a.release() }()
	root := a.command()
	// A nil list would make cobra read the program's own arguments.
	root.SetArgs(append([]string{}, args...))
	root.SetOut(a.out)
	root.SetErr(a.err)
	cmd, err := root.ExecuteContextC(ctx)
	status := a.report(cmd, args, err)
	switch err := a.out.failed; {
	case err == nil:
		return status
	case brokenPipe(err):
		// Whoever read the output has seen enough.
		return status
	}
	a.err.text("hashline: standard output: " + reason(a.out.failed) + "\n")
	return statusFailed
}

// failure is an error that knows the exit status it leads to. Without a message
// everything has been said already.
type failure struct {
	status int
	msg    string
}

func (f *failure) Error() string { return f.msg }

// report says on standard error what went wrong, and gives the exit status.
// An error that is neither a refusal nor a failure comes from the reading of
// the command line.
func (a *app) report(cmd *cobra.Command, args []string, err error) int {
	var refusal *workspace.Refusal
	var fail *failure
	var fault *hashline.Diagnostic
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &refusal):
		a.err.text(refusal.Content + "\n")
		return refusedStatus(refusal.Code())
	case errors.As(err, &fail):
		if fail.msg != "" {
			a.err.text("hashline: " + fail.msg + "\n")
		}
		return fail.status
	case errors.As(err, &fault):
		a.err.text("hashline: " + fault.Error() + "\n")
		return refusedStatus(fault.Code)
	}
	a.wrongUsage(cmd, args, err)
	return statusUsage
}

// refusedStatus is the exit status for the code of a refusal.
func refusedStatus(code hashline.Code) int {
	if code == hashline.IO {
		return statusFailed
	}
	return statusRefused
}
