package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
)

// sessionFlags are the global flags about the agent that acts.
type sessionFlags struct {
	name                     string
	requireSeen, requireRead choice
	onStale, repeatRead      choice
}

func (f *sessionFlags) define(root *cobra.Command) {
	flags := root.PersistentFlags()
	levels := []string{"off", "warn", "enforce"}
	f.requireSeen, f.requireRead = choice{"warn", levels}, choice{"warn", levels}
	f.onStale = choice{"refuse", []string{"refuse", "rebase"}}
	f.repeatRead = choice{"full", []string{"full", "stub"}}
	flags.Var((*sessionName)(&f.name), "session", "remember what agent `NAME` was shown; for mcp a name in the history")
	flags.Var(&f.requireSeen, "require-seen", "edit unseen lines: `HOW` is off, warn, enforce")
	flags.Var(&f.requireRead, "require-read", "write over unread files: `HOW` is off, warn, enforce")
	flags.Var(&f.onStale, "on-stale", "`HOW` with stale documents: refuse, rebase")
	flags.Var(&f.repeatRead, "repeat-read", "`HOW` with rows shown before: full, stub")
}

// config is what the flags say of a session.
func (f *sessionFlags) config() workspace.SessionConfig {
	level := map[string]workspace.Level{"off": workspace.Off, "warn": workspace.Warn, "enforce": workspace.Enforce}
	return workspace.SessionConfig{
		Name: f.name, RequireSeen: level[f.requireSeen.value], RequireRead: level[f.requireRead.value],
		Rebase: f.onStale.value == "rebase", StubReads: f.repeatRead.value == "stub",
	}
}

// given names a flag that means nothing without a session, "" where there is none.
func (f *sessionFlags) given() string {
	switch {
	case f.requireSeen.value != "warn":
		return "require-seen"
	case f.requireRead.value != "warn":
		return "require-read"
	case f.onStale.value != "refuse":
		return "on-stale"
	case f.repeatRead.value != "full":
		return "repeat-read"
	}
	return ""
}

// session gives the session that the call belongs to: one of its own, or the one
// that --session names. end is called when the call has been answered.
func (a *app) session(ctx context.Context, w *workspace.Workspace) (s *workspace.Session, end func() error, err error) {
	if a.agent.name == "" {
		if flag := a.agent.given(); flag != "" {
			return nil, nil, usagef("--%s is for a session: give --session NAME too", flag)
		}
		return w.Session(a.agent.config()), func() error { return nil }, nil
	}
	s, end, err = w.Resume(ctx, a.agent.config())
	return s, end, wrongName(err)
}

// wrongName makes the refusal of a session's name an error of the command line.
func wrongName(err error) error {
	var fault *hashline.Diagnostic
	if errors.As(err, &fault) && fault.Code == hashline.BadArgument {
		return usagef("%s: %s", fault.Msg, fault.Hint)
	}
	return err
}

// sessionName is the value of --session.
type sessionName string

func (v *sessionName) String() string { return string(*v) }

func (v *sessionName) Type() string { return "NAME" }

func (v *sessionName) Set(s string) error {
	if s == "" {
		return errors.New("a session has a name")
	}
	*v = sessionName(s)
	return nil
}

// endSession ends a session after its call. The call is done, so that a memory
// which cannot be saved is only told.
func (a *app) endSession(end func() error) {
	if err := end(); err != nil {
		a.err.text("hashline: the session was not saved: " + err.Error() + "\n")
	}
}
