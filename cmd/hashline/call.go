package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
)

func (a *app) callCommand() *cobra.Command {
	var names []string
	for _, t := range workspace.Tools() {
		names = append(names, t.Name)
	}
	return &cobra.Command{
		Use:     "call TOOL [--root DIR] [--tags SCHEME] [--session NAME]",
		Short:   "Call a tool with JSON arguments, answer in JSON.",
		GroupID: groupPrograms,
		Long: `Reads one JSON object, the arguments, from standard input and writes one JSON
object on one line: ok and content, which is the text for the agent; with ok also
files [{path, old_tag, new_tag, added, removed, diff}] and warnings, without it
code and faults [{path, code, reason, line, column, message, hint, live_tag}].
"hashline tools" prints the tools and the schemas of their arguments.

Exit status: 0 ok; 1 the tool refused, nothing was changed; 2 the call is wrong,
such as an unknown tool or invalid JSON; 3 the system failed. The object is
written in each case.`,
		Example: `  echo '{"path":"src/main.go","limit":40}' | hashline call read_file
  jq -Rs '{input: .}' change.txt | hashline call edit --root ~/project`,
		Args:              wants(1, 1, "TOOL"),
		ValidArgsFunction: firstOf(names...),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.callTool(cmd.Context(), args[0])
		},
	}
}

func (a *app) callTool(ctx context.Context, tool string) error {
	w, err := a.open()
	if err != nil {
		return a.answerFailed(err)
	}
	defer w.Close()
	input, err := a.arguments(tool)
	if err != nil {
		return a.answerFailed(err)
	}
	ctx, done := a.hold(ctx)
	s, end, err := a.session(ctx, w)
	if err != nil {
		done()
		return a.answerFailed(err)
	}
	resp := s.Call(ctx, tool, input)
	a.endSession(end)
	done()
	return a.answer(resp)
}

// arguments reads the arguments of a call. A tool that is not there gets none,
// so that nobody waits for input that does not matter.
func (a *app) arguments(tool string) ([]byte, error) {
	t, ok := workspace.FindTool(tool)
	if !ok {
		return nil, nil
	}
	a.awaiting("the arguments")
	input, err := io.ReadAll(io.LimitReader(a.stdin, t.MaxInput+1))
	switch {
	case err != nil:
		return nil, &failure{statusFailed, "standard input: " + reason(err)}
	case int64(len(input)) > t.MaxInput:
		return nil, &hashline.Diagnostic{
			Code: hashline.TooLarge, Msg: fmt.Sprintf("the arguments are longer than %d bytes", t.MaxInput),
			Hint: "send less in one call",
		}
	}
	return input, nil
}

// answer writes a response and gives the exit status that goes with it.
func (a *app) answer(resp workspace.Response) error {
	a.json(resp)
	switch {
	case resp.OK:
		return nil
	case resp.Invalid:
		return &failure{status: statusUsage}
	}
	return &failure{status: refusedStatus(resp.Code)}
}

// answerFailed writes the response for a call that did not come to be. That of
// a wrong command line is written where those are reported.
func (a *app) answerFailed(err error) error {
	var fail *failure
	var d *hashline.Diagnostic
	switch {
	case errors.As(err, &d):
		return a.answer(workspace.Failed(err))
	case errors.As(err, &fail):
		a.json(workspace.Failed(&hashline.Diagnostic{Code: hashline.IO, Msg: fail.msg}))
		return err
	}
	return err
}

// answerWrongUsage writes the response for a command line that is wrong.
func (a *app) answerWrongUsage(cmd *cobra.Command, err error) {
	a.json(workspace.Failed(&hashline.Diagnostic{
		Code: hashline.BadArgument, Msg: bounded(err.Error()), Hint: "usage: " + useLine(cmd),
	}))
}
